export { createProgress, ERASE_LINE } from './create-progress.js'
export type { Progress } from './create-progress.js'
export { printable } from './printable.js'
export { printableJson } from './printable-json.js'
