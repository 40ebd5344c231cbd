import { parseHtml, type MetadataSources } from './document/index.js'
import type { FetchedPage } from './fetch/index.js'
import { mediaKind } from './ping/media-type.js'

const MAX_HEADER_CHARS = 2_000

/** The metadata sources of a target that is not HTML: its file name as title, and itself as image, audio or video. */
export function fileSources({
  url,
  contentType,
  headers,
}: Pick<FetchedPage, 'url' | 'contentType' | 'headers'>): MetadataSources {
  const empty = parseHtml('', url)
  const kind = mediaKind(contentType)
  const title =
    fileName((headers['content-disposition'] ?? '').slice(0, MAX_HEADER_CHARS)) ??
    decode(new URL(url).pathname.split('/').at(-1) ?? '')
  return { ...empty, title: title || new URL(url).host, body: kind ? { ...empty.body, [kind]: [url] } : empty.body }
}

/** https://www.rfc-editor.org/rfc/rfc6266#section-4.1 */
function fileName(disposition: string): string | undefined {
  const [, extended] = /filename\*\s*=\s*utf-8'[^']{0,40}'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /filename\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(disposition) ?? []
  return extended ? decode(extended) : (quoted ?? plain)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A file name may contain a literal percent sign.
    return text
  }
}
