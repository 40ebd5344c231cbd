export { watchEventLoop } from './watch-event-loop.js'
export type { EventLoopWatch } from './watch-event-loop.js'
