/**
 * Removes from HTML what has no metadata, so that the rest of a long page fits into what is read: the contents of styles, of scripts
 * other than JSON-LD and of comments, and `data:` URLs. Each element stays, also one whose end has not arrived yet, so HTML can be
 * compacted again when more of it has been appended. Bytes are moved to the start of the buffer.
 *
 * @returns  The number of bytes that are left; all of them for UTF-16, which has no ASCII to search for.
 */
export function compactHtml(bytes: Buffer): number {
  if (bytes.subarray(0, 64).includes(0)) return bytes.length
  const html = bytes.toString('latin1')
  let size = 0
  let chunkStart = 0
  for (const { start, end } of findBulk(html)) {
    bytes.copyWithin(size, chunkStart, start)
    size += start - chunkStart
    chunkStart = end
  }
  bytes.copyWithin(size, chunkStart)
  return size + bytes.length - chunkStart
}

/** The end of an element may have arrived in part. */
const MAX_END_CHARS = 16
const MIN_DATA_URL_CHARS = 8_192
const MAX_TAG_CHARS = 8_192

function* findBulk(html: string): Generator<{ start: number; end: number }> {
  const opening = /<!--|<(style|script)(?=[\s/>])|data:/gi
  const ends = { comment: /-->/g, style: /<\/style/gi, script: /<\/script/gi }
  const unquoted = /[^"'\s)<>]*/y
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const [text, tag = ''] = match
    let start = opening.lastIndex
    let end: number
    if (text.toLowerCase() === 'data:') {
      unquoted.lastIndex = start
      unquoted.exec(html)
      end = Math.max(start, unquoted.lastIndex)
      opening.lastIndex = end
      // An empty `data:` URL is valid; a cut one would be a damaged image.
      if (end - start < MIN_DATA_URL_CHARS) continue
    } else {
      if (tag) {
        const tagEnd = html.indexOf('>', start)
        if (tagEnd < 0) return
        const isJsonLd = /ld\+json/i.test(html.slice(start, Math.min(tagEnd, start + MAX_TAG_CHARS)))
        start = tagEnd + 1
        opening.lastIndex = start
        if (isJsonLd) continue
      }
      const closing = tag ? ends[tag.toLowerCase() === 'style' ? 'style' : 'script'] : ends.comment
      closing.lastIndex = start
      end = closing.exec(html)?.index ?? Math.max(start, html.length - MAX_END_CHARS)
      opening.lastIndex = end
    }
    yield { start, end }
  }
}
