export { openPreviewSource } from './open-preview-source.js'
export type { PreviewSourceOptions } from './open-preview-source.js'
export { isServiceFailure } from './is-service-failure.js'
export type { ImageField, ImageRequest, PreviewSource, SourceImage, SourcePage } from './preview-source.js'
