// In server components, by the condition `react-server`: the names of `index.ts`, with an asynchronous `PagePreview`.
export * from './index.js'
export { PagePreview } from './server-page-preview.js'
