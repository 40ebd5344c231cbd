/** The caller's part of a trace. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  /** Bit 0: whether the trace is recorded. */
  traceFlags: number
}

const MAX_CHARS = 256
const FORMAT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/

/**
 * Parses the header `traceparent`; `undefined` where it is missing or invalid.
 *
 * @see  https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceParent(header: string | null | undefined): TraceParent | undefined {
  if (!header || header.length > MAX_CHARS) return undefined
  const [, traceId, spanId, flags] = FORMAT.exec(header) ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}
