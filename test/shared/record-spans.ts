import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** A span as an exporter receives it. */
export interface RecordedSpan {
  name: string
  spanId: string
  traceId: string
  parentSpanId: string | undefined
  attributes: Attributes
  status: SpanStatusCode
  hasEnded: boolean
}

/** Registers a tracer that keeps its spans in memory, as an operator registers the OpenTelemetry SDK. */
export function recordSpans(): { spans: RecordedSpan[]; stop: () => void } {
  const spans: RecordedSpan[] = []
  const startSpan = (name: string, options: SpanOptions = {}, parentContext: Context = context.active()): Span => {
    const parent = trace.getSpanContext(parentContext)
    const recorded: RecordedSpan = {
      name,
      spanId: randomBytes(8).toString('hex'),
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      parentSpanId: parent?.spanId,
      attributes: { ...options.attributes },
      status: SpanStatusCode.UNSET,
      hasEnded: false,
    }
    spans.push(recorded)
    return spanOf(recorded)
  }
  const startActiveSpan = ((name: string, ...args: unknown[]) => {
    const work = args.at(-1) as (span: Span) => unknown
    const [options, parent = context.active()] = args.slice(0, -1) as [SpanOptions?, Context?]
    const span = startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), () => work(span))
  }) as Tracer['startActiveSpan']
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) })
  context.setGlobalContextManager(createContextManager())
  return {
    spans,
    stop() {
      trace.disable()
      context.disable()
    },
  }
}

function spanOf(recorded: RecordedSpan): Span {
  const { traceId, spanId } = recorded
  const span: Span = {
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes(attributes) {
      Object.assign(recorded.attributes, attributes)
      return span
    },
    setStatus({ code }) {
      recorded.status = code
      return span
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    updateName: () => span,
    recordException: () => undefined,
    isRecording: () => !recorded.hasEnded,
    end: () => void (recorded.hasEnded = true),
  }
  return span
}

function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, thisArg, ...args) => storage.run(active, () => work.apply(thisArg, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}
