import { Parser } from 'htmlparser2'

/** What a sitemap lists. */
export interface Sitemap {
  /** URLs of pages. */
  urls: string[]
  /** URLs of other sitemaps. */
  sitemaps: string[]
}

/** A sitemap is three levels deep, and extensions add one or two. */
const MAX_DEPTH = 20
/** A longer URL could not be requested. */
const MAX_URL_CHARS = 8_192
const CHUNK_CHARS = 65_536

/**
 * Parses a sitemap or a sitemap index. Entities that the document defines are not expanded.
 *
 * @param maxUrls  How many pages and sitemaps it may list.
 * @throws         Error whose message completes a sentence about the file: deeper nesting or more URLs than allowed.
 * @see            https://www.sitemaps.org/protocol.html
 */
export function parseSitemap(xml: string, { maxUrls }: { maxUrls: number }): Sitemap {
  const found: Sitemap = { urls: [], sitemaps: [] }
  const path: string[] = []
  let text = ''
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(localName(name))
        text = ''
        if (path.length > MAX_DEPTH) throw new Error('its elements are nested too deeply for a sitemap')
      },
      ontext(part) {
        if (path.at(-1) === 'loc' && text.length <= MAX_URL_CHARS) text += part
      },
      onclosetag() {
        const [parent, name] = path.slice(-2)
        path.pop()
        const url = text.trim()
        if (name !== 'loc' || !url) return
        // The `loc` of an image or a video is none of a page.
        if (parent === 'url') found.urls.push(url)
        if (parent === 'sitemap') found.sitemaps.push(url)
        if (found.urls.length + found.sitemaps.length > maxUrls)
          throw new Error(`it has more than ${maxUrls} URLs; split it`)
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length; at += CHUNK_CHARS) parser.write(xml.slice(at, at + CHUNK_CHARS))
  parser.end()
  return found
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
