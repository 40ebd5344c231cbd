'use client'

import { forwardRef, memo, useState, type ForwardedRef, type ReactNode } from 'react'
import { InteractiveCard } from './card/interactive-card.js'
import { linkPlaceholder } from './card/preview-card.js'
import { hasCachedResult, usePreviewQueryClient } from './data/use-preview-data.js'
import { useProximity } from './near-viewport/use-proximity.js'
import { isDeepEqual } from './deep-equality.js'
import { usePreviewProps } from './page-preview-provider.js'
import type { PagePreviewProps, SplitProps } from './props.js'

/**
 * A preview of a page: a card (or row, image, chip) with a link that works from the first render, an image, and the page's
 * title and description. Its children are the text of the link until the title is known. Far from the viewport it is only
 * that link, in a box of the same size.
 *
 * @example  <PagePreview url="https://example.com" screenshot>Example</PagePreview>
 */
export const PagePreview = memo(
  forwardRef(function PagePreview(ownProps: PagePreviewProps, callerRef: ForwardedRef<HTMLElement>): ReactNode {
    const { attributes, ...split } = usePreviewProps('PagePreview', ownProps)
    const props = { ...split, attributes: { ...attributes, ref: callerRef } }
    const queryClient = usePreviewQueryClient(props.options.queryClient)
    const [isCardFirst] = useState(() => needsCard(props) || hasCachedResult(queryClient, props.stableQuery))
    const [ref, proximity] = useProximity(props.options)
    return isCardFirst || proximity !== 'far' || needsCard(props) ? (
      <InteractiveCard {...props} proximity={proximity} proximityRef={ref} />
    ) : (
      linkPlaceholder(props, ref)
    )
  }),
  isDeepEqual,
)

/** Whether the card has something to show at any distance from the viewport. */
const needsCard = ({ query, options: { data, loading, priority } }: SplitProps) =>
  Boolean(data || query.embed !== undefined || loading === 'eager' || priority)
