import type { FetchedPage } from './fetch-page.js'
import { mediaKind } from './media-type.js'
import type { PageFacts } from './page-facts.js'
import { scanHtml } from './scan-html.js'

/** What a target that is no HTML says about itself: its name, and the medium that it is. */
export function describeFile({ url, contentType, headers }: FetchedPage): PageFacts {
  const facts = scanHtml('', url)
  const kind = mediaKind(contentType)
  const title = fileName(headers['content-disposition'] ?? '') ?? decode(new URL(url).pathname.split('/').at(-1) ?? '')
  return { ...facts, title: title || new URL(url).host, body: kind ? { ...facts.body, [kind]: [url] } : facts.body }
}

/** https://www.rfc-editor.org/rfc/rfc6266#section-4.1 */
function fileName(disposition: string): string | undefined {
  const [, extended] = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /filename\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(disposition) ?? []
  return extended ? decode(extended) : (quoted ?? plain)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign is a name too.
    return text
  }
}
