/** On a preview that stands behind a marked link, in its place; the link itself stays where the page has put it. */
export const BEHIND_LINK = 'behind-link'

/** Mail and scripts have nothing to be shown. */
export const leadsToPage = ({ protocol }: HTMLAnchorElement): boolean => protocol.startsWith('http')

/** The link that a preview is of: the marked one that it stands behind, or the one in it. */
export function linkOf(preview: Element): HTMLAnchorElement | null {
  const before = preview.matches(`[data-page-preview]+[${BEHIND_LINK}]`) && preview.previousElementSibling
  return before instanceof HTMLAnchorElement ? before : preview.querySelector('a')
}
