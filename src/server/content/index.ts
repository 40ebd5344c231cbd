export { createContentReader } from './create-content-reader.js'
export type { ContentReader, UnreadContent } from './create-content-reader.js'
