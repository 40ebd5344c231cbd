/** The attribute of a preview that follows a marked link and replaces it; the link itself is hidden, not moved. */
export const REPLACES_LINK = 'replaces-link'

/** Whether a link leads to a page, unlike `mailto:` or `javascript:`. */
export const isWebLink = ({ protocol }: HTMLAnchorElement): boolean => protocol.startsWith('http')

/** The link whose page is previewed: the marked one that the preview replaces, or the first one inside. */
export function sourceLink(preview: Element): HTMLAnchorElement | null {
  const previous = preview.matches(`[data-page-preview]+[${REPLACES_LINK}]`) && preview.previousElementSibling
  return previous instanceof HTMLAnchorElement ? previous : preview.querySelector('a')
}
