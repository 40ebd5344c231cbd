export { serve } from './serve.js'
export type { RunningServer } from './serve.js'
