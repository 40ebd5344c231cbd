'use client'

import { forwardRef, memo, useRef, useState, type ReactNode, type Ref } from 'react'
import { toDisplayUrl } from '../card/index.js'
import { isDeepEqual, requestOf, useKnownQueryClient } from './preview-query.js'
import { hasPreviews } from './use-preview-data.js'
import { useProximity } from './use-proximity.js'
import { usePreviewProps } from './page-preview-provider.js'
import { useMergedRefs } from './parts/part.js'
import { classNamesOf, linkAttributes, PreviewCard, previewRoot } from './preview-card.js'
import type { PagePreviewProps, SplitProps } from './props.js'

/**
 * A preview of a page: a card (or row, image, chip) with a link that works from the first render, an image, and the page's
 * title and description. Its children are the text of the link until the title is known. Far from the viewport it is only
 * that link, in a box of the same size.
 *
 * @example  <PagePreview url="https://example.com" screenshot>Example</PagePreview>
 */
export const PagePreview = /* @__PURE__ */ memo(
  /* @__PURE__ */ forwardRef<HTMLElement, PagePreviewProps>(function PagePreview(ownProps, callerRef): ReactNode {
    const props = usePreviewProps('PagePreview', ownProps)
    const queryClient = useKnownQueryClient(props.options.queryClient)
    const [isCardFirst] = useState(
      () =>
        needsCard(props) ||
        (hasPreviews(queryClient) && queryClient?.getQueryData(requestOf(props.stableQuery).queryKey) !== undefined),
    )
    const [proximityRef, proximity] = useProximity(props)
    const rootRef = useRef<HTMLElement>(null)
    const ref = useMergedRefs(rootRef, useMergedRefs(proximityRef, callerRef))
    return isCardFirst || proximity !== 'far' || needsCard(props) ? (
      <PreviewCard {...props} proximity={proximity} elementRef={ref} rootRef={rootRef} />
    ) : (
      linkPlaceholder(props, ref)
    )
  }),
  isDeepEqual,
)

/** Whether the card has something to show at any distance from the viewport. */
const needsCard = ({ query, options: { data, loading, priority } }: SplitProps) =>
  Boolean(data || query.embed !== undefined || loading === 'eager' || priority)

/** The placeholder of a preview that is far from the viewport: its link, in a box with the size of the card. */
function linkPlaceholder(props: SplitProps, ref: Ref<HTMLElement> | undefined): ReactNode {
  const { query, options, attributes } = props
  const c = classNamesOf(options)
  const displayUrl = toDisplayUrl(query.url)
  const { children: linkText = displayUrl.text, ...rest } = attributes
  const children =
    options.layout === 'inline' ? (
      <>
        <span className={c('icon')} aria-hidden="true">
          {displayUrl.letter}
        </span>
        <span>{linkText}</span>
      </>
    ) : (
      <a className={c('link')} {...linkAttributes(displayUrl, options)}>
        <span className={c('title')}>{linkText}</span>
      </a>
    )
  return previewRoot(props, { state: { status: 'loading', displayUrl }, attributes: rest, ref, children })
}
