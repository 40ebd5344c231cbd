const HOME_LINK = /^(?:\/|https?:\/\/[^/?#]{1,100}\/?)(?:[?#]|$)/i
const MAX_HREF_CHARS = 500

/** Whether a link leads to the home page of a site, whichever that is. */
export const isHomeLink = (href: string): boolean => HOME_LINK.test(href)

/** Whether a link leads to a folder that a page is in: to `/blog/` from `/blog/2024/story`. */
export function isFolderOf(href: string, pagePath: string): boolean {
  const path = pathOf(href)
  return path.startsWith('/') && path.endsWith('/') && path.length < pagePath.length && pagePath.includes(path)
}

/** Whether a link leads to the page itself. */
export function isLinkToPage(href: string, pagePath: string): boolean {
  const [path = ''] = pathOf(href).split(/[?#]/, 1)
  return path.length > 1 && path.startsWith('/') && pagePath.endsWith(path)
}

const pathOf = (href: string) => href.slice(0, MAX_HREF_CHARS).replace(/^https?:\/\/[^/]*/i, '')
