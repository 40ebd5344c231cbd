import { PageError } from '../../query/index.js'
import type { ImageType, ScreenshotTiles } from '../images/index.js'
import type { OpenPage } from './open-page.js'

/** CSS pixels, from the top left corner of the document. */
export interface Box extends Size {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

/** What the browser rendered; tiles that are not encoded are PNG. */
export interface RawScreenshot extends ScreenshotTiles {
  /** How much it was scaled down to keep the limits, 0..1. */
  scale: number
}

interface TakeScreenshotOptions {
  /** `undefined`: the content of the viewport. */
  box: Box | undefined
  /** CSS pixels. */
  viewport: Size
  deviceScaleFactor: number
  /** Encoded by the browser if it supports that type; PNG otherwise. */
  type: ImageType
  /** 1..100. */
  quality: number
  /** Limits of the finished image, in pixels; a screenshot that would exceed them is scaled down. */
  limits: {
    maxSide: number
    maxPixels?: number
    /** What an overlay will add. */
    overlay?: Size | undefined
  }
}

type Encoding = Pick<TakeScreenshotOptions, 'type' | 'quality'>
type ChromiumFormat = { format: 'jpeg' | 'webp' | 'png'; quality?: number; optimizeForSpeed?: boolean }

/** Pixels of the captured area, before it is scaled down to the limits of an image. */
const MAX_AREA_PIXELS = 300_000_000
/** Above it Chromium renders wrong content, or returns 0 bytes without an error. */
const MAX_SINGLE_SIDE = 16_000
/** Chromium holds a message in memory several times; noise takes 3 bytes per pixel. */
const MAX_SINGLE_PIXELS = { lossy: 24_000_000, highQuality: 16_000_000, png: 10_000_000 }
/** Each tile takes Chromium about 0.2 seconds more. */
const TILE_PIXELS = 8_000_000
/** The quality from which lossy formats take up to 2 bytes per pixel instead of 1. */
const HIGH_QUALITY = 86
/** Used if a larger tile has too many bytes: noise has more than 2 per pixel. */
const SMALL_TILE_PIXELS = 3_000_000
const MAX_TILE_BYTES = 2 * TILE_PIXELS
/** All tiles of a screenshot are in memory at the same time; few pages have two thirds of it. */
const MAX_TOTAL_TILE_BYTES = 48_000_000
/** How much smaller a screenshot becomes at least, when its tiles have too many bytes. */
const MAX_RESCALE = 0.9
/** An edge this close to a whole pixel counts as whole. */
const TOLERANCE_PX = 0.01
/** The fastest PNG compression takes a third of the time, and the image is encoded again anyway. */
const FAST_PNG: ChromiumFormat = { format: 'png', optimizeForSpeed: true }

/** @throws {PageError} `ETOOLARGE`; {Error} when the browser fails to render, which may succeed in another context. */
export async function takeScreenshot(page: OpenPage, options: TakeScreenshotOptions): Promise<RawScreenshot> {
  const { box, viewport, deviceScaleFactor, limits } = options
  const size = screenshotSize(box ?? { x: 0, y: 0, ...viewport }, deviceScaleFactor)
  if (size.width * size.height > MAX_AREA_PIXELS) throw tooLargeError(size)

  const scale = scaleToFit(size, limits)
  const isSingle = fitsSingleImage(size, { ...options, scale })
  if (!box && isSingle && scale === 1) return takeSingle(page, undefined, options)

  const inView = { ...(await viewportOrigin(page)), ...viewport }
  const area = box ?? inView
  if (!isSingle || scale < 1) return takeTiles(page, roundOutward(area), { scale, deviceScaleFactor })
  const isBeyond = !contains(inView, roundOutward(area))
  if (hasWholeEdges(area)) return takeSingle(page, roundOutward(area), { ...options, isBeyond })
  return takeAndCrop(page, area, { size, deviceScaleFactor, isBeyond })
}

function fitsSingleImage({ width, height }: Size, { scale, type, quality }: Encoding & { scale: number }): boolean {
  const lossy = quality < HIGH_QUALITY ? 'lossy' : 'highQuality'
  const maxPixels = MAX_SINGLE_PIXELS[isEncodedByBrowser(type) ? lossy : 'png']
  return Math.max(width, height) * scale <= MAX_SINGLE_SIDE && width * height * scale ** 2 <= maxPixels
}

const isEncodedByBrowser = (type: ImageType) => type === 'jpg' || type === 'webp'

export async function documentBox({ session }: Pick<OpenPage, 'session'>): Promise<Box> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return cssContentSize
}

