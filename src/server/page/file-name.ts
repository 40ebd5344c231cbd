import { decodeUrlPart } from './values/index.js'

const MAX_HEADER_CHARS = 2_000
const MAX_NAME_CHARS = 300

/** The name of a file: as its header states it, or the last part of its path; `''` if it has none. */
export function fileName(url: string, headers: Readonly<Record<string, string>>): string {
  const disposition = (headers['content-disposition'] ?? '').slice(0, MAX_HEADER_CHARS)
  return nameInHeader(disposition) || decodeUrlPart(new URL(url).pathname.split('/').at(-1) ?? '')
}

/** Without the folders that some servers state too. https://www.rfc-editor.org/rfc/rfc6266#section-4.1 */
function nameInHeader(disposition: string): string {
  const parameters = readParameters(disposition)
  const plain = parameters.get('filename') ?? ''
  const name =
    decodeExtended(parameters.get('filename*') ?? '') ??
    (plain.includes('=?') ? decodeWords(plain) : decodeUrlPart(decodeBytes(plain)))
  return name.split(/[\\/]/).at(-1)!.trim()
}

/** The parameters of a header, names in lower case; values without quotes may contain spaces, as browsers allow. */
function readParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (let at = 0; at < header.length; at++) {
    const equals = header.indexOf('=', at)
    if (equals < 0) break
    const name =
      header
        .slice(at, equals)
        .split(/[;\s]+/)
        .filter(Boolean)
        .at(-1) ?? ''
    const start = equals + 1 + (/^\s+/.exec(header.slice(equals + 1))?.[0].length ?? 0)
    const { value, end } = header[start] === '"' ? readQuoted(header, start + 1) : readUntilSemicolon(header, start)
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
    at = end
  }
  return parameters
}

function readQuoted(header: string, start: number): { value: string; end: number } {
  let value = ''
  let at = start
  for (; at < header.length && header[at] !== '"'; at++) {
    // Other backslashes are those of a path of Windows.
    if (header[at] === '\\' && /["\\]/.test(header.charAt(at + 1))) at++
    value += header[at]
  }
  return { value, end: readUntilSemicolon(header, at).end }
}

function readUntilSemicolon(header: string, start: number): { value: string; end: number } {
  const semicolon = header.indexOf(';', start)
  const end = semicolon < 0 ? header.length : semicolon
  return { value: header.slice(start, end).trim(), end }
}

/** `UTF-8''na%C3%AFve.pdf`; `undefined` for anything else. https://www.rfc-editor.org/rfc/rfc8187 */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', text] = /^([\w-]{1,40})'[^']{0,40}'(.+)$/s.exec(value) ?? []
  return text === undefined ? undefined : decodeText(percentBytes(text), charset)
}

/** As in the headers of mails. https://www.rfc-editor.org/rfc/rfc2047 */
const decodeWords = (text: string): string =>
  text
    .replaceAll('?= =?', '?==?')
    .replace(
      /=\?([\w-]{1,40})\?([bq])\?([^?]{0,500})\?=/gi,
      (word: string, charset: string, encoding: string, content: string) => {
        const quoted = content.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%')
        const isBase64 = encoding.toLowerCase() === 'b'
        return decodeText(isBase64 ? Buffer.from(content, 'base64') : percentBytes(quoted), charset) ?? word
      },
    )

/** HTTP knows only Latin-1, but many servers send UTF-8. */
const decodeBytes = (text: string): string => decodeText(Buffer.from(text, 'latin1'), 'utf-8') ?? text

const percentBytes = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/(%[\da-f]{2})/i)
      .map((part, at) => (at % 2 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'))),
  )

/** `undefined` for an unknown encoding, and for bytes that are not in it. */
function decodeText(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
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
