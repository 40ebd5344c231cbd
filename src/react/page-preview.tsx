'use client'

import { memo, useState, type ReactNode } from 'react'
import { InteractiveCard } from './card/interactive-card.js'
import { linkPlaceholder } from './card/link-placeholder.js'
import { hasCachedResult } from './data/cached-results.js'
import { useStableQuery } from './data/use-stable-query.js'
import { usePreviewQueryClient } from './data/use-preview-query-client.js'
import { isDeepEqual } from './hooks/is-deep-equal.js'
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
  const previewQuery = useStableQuery(split.query, split.options)
  const [isCardFirst] = useState(() => needsCard(props) || hasCachedResult(queryClient, previewQuery))
  const { ref, hasBeenNear } = useNearViewport(false, isCardFirst || undefined)
  return isCardFirst || hasBeenNear || needsCard(props) ? (
    <InteractiveCard {...props} previewQuery={previewQuery} isNear={isCardFirst ? undefined : hasBeenNear} />
  ) : (
    linkPlaceholder({ ...split, elementRef: ref })
  )
}, isDeepEqual)

/** Whether the card has something to show at any distance from the viewport, or an appearance without a placeholder. */
const needsCard = ({ data, embed, loading, priority, components, unstyled }: PagePreviewProps) =>
  Boolean(data || embed !== undefined || loading === 'eager' || priority || components || unstyled)
