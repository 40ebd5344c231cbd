import {
  context,
  isSpanContextValid,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { isPageError } from '../query/index.js'

/** The caller's part of a trace. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  /** Bit 0: whether the trace is recorded. */
  traceFlags: number
}

/** The attributes of the span of a request about its response. */
interface TracedResponse {
  status: number
  cacheStatus: string
  /** What failed the request, if anything. */
  error?: unknown
}

/** The work within a request that has a span. */
type SpanName =
  | 'worker.request'
  | 'page.fetch'
  | 'queue.wait'
  | 'capture'
  | 'image.encode'
  | 'store.read'
  | 'store.write'

const MAX_HEADER_CHARS = 256
const HEADER = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/

/**
 * Parses the header `traceparent`; `undefined` if it is missing or invalid.
 *
 * @see  https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceParent(header: string | null | undefined): TraceParent | undefined {
  if (!header || header.length > MAX_HEADER_CHARS) return undefined
  const [, traceId, spanId, flags] = HEADER.exec(header) ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}

/**
 * Handles a request in a span, below the caller's if it has sent one.
 *
 * @param handle  Called with the ID of the trace; `undefined` if neither the caller nor the operator traces.
 */
export function traceRequest(
  { method, traceParent }: { method: string; traceParent: TraceParent | undefined },
  handle: (traceId: string | undefined) => Promise<TracedResponse>,
): Promise<void> {
  const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }
  return tracer().startActiveSpan('request', options, parentContext(traceParent), async (span) => {
    try {
      const spanContext = span.spanContext()
      const { status, cacheStatus, error } = await handle(
        isSpanContextValid(spanContext) ? spanContext.traceId : undefined,
      )
      span.setAttributes({
        'http.response.status_code': status,
        'page_preview.cache': cacheStatus,
        ...(error !== undefined && { 'error.type': errorTypeOf(error) }),
      })
      // A client error (4xx) does not make the span of the server an error: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    } finally {
      span.end()
    }
  })
}

/** Instrumentation of Node's HTTP server may have started a span below the caller's already. */
function parentContext(traceParent: TraceParent | undefined): Context {
  const active = context.active()
  if (!traceParent || trace.getSpanContext(active)) return active
  return trace.setSpanContext(active, { ...traceParent, isRemote: true })
}

/** Runs work in a span below the active one. */
export function withSpan<Result>(
  name: SpanName,
  work: () => Promise<Result>,
  attributes: Attributes = {},
): Promise<Result> {
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      markFailed(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** The header `traceparent` for a request of the active span; `undefined` if there is none. */
export function traceParentOfActiveSpan(): string | undefined {
  const span = trace.getSpanContext(context.active())
  if (!span || !isSpanContextValid(span)) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

/** Starts a span below the active one for work that ends elsewhere. @returns Ends it, with the error of the work if it failed. */
export function startSpan(name: SpanName): (error?: unknown) => void {
  const span = tracer().startSpan(name)
  return (error) => {
    if (!span.isRecording()) return
    if (error !== undefined) markFailed(span, error)
    span.end()
  }
}

/**
 * The tracer that the operator has registered; without one, its spans do nothing.
 *
 * @see  https://opentelemetry.io/docs/languages/js/instrumentation/
 */
const tracer = () => trace.getTracer('page-preview-server')

/** The code alone, because a message may contain a URL. */
const errorTypeOf = (error: unknown): string => (isPageError(error) ? error.code : 'EFATAL')

function markFailed(span: Span, error: unknown): void {
  span.setAttributes({ 'error.type': errorTypeOf(error) })
  span.setStatus({ code: SpanStatusCode.ERROR })
}
