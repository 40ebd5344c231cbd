export { parseTraceParent } from './trace-parent.js'
export type { TraceParent } from './trace-parent.js'
export { traceRequest } from './trace-request.js'
export { startSpan, withSpan } from './with-span.js'
