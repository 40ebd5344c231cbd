import { openImage } from './open-image.js'

/** A small copy of an image: three bytes per pixel, row by row; transparent pixels are white. */
export interface ReducedImage {
  data: Uint8Array
  width: number
  height: number
}

const MAX_SIDE = 256

export async function reduceImage(bytes: Uint8Array): Promise<ReducedImage> {
  const { image } = await openImage(bytes)
  const { data, info } = await image
    // Averages pixels, so that thin lines are not lost.
    .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', kernel: 'linear', withoutEnlargement: true, fastShrinkOnLoad: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
