import parseRanges from 'range-parser'

/** Offsets of the first and last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

const SUFFIX_RANGE = /^bytes=\s*-(\d+)\s*$/

/**
 * Parses a `range` header for a body of `size` bytes.
 *
 * @returns  `undefined` for several ranges, and for ranges that are invalid or outside the body: the whole body is sent then,
 *           as HTTP allows.
 * @see      https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function parseByteRange(header: string | null, size: number): ByteRange | undefined {
  // HTTP requires the whole body for a suffix longer than it, which range-parser calls unsatisfiable.
  const suffixLength = SUFFIX_RANGE.exec(header ?? '')?.[1]
  if (size > 0 && Number(suffixLength) > size) return { start: 0, end: size - 1 }
  const ranges = header === null ? undefined : parseRanges(size, header)
  return Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
}
