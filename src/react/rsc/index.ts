export { LivePagePreview } from './live-page-preview.js'
export type { LivePagePreviewProps } from './live-page-preview.js'
export { PagePreview } from './page-preview.js'
export type { PagePreviewProps } from './page-preview.js'
