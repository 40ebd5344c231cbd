import { SpanStatusCode, trace, type Attributes, type Span, type Tracer } from '@opentelemetry/api'
import { isPageError } from '../../query/index.js'

/** The work within a request that has a span. */
type SpanName = 'page.fetch' | 'queue.wait' | 'capture' | 'image.encode' | 'store.read' | 'store.write'

/**
 * The tracer that the operator has registered; without one, its spans do nothing.
 *
 * @see  https://opentelemetry.io/docs/languages/js/instrumentation/
 */
export const tracer = (): Tracer => trace.getTracer('page-preview-server')

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

/** Starts a span below the active one for work that ends elsewhere. @returns Ends it, with the error of the work if it failed. */
export function startSpan(name: SpanName): (error?: unknown) => void {
  const span = tracer().startSpan(name)
  return (error) => {
    if (!span.isRecording()) return
    if (error !== undefined) markFailed(span, error)
    span.end()
  }
}

/** The code alone, because a message may contain a URL. */
export const errorTypeOf = (error: unknown): string => (isPageError(error) ? error.code : 'EFATAL')

function markFailed(span: Span, error: unknown): void {
  span.setAttributes({ 'error.type': errorTypeOf(error) })
  span.setStatus({ code: SpanStatusCode.ERROR })
}
