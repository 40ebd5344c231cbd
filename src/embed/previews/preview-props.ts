import type { PagePreviewProps } from '../../react/index.js'
import { layoutOf } from '../../card/index.js'
import { resolveOptions } from '../options/index.js'
import { logWarning } from './log-warning.js'
import { pageTheme } from './page-theme.js'
import type { PreviewContext } from './preview-context.js'
import { sourceLink } from './source-link.js'

/** The props of the preview of a `<page-preview>` or a link, which dispatches the events of the preview. */
export function previewProps(element: Element, context: PreviewContext): PagePreviewProps {
  const { sharedOptions, eagerElements, queryClient, fetch, isPrinting } = context
  const link = element instanceof HTMLAnchorElement ? element : sourceLink(element)
  // The chip of a frozen preview has an icon before its text.
  const chipText = element.querySelector('[data-frozen]>[data-layout=inline]')?.lastChild
  const linkText = (chipText ?? link ?? element).textContent?.trim() || undefined
  const labelled = link?.closest('page-preview [aria-label]') ?? link
  const options = resolveOptions(element, sharedOptions, link)
  const { theme: ownTheme, layout } = options
  if (layout && layoutOf(layout) !== layout) logWarning(layout)
  if (isPrinting) eagerElements.add(element)
  const dispatch = (name: string) => (detail: unknown) =>
    void element.dispatchEvent(new CustomEvent(`page-preview:${name}`, { detail, bubbles: true, composed: true }))
  return {
    fetch,
    ...options,
    ...(eagerElements.has(element) && { loading: 'eager' }),
    theme: ownTheme === 'light' || ownTheme === 'dark' ? ownTheme : pageTheme(element),
    children: linkText,
    // The title of the page replaces the text of the link on screen; screen readers announce what the author has written.
    'aria-label': labelled?.ariaLabel ?? linkText,
    queryClient,
    onLoad: dispatch('load'),
    onError: dispatch('error'),
    onRefresh: dispatch('refresh'),
  }
}