/**
 * The top left corner of the viewport in the document, which begins at its left edge even if it scrolls to the left, as in Arabic:
 * `scrollX` is negative then.
 */
export async function viewportOrigin({ session }: Pick<OpenPage, 'session'>): Promise<{ x: number; y: number }> {
  const { cssLayoutViewport, cssVisualViewport } = await session.send('Page.getLayoutMetrics')
  return {
    x: cssLayoutViewport.pageX + cssVisualViewport.offsetX,
    y: cssLayoutViewport.pageY + cssVisualViewport.offsetY,
  }
}

/** The viewport in the document. It is larger than a mobile device if the page is wider than that. */
export async function viewportBox({ session }: Pick<OpenPage, 'session'>): Promise<Box> {
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics')
  const { clientWidth, clientHeight } = cssLayoutViewport
  return { ...(await viewportOrigin({ session })), width: clientWidth, height: clientHeight }
}

async function takeSingle(
  page: OpenPage,
  area: Box | undefined,
  { type, quality, isBeyond }: Encoding & { isBeyond?: boolean },
): Promise<RawScreenshot> {
  const isEncoded = isEncodedByBrowser(type)
  const format: ChromiumFormat = isEncoded ? { format: type === 'jpg' ? 'jpeg' : 'webp', quality } : FAST_PNG
  return { tiles: [await takeImage(page, format, area, { isBeyond })], isEncoded, scale: 1, crop: undefined }
}

/** Chromium's screenshots begin and end at whole CSS pixels, so the fractions are cropped afterwards. */
async function takeAndCrop(
  page: OpenPage,
  area: Box,
  { size, deviceScaleFactor, isBeyond }: { size: Size; deviceScaleFactor: number; isBeyond: boolean },
): Promise<RawScreenshot> {
  const outer = roundOutward(area)
  const left = devicePixels(outer.x, area.x, deviceScaleFactor)
  const top = devicePixels(outer.y, area.y, deviceScaleFactor)
  const tile = await takeImage(page, FAST_PNG, outer, { isBeyond })
  return { tiles: [tile], isEncoded: false, scale: 1, crop: { left, top, ...size } }
}

interface TileOptions {
  scale: number
  deviceScaleFactor: number
  /** Pixels of one tile; all but the last have the same height. */
  tilePixels?: number
}

/** When a tile or all of them have too many bytes, all are taken again: in smaller tiles, or scaled down. */
async function takeTiles(page: OpenPage, area: Box, options: TileOptions): Promise<RawScreenshot> {
  const { scale, deviceScaleFactor, tilePixels = TILE_PIXELS } = options
  const { tiles, totalBytes } = await takeTilesWithin(page, area, { scale, deviceScaleFactor, tilePixels })
  if (tiles.length > 0) return { tiles, isEncoded: false, scale, crop: undefined }
  const rescale = totalBytes > MAX_TOTAL_TILE_BYTES ? Math.sqrt(MAX_TOTAL_TILE_BYTES / totalBytes) * MAX_RESCALE : 1
  return takeTiles(page, area, { scale: scale * rescale, deviceScaleFactor, tilePixels: SMALL_TILE_PIXELS })
}

