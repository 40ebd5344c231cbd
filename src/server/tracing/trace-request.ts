import { context, isSpanContextValid, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import type { TraceParent } from './trace-parent.js'
import { errorTypeOf, tracer } from './with-span.js'

/** The attributes of the span of a request about its response. */
export interface TracedResponse {
  status: number
  cacheStatus: string
  /** What failed the request, if anything. */
  error?: unknown
}

/**
 * Handles a request in a span, below the caller's where it has sent one.
 *
 * @param handle  Called with the ID of the trace; `undefined` where neither the caller nor the operator traces.
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
      // An error of the client is none of the service: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status
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
