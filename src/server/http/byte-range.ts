/** Where a part of some bytes lies; both ends belong to it. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Reads a `range` header.
 *
 * @returns  `undefined` for several ranges and for what cannot be read or met: HTTP lets a server send everything then.
 * @see      https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function byteRange(header: string | null, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first <= last && first < size ? { first, last } : undefined
}