/** @returns All tiles, or none when they or one of them would exceed its limit; then `totalBytes` is an estimate. */
async function takeTilesWithin(
  page: OpenPage,
  area: Box,
  { scale, deviceScaleFactor, tilePixels }: Required<TileOptions>,
): Promise<{ tiles: Buffer[]; totalBytes: number }> {
  const factor = scale * deviceScaleFactor
  const cssPixels = tilePixels / factor ** 2
  const tileHeight = Math.max(1, Math.floor(Math.min(cssPixels / area.width, MAX_SINGLE_SIDE / factor)))
  const tiles: Buffer[] = []
  let bytes = 0
  for (let top = 0; top < area.height; top += tileHeight) {
    const tile = { ...area, y: area.y + top, height: Math.min(tileHeight, area.height - top) }
    const image = await takeImage(page, FAST_PNG, tile, { scale })
    tiles.push(image)
    bytes += image.length
    const isTooLarge = image.length > MAX_TILE_BYTES && tilePixels > SMALL_TILE_PIXELS
    if (isTooLarge || bytes > MAX_TOTAL_TILE_BYTES)
      return { tiles: [], totalBytes: (bytes * area.height) / (top + tile.height) }
  }
  return { tiles, totalBytes: bytes }
}

/**
 * @param isBeyond  Whether the area reaches beyond the viewport. Chromium makes the viewport as large as the page then, and what observes
 *                  its place in the viewport, such as what moves in when it is in sight, starts again.
 */
async function takeImage(
  page: OpenPage,
  format: ChromiumFormat,
  area: Box | undefined,
  { scale = 1, isBeyond = true }: { scale?: number; isBeyond?: boolean | undefined } = {},
): Promise<Buffer> {
  const clip = area && { clip: { ...area, scale }, captureBeyondViewport: isBeyond }
  const image = await page.captureScreenshot({ ...format, ...clip })
  if (image.length === 0) throw new Error('The browser returned an empty screenshot.')
  return image
}

function tooLargeError({ width, height }: Size): PageError {
  return new PageError(
    'ETOOLARGE',
    `The screenshot would have ${width} × ${height} pixels; the limit is ${MAX_AREA_PIXELS / 1e6} million. Capture an element, or use a smaller viewport.`,
  )
}

/** The size of a box in device pixels, with its edges where Chromium paints them. */
export const screenshotSize = ({ x, y, width, height }: Box, deviceScaleFactor: number): Size => ({
  width: Math.max(1, devicePixels(x, x + width, deviceScaleFactor)),
  height: Math.max(1, devicePixels(y, y + height, deviceScaleFactor)),
})

/** Device pixels between two edges in CSS pixels. */
const devicePixels = (from: number, to: number, deviceScaleFactor: number): number =>
  Math.round(to * deviceScaleFactor) - Math.round(from * deviceScaleFactor)

/** 0..1: how much a screenshot must be scaled down for the finished image to keep the limits. */
function scaleToFit(
  { width, height }: Size,
  { maxSide, maxPixels = Infinity, overlay = { width: 0, height: 0 } }: TakeScreenshotOptions['limits'],
): number {
  const [totalWidth, totalHeight] = [width + overlay.width, height + overlay.height]
  return Math.min(1, maxSide / totalWidth, maxSide / totalHeight, Math.sqrt(maxPixels / (totalWidth * totalHeight)))
}

/** The part of a box that lies in another; a side of 0 or less when there is none. */
export function intersection(box: Box, other: Box): Box {
  const [x, y] = [Math.max(box.x, other.x), Math.max(box.y, other.y)]
  return {
    x,
    y,
    width: Math.min(box.x + box.width, other.x + other.width) - x,
    height: Math.min(box.y + box.height, other.y + other.height) - y,
  }
}

const contains = (outer: Box, box: Box): boolean => {
  const { width, height } = intersection(box, outer)
  return width >= box.width && height >= box.height
}

/** The smallest box of whole CSS pixels that contains another. */
function roundOutward({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x + TOLERANCE_PX), Math.floor(y + TOLERANCE_PX)]
  return {
    x: left,
    y: top,
    width: Math.ceil(x + width - TOLERANCE_PX) - left,
    height: Math.ceil(y + height - TOLERANCE_PX) - top,
  }
}

/** Whether all edges of a box lie on whole CSS pixels. */
const hasWholeEdges = ({ x, y, width, height }: Box): boolean =>
  [x, y, x + width, y + height].every((edge) => Math.abs(edge - Math.round(edge)) < TOLERANCE_PX)
