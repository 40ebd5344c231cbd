import { decodeUrlPart } from './values/index.js'

const MAX_HEADER_CHARS = 2_000
const MAX_NAME_CHARS = 300

/** The name of a file: as its header states it, or the last part of its path; `''` if it has none. */
export function fileName(url: string, headers: Readonly<Record<string, string>>): string {
  const disposition = (headers['content-disposition'] ?? '').slice(0, MAX_HEADER_CHARS)
  return nameInHeader(disposition) ?? decodeUrlPart(new URL(url).pathname.split('/').at(-1) ?? '')
}

/** https://www.rfc-editor.org/rfc/rfc6266#section-4.1 */
function nameInHeader(disposition: string): string | undefined {
  const [, extended] = /filename\*\s*=\s*utf-8'[^']{0,40}'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /filename\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(disposition) ?? []
  return extended ? decodeUrlPart(extended) : (quoted ?? plain)
}

/** `annual report 2026` of `annual-report_2026.pdf`; a name of one word stays as it is. */
export function nameInWords(name: string): string {
  const words = name
    .slice(0, MAX_NAME_CHARS)
    .replace(/\.[a-z\d]{1,8}$/i, '')
    .split(/[-_+\s]+/)
    .filter(Boolean)
  return words.length > 1 && words.some((word) => /\p{L}{2}/u.test(word)) ? words.join(' ') : name
}
