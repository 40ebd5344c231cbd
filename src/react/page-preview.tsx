'use client'

import { memo, useState, type ReactNode } from 'react'
import { DeferredCard, isCardLoaded, loadCard } from './card/deferred-card.js'
import { HydratedCard } from './card/hydrated-card.js'
import { linkPlaceholder } from './card/link-placeholder.js'
import { hasCachedResult, usePreviewQuery } from './data/use-preview-query.js'
import { usePreviewQueryClient } from './data/use-preview-query-client.js'
import { isDeepEqual } from './hooks/is-deep-equal.js'
import { useLazyModule } from './hooks/use-lazy-module.js'
import { useNearViewport } from './hooks/use-near-viewport.js'
import { useProviderDefaults } from './page-preview-provider.js'
import type { PagePreviewProps } from './props/page-preview-props.js'
import { splitProps } from './props/split-props.js'

/**
 * A preview of a page: a card (or row, image, chip) with a link that works from the first render, an image, and the page's
 * title and description. Its children are the text of the link until the title is known. Far from the viewport it is only
 * that link, in a box of the same size.
 *
 * @example  <PagePreview url="https://example.com" screenshot>Example</PagePreview>
 */
export const PagePreview = memo(function PagePreview(ownProps: PagePreviewProps): ReactNode {
  const props = useProviderDefaults(ownProps)
  const split = splitProps(props)
  const queryClient = usePreviewQueryClient(props.queryClient)
  const previewQuery = usePreviewQuery(split.query, split.options)
  const [isCardFirst] = useState(() => needsCard(props) || hasCachedResult(queryClient, previewQuery))
  const { ref, wasNear } = useNearViewport(false, isCardFirst || undefined)
  const isCardNeeded = wasNear || needsCard(props)
  useLazyModule(loadCard, isCardNeeded && !isCardFirst)

  const cardProps = { ...props, previewQuery }
  if (!isCardFirst && isCardNeeded && isCardLoaded()) return <DeferredCard {...cardProps} isNear={wasNear} />
  const placeholder = linkPlaceholder({ ...split, elementRef: ref })
  return isCardFirst ? <HydratedCard props={cardProps} placeholder={placeholder} /> : placeholder
}, isDeepEqual)

/** Whether the card has something to show at any distance from the viewport, or an appearance without a placeholder. */
const needsCard = ({ data, embed, loading, priority, components, unstyled }: PagePreviewProps) =>
  Boolean(data || embed !== undefined || loading === 'eager' || priority || components || unstyled)
