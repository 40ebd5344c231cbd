import type { QueryClient } from '@tanstack/react-query'
import { layoutOf } from '../../card/index.js'
import type { PagePreviewProps } from '../../react/index.js'
import { resolveOptions, type SharedOptions } from '../options.js'
import { FROZEN } from '../script-tag.js'
import { pageTheme } from './page-theme.js'
import type { WarningCause } from './warnings.js'

/** What all previews of a page share. */
export interface PreviewEnvironment {
  sharedOptions: SharedOptions
  /** Previews and links that load at any position: they came near the viewport before they could be mounted, or are printed. */
  eagerElements: WeakSet<Element>
  fetch: typeof fetch
  queryClient: QueryClient
  /** The stylesheet of every shadow root. */
  sheet: CSSStyleSheet
  /** The page is about to be printed, with all its previews. */
  isPrinting: boolean
}

/** The attribute of a preview that follows a marked link and replaces it; the link itself is hidden, not moved. */
export const REPLACES_LINK = 'replaces-link'

/** Whether a link leads to a page, unlike `mailto:` or `javascript:`. */
export const isWebLink = ({ protocol }: HTMLAnchorElement): boolean => protocol.startsWith('http')

/** The link whose page is previewed: the marked link that the preview replaces, or the first link inside. */
export function sourceLink(preview: Element): HTMLAnchorElement | null {
  const previous = preview.matches(`[data-page-preview]+[${REPLACES_LINK}]`) && preview.previousElementSibling
  return previous instanceof HTMLAnchorElement ? previous : preview.querySelector('a')
}

/** The props of the preview of a `<page-preview>` or a link, which dispatches the events of the preview. */
export function previewProps(element: Element, environment: PreviewEnvironment): PagePreviewProps {
  const { sharedOptions, eagerElements, queryClient, fetch, isPrinting } = environment
  const link = element instanceof HTMLAnchorElement ? element : sourceLink(element)
  // The chip of a frozen preview has an icon before its text.
  const chipText = element.querySelector(`${FROZEN}>[data-layout=inline]`)?.lastChild
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

/** Loads the texts with the first warning, because most pages have none. */
export function logWarning(cause: WarningCause): void {
  import('./warnings.js').then(
    ({ warn }) => warn(cause),
    () => undefined,
  )
}
