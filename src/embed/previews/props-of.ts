import type { PagePreviewProps } from '../../react/index.js'
import { resolveOptions } from '../asking/index.js'
import { linkOf } from './link-of.js'
import type { Making } from './making.js'
import { themeAround } from './page-theme.js'

/** All props of the preview of an element or a link; what becomes of it is told there, as events. */
export function propsOf(element: Element, { settings, queryClient }: Making): PagePreviewProps {
  const link = element instanceof HTMLAnchorElement ? element : linkOf(element)
  const words = (link ?? element).textContent.trim() || undefined
  const said = resolveOptions(element, settings, link)
  if (settings.isPrinted) settings.near.add(element)
  const tell = (event: string) => (detail: unknown) =>
    void element.dispatchEvent(new CustomEvent(`page-preview:${event}`, { detail, bubbles: true, composed: true }))
  return {
    fetch: settings.ahead.fetch,
    ...said,
    ...(settings.near.has(element) && { loading: 'eager' }),
    theme: themeAround(element, said.theme),
    children: words,
    // The title takes the place of the words for those who see; to others they are the name of the whole.
    'aria-label': link?.ariaLabel ?? words,
    queryClient,
    onLoad: tell('load'),
    onError: tell('error'),
    onRefresh: tell('refresh'),
  }
}
