export { createProgress } from './create-progress.js'
export type { Progress } from './create-progress.js'
export { printable } from './printable.js'
