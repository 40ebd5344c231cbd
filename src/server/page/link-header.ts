import { iconSize, type PageLink } from './document/index.js'
import { resolveUrl } from './values/index.js'

/** https://www.rfc-editor.org/rfc/rfc8288#section-3; commas may also be part of a URL, so they separate nothing here. */
const LINK = /<([^<>]*)>([^<>]*)/g
const PARAMETER = /;\s*([a-z]{1,20})\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/gi
const MAX_HEADER_CHARS = 10_000
const MAX_LINKS = 50

/**
 * The links that a response states in its `Link` header, as `<link>` elements would state them, with absolute URLs. A link of another
 * resource than the response, which has an `anchor`, is left out.
 *
 * @param header  The values of all such headers, joined with commas.
 * @param url     Of the response.
 */
export const readLinkHeader = (header: string, url: string): PageLink[] =>
  Array.from(header.slice(0, MAX_HEADER_CHARS).matchAll(LINK))
    .slice(0, MAX_LINKS)
    .flatMap(([, target = '', text = '']) => {
      const parameters = new Map<string, string>()
      for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER))
        if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain)
      const { rel = '', anchor, type = '', sizes = '', media = '', title = '' } = Object.fromEntries(parameters)
      const href = resolveUrl(target, { baseUrl: url, url })
      if (href === undefined || !rel || anchor !== undefined) return []
      const rels = rel.trim().toLowerCase().split(/\s+/)
      return [{ rels, href, media, type: type.trim().toLowerCase(), title, ...iconSize(sizes, href) }]
    })
