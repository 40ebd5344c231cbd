import sharp from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'
import { cutCorners } from './cut-corners.js'
import { joinTiles, type DecodedImage, type ScreenshotTiles } from './join-tiles.js'

/** The layers around a screenshot. */
export interface OverlayLayers {
  /** Everything but the screenshot, in the size of the finished image. */
  window: ScreenshotTiles
  /** An image behind the window; `undefined`: the window has its background. */
  background: Uint8Array | undefined
  /** Pixels of the finished image. */
  layout: { width: number; height: number; left: number; top: number; barHeight: number; radius: number }
}

export async function composeOverlay(
  screenshot: DecodedImage,
  { window, background, layout }: OverlayLayers,
): Promise<DecodedImage> {
  const { width, height, left, top, radius, barHeight } = layout
  const foreground = { ...(await cutCorners(screenshot, { radius, hasTitleBar: barHeight > 0 })), left, top }
  const { image } = await joinTiles(window)
  if (!background) return { image: image.composite([foreground]), width, height }
  const frame = { input: await image.png({ compressionLevel: 1 }).toBuffer(), limitInputPixels: MAX_PIXELS }
  const backdrop = sharp(background, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize({ width, height, fit: 'cover' })
  return { image: backdrop.composite([frame, foreground]), width, height }
}
