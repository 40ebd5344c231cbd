import { compareImages } from './compare-images.js'
import { convertVariant } from './convert-variant.js'
import { convertVariants } from './convert-variants.js'
import { encodeScreenshot } from './encode-screenshot.js'
import { measureImage } from './measure-image.js'
import { samplePalette } from './sample-palette.js'

export { TooLargeError } from './encode-variant.js'
export type { ScreenshotTiles } from './encode-screenshot.js'

/** The tasks of an image process, by name. */
export const imageTasks = {
  compareImages,
  convertVariant,
  convertVariants,
  encodeScreenshot,
  measureImage,
  samplePalette,
}
export type ImageTasks = typeof imageTasks
