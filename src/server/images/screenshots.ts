import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { imageColours, type ImageColours } from './colours.js'
import { MAX_IMAGE_PIXELS, SMALL_AVIF_PIXELS, type ImageType } from './image-formats.js'

/** What the browser rendered: one image, or several tiles from top to bottom. */
export interface ScreenshotTiles {
  tiles: readonly Uint8Array[]
  /** Whether the tiles already have the requested type and quality. */
  isEncoded: boolean
  /** The part of the only tile that belongs to the screenshot, in pixels; `undefined`: all of it. */
  crop: { left: number; top: number; width: number; height: number } | undefined
}

/** The layers around a screenshot. */
export interface OverlayLayers {
  /** Everything but the screenshot, in the size of the finished image. */
  window: ScreenshotTiles
  /** An image behind the window; `undefined`: the window has its background. */
  background: Uint8Array | undefined
  /** Pixels of the finished image. */
  layout: { width: number; height: number; left: number; top: number; barHeight: number; radius: number }
}

export interface ScreenshotEncoding {
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

/** A decoded image that has yet to be encoded. */
interface DecodedImage {
  image: Sharp
  width: number
  height: number
}

const LIMITS = { limitInputPixels: MAX_IMAGE_PIXELS }
/** Joining pads the last tile, which has at most a quarter of the pixels. */
const JOIN_LIMITS = { limitInputPixels: MAX_IMAGE_PIXELS * 1.25 }

/** Encodes a screenshot, unless the browser has already done so, and reads its colours. */
export async function encodeScreenshot(
  screenshot: ScreenshotTiles,
  encoding: ScreenshotEncoding,
): Promise<EncodedScreenshot> {
  const { tiles, isEncoded, crop } = screenshot
  const { overlay, type, quality, maxHeight } = encoding
  const [onlyTile] = tiles
  if (isEncoded && !crop && !overlay && onlyTile && tiles.length === 1) {
    const { width, height } = await sharp(onlyTile, LIMITS).metadata()
    return { bytes: undefined, width, height, ...(await imageColours(onlyTile)) }
  }
  const joined = await joinTiles(screenshot, overlay ? Infinity : maxHeight)
  const { image, width, height } = overlay ? await composeOverlay(joined, overlay) : joined
  const isSmall = width * height <= SMALL_AVIF_PIXELS
  const encoded = encoders[type](image, { quality, isSmall })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true }).catch((error: unknown) => {
    throw isTooDetailed(error) ? new RangeError(TOO_DETAILED, { cause: error }) : error
  })
  const colours = await imageColours(data)
  // An overlay is drawn around every page, regardless of what it shows.
  const pixels = overlay ? (await imageColours(tiles[0]!)).pixels : colours.pixels
  return { bytes: data, width: info.width, height: info.height, ...colours, pixels }
}

const TOO_DETAILED =
  'The screenshot has too much detail for WebP. Lower screenshot.quality, use another type, or capture a smaller part of the page.'

/**
 * A part of a WebP file has at most 16 MB, which noise of 30 megapixels exceeds. The message is all that libvips says.
 *
 * @see  https://www.rfc-editor.org/rfc/rfc6386#section-9.5
 */
const isTooDetailed = (error: unknown) => error instanceof Error && error.message.includes('webpsave: unable to encode')

const encoders: Record<ImageType, (image: Sharp, options: { quality: number; isSmall: boolean }) => Sharp> = {
  jpg: (image, { quality }) => image.flatten({ background: '#fff' }).jpeg({ quality }),
  png: (image) => image.png({ compressionLevel: 6 }),
  webp: (image, { quality }) => image.webp({ quality, effort: 1 }),
  avif: (image, { quality, isSmall }) => image.avif({ quality, effort: isSmall ? 1 : 0 }),
}

/** Joins the tiles of a screenshot and crops it. @param maxHeight Pixels; the rest below is cut off. */
async function joinTiles({ tiles, crop }: ScreenshotTiles, maxHeight: number): Promise<DecodedImage> {
  const first = await sharp(tiles[0], LIMITS).metadata()
  const isTiled = tiles.length > 1
  const area = isTiled ? await tiledArea(tiles, { ...first, maxHeight }) : crop
  const image = isTiled ? sharp([...tiles], { ...JOIN_LIMITS, join: { across: 1 } }) : sharp(tiles[0], LIMITS)
  const { width, height } = area ?? first
  return { image: area ? image.extract(area) : image, width, height }
}

/** Joining pads the last tile to the height of the others; the padding is not part of the area. */
async function tiledArea(
  tiles: readonly Uint8Array[],
  { width, height, maxHeight }: { width: number; height: number; maxHeight: number },
) {
  const last = await sharp(tiles.at(-1), LIMITS).metadata()
  return { left: 0, top: 0, width, height: Math.min(maxHeight, height * (tiles.length - 1) + last.height) }
}

async function composeOverlay(
  screenshot: DecodedImage,
  { window, background, layout }: OverlayLayers,
): Promise<DecodedImage> {
  const { width, height, left, top, radius, barHeight } = layout
  const foreground = { ...(await cutCorners(screenshot, { radius, hasTitleBar: barHeight > 0 })), left, top }
  const { image } = await joinTiles(window, Infinity)
  if (!background) return { image: image.composite([foreground]), width, height }
  const frame = { input: await image.png({ compressionLevel: 1 }).toBuffer(), ...LIMITS }
  const backdrop = sharp(background, LIMITS).autoOrient().resize({ width, height, fit: 'cover' })
  return { image: backdrop.composite([frame, foreground]), width, height }
}

/** Rounds the corners of an image with transparency: all four, or the lower two below a title bar. */
async function cutCorners(
  { image, width, height }: DecodedImage,
  { radius, hasTitleBar }: { radius: number; hasTitleBar: boolean },
): Promise<OverlayOptions> {
  const side = Math.min(radius, Math.floor(width / 2), Math.floor(height / 2))
  const lower = [
    { left: 0, top: height - side, centre: { x: side, y: 0 } },
    { left: width - side, top: height - side, centre: { x: 0, y: 0 } },
  ]
  const upper = [
    { left: 0, top: 0, centre: { x: side, y: side } },
    { left: width - side, top: 0, centre: { x: 0, y: side } },
  ]
  const masks = [...(hasTitleBar ? [] : upper), ...lower].map(({ left, top, centre }) => ({
    input: cornerMask(side, centre),
    raw: { width: side, height: side, channels: 4 as const },
    left,
    top,
    blend: 'dest-out' as const,
  }))
  const { data, info } = await image
    .ensureAlpha()
    .composite(side > 0 ? masks : [])
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } }
}

/** RGBA of a square without the quarter of a circle; its alpha is the share of each pixel outside of the circle. */
function cornerMask(side: number, centre: { x: number; y: number }): Buffer {
  const mask = Buffer.alloc(side * side * 4)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const distance = Math.hypot(x + 0.5 - centre.x, y + 0.5 - centre.y)
      const share = Math.min(1, Math.max(0, distance - side + 0.5))
      mask[(y * side + x) * 4 + 3] = Math.round(share * 255)
    }
  return mask
}
