import sharp, { type Sharp } from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'
import { composeOverlay, type OverlayLayers } from './compose-overlay.js'
import { imageColours, type ImageColours } from './image-colours.js'
import { joinTiles, type ScreenshotTiles } from './join-tiles.js'

export type { OverlayLayers, ScreenshotTiles }

export type ImageType = 'jpg' | 'png' | 'webp' | 'avif'

export interface EncodeScreenshotOptions {
  type: ImageType
  /** 1..100, lossy types only. */
  quality: number
  /** Pixels; the rest below is cut off. */
  maxHeight: number
  overlay?: OverlayLayers | undefined
}

export interface EncodedScreenshot extends ImageColours {
  /** `undefined`: the only tile already is the finished image. */
  bytes: Uint8Array | undefined
  width: number
  height: number
}

/** Up to this size AVIF uses the higher effort: twice the time, two thirds of the bytes. */
const SMALL_AVIF_PIXELS = 4_500_000

/** Encodes a screenshot, unless the browser has already done so, and reads its colours. */
export async function encodeScreenshot(
  screenshot: ScreenshotTiles,
  options: EncodeScreenshotOptions,
): Promise<EncodedScreenshot> {
  const { tiles, isEncoded, crop } = screenshot
  const [onlyTile] = tiles
  if (isEncoded && !crop && !options.overlay && onlyTile && tiles.length === 1) {
    const { width, height } = await sharp(onlyTile, { limitInputPixels: MAX_PIXELS }).metadata()
    return { bytes: undefined, width, height, ...(await imageColours(onlyTile)) }
  }
  const { overlay, type } = options
  const joined = await joinTiles(screenshot, overlay ? undefined : options)
  const { image, width, height } = overlay ? await composeOverlay(joined, overlay) : joined
  const isSmall = width * height <= SMALL_AVIF_PIXELS
  const encoded = encoders[type](image, { ...options, isSmall })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  const colours = await imageColours(data)
  // An overlay is drawn around every page, regardless of what it shows.
  const pixels = overlay ? (await imageColours(screenshot.tiles[0]!)).pixels : colours.pixels
  return { bytes: data, width: info.width, height: info.height, ...colours, pixels }
}

const encoders: Record<ImageType, (image: Sharp, options: { quality: number; isSmall: boolean }) => Sharp> = {
  jpg: (image, { quality }) => image.flatten({ background: '#fff' }).jpeg({ quality }),
  png: (image) => image.png({ compressionLevel: 6 }),
  webp: (image, { quality }) => image.webp({ quality, effort: 1 }),
  avif: (image, { quality, isSmall }) => image.avif({ quality, effort: isSmall ? 1 : 0 }),
}
