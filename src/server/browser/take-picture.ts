import { PageError } from '../../query/index.js'
import type { ImageType } from './capture.js'
import type { Box } from './element-box.js'
import type { OpenPage } from './open-page.js'

/** What the browser drew: one picture, or several to be put below each other. */
export interface RawPicture {
  /** In the wanted type (`isEncoded`), or PNG. */
  tiles: Buffer[]
  isEncoded: boolean
  /** How much smaller than the page itself it was made to fit, 0..1. */
  scale: number
  /** Device pixels to keep of the one tile. */
  crop: { left: number; top: number; width: number; height: number } | undefined
}

export interface TakePictureOptions {
  /** `undefined`: what the viewport shows. */
  box: Box | undefined
  /** CSS pixels. */
  viewport: { width: number; height: number }
  deviceScaleFactor: number
  /** To be drawn, if the browser can; PNG otherwise. */
  type: ImageType
  /** 1..100. */
  quality: number
  limits: PictureLimits
}

/** What a picture must fit into; one that would not is made smaller. */
export interface PictureLimits {
  /** Pixels. */
  maxSide: number
  maxPixels?: number
  /** Pixels that will be put around it. */
  around?: { width: number; height: number }
}

const MAX_PIXELS = 300_000_000
/** Above, Chromium draws the wrong thing, or gives 0 bytes without an error. */
const MAX_DIRECT_SIDE = 16_000
const MAX_DIRECT_PIXELS = 40_000_000
const TILE_PIXELS = 16_000_000

/** @throws {PageError} `ETOOLARGE`; {Error} when the browser fails to draw, which another context may not. */
export async function takePicture(page: OpenPage, options: TakePictureOptions): Promise<RawPicture> {
  const { box, viewport, deviceScaleFactor: factor, type, quality, limits } = options
  const { width, height } = pictureSize(box ?? { x: 0, y: 0, ...viewport }, factor)
  if (width * height > MAX_PIXELS) throw tooLarge(width, height)

  const scale = scaleToFit({ width, height }, limits)
  const isDirect =
    Math.max(width, height) * scale <= MAX_DIRECT_SIDE && width * height * scale ** 2 <= MAX_DIRECT_PIXELS
  if (!box && isDirect && scale === 1) return drawDirectly(page, undefined, { type, quality })

  const area = box ?? { ...(await scrolledTo(page)), ...viewport }
  const whole = outward(area)
  // Chromium takes whole CSS pixels only; what is finer is cut off afterwards.
  const isWhole = [area.x, area.y, area.x + area.width, area.y + area.height].every((edge) =>
    isSame(edge, Math.round(edge)),
  )
  if (!isDirect || scale < 1) return drawInTiles(page, whole, { scale, factor })
  if (isWhole) return drawDirectly(page, whole, { type, quality })
  const [left, top] = [snap(area.x, whole.x, factor), snap(area.y, whole.y, factor)]
  return {
    tiles: [await draw(page, { format: 'png', optimizeForSpeed: true }, whole)],
    isEncoded: false,
    scale,
    crop: { left, top, width, height },
  }
}

/** Device pixels, the edges where Chromium paints them. */
export const pictureSize = ({ x, y, width, height }: Box, factor: number) => ({
  width: Math.max(1, Math.round((x + width) * factor) - Math.round(x * factor)),
  height: Math.max(1, Math.round((y + height) * factor) - Math.round(y * factor)),
})
const snap = (edge: number, from: number, factor: number) => Math.round(edge * factor) - Math.round(from * factor)
const isSame = (a: number, b: number) => Math.abs(a - b) < 0.01

function scaleToFit(
  { width, height }: { width: number; height: number },
  { maxSide, maxPixels = Infinity, around = { width: 0, height: 0 } }: PictureLimits,
): number {
  const [wholeWidth, wholeHeight] = [width + around.width, height + around.height]
  return Math.min(1, maxSide / wholeWidth, maxSide / wholeHeight, Math.sqrt(maxPixels / (wholeWidth * wholeHeight)))
}

function outward({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x + 0.01), Math.floor(y + 0.01)]
  return { x: left, y: top, width: Math.ceil(x + width - 0.01) - left, height: Math.ceil(y + height - 0.01) - top }
}

async function scrolledTo({ session }: OpenPage): Promise<{ x: number; y: number }> {
  const { cssVisualViewport } = await session.send('Page.getLayoutMetrics')
  return { x: cssVisualViewport.pageX, y: cssVisualViewport.pageY }
}

async function drawDirectly(
  page: OpenPage,
  area: Box | undefined,
  { type, quality }: { type: ImageType; quality: number },
): Promise<RawPicture> {
  const isEncoded = type === 'jpg' || type === 'webp'
  const format = type === 'jpg' ? 'jpeg' : type === 'webp' ? 'webp' : 'png'
  // PNG at its fastest is a third of the time, and is encoded again anyway.
  const tile = await draw(page, isEncoded ? { format, quality } : { format, optimizeForSpeed: true }, area)
  return { tiles: [tile], isEncoded, scale: 1, crop: undefined }
}

async function drawInTiles(
  page: OpenPage,
  area: Box,
  { scale, factor }: { scale: number; factor: number },
): Promise<RawPicture> {
  const cssPixels = TILE_PIXELS / (scale * factor) ** 2
  const step = Math.max(1, Math.floor(Math.min(cssPixels / area.width, MAX_DIRECT_SIDE / (scale * factor))))
  const tiles: Buffer[] = []
  for (let top = 0; top < area.height; top += step) {
    const tile = { ...area, y: area.y + top, height: Math.min(step, area.height - top) }
    tiles.push(await draw(page, { format: 'png', optimizeForSpeed: true }, tile, scale))
  }
  return { tiles, isEncoded: false, scale, crop: undefined }
}

async function draw(
  { session }: OpenPage,
  format: { format: 'jpeg' | 'webp' | 'png'; quality?: number; optimizeForSpeed?: boolean },
  area: Box | undefined,
  scale = 1,
): Promise<Buffer> {
  const clip = area && { clip: { ...area, scale }, captureBeyondViewport: true }
  const { data } = await session.send('Page.captureScreenshot', { ...format, ...clip })
  if (!data) throw new Error('The browser gave an empty picture.')
  return Buffer.from(data, 'base64')
}

function tooLarge(width: number, height: number): PageError {
  return new PageError(
    'ETOOLARGE',
    `The picture would have ${width} × ${height} pixels; ${MAX_PIXELS / 1e6} million are possible. Ask for an element, or a smaller viewport.`,
  )
}
