export { createImages } from './create-images.js'
export type { Images } from './create-images.js'
export { maxPixelsOf } from './image-limits.js'
export type { EncodedScreenshot, ImageType, OverlayLayers, ScreenshotTiles } from './tasks/encode-screenshot.js'
