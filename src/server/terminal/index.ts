export { createProgress } from './create-progress.js'
export { printable } from './printable.js'
