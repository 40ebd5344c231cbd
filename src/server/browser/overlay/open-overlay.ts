import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { assemblePicture, type AssembledPicture } from '../assemble-picture.js'
import type { OpenPage } from '../open-page.js'
import type { RawPicture } from '../take-picture.js'
import { readBackground, type Background, type FetchImage } from './background.js'
import { drawFrame } from './draw-frame.js'
import { frameAround, hostOf, type Frame } from './frame.js'

/** The query's `overlay`. */
export interface OverlayParameters {
  readonly browser?: 'light' | 'dark'
  readonly background?: string
}

export interface OpenOverlayOptions {
  /** A blank page of its own to draw in. */
  page: OpenPage
  fetchImage: FetchImage
  signal: AbortSignal
}

/** What is put around a capture. */
export interface Overlay {
  /** @returns Pixels that are added to a capture of that many pixels. */
  around(capture: { width: number; height: number }, factor: number): { width: number; height: number }
  /** @param factor Pixels of the capture per CSS pixel. */
  compose(
    capture: RawPicture,
    options: { factor: number; url: string; isTransparent: boolean },
  ): Promise<AssembledPicture>
}

/** Above, a picture with an overlay is made smaller: all of it is held in memory at once. */
export const MAX_OVERLAY_PIXELS = 64_000_000

/** @throws {PageError} `EINVALOVERLAYBG` */
export async function openOverlay(words: OverlayParameters, options: OpenOverlayOptions): Promise<Overlay> {
  const { browser: theme, background: text } = words
  const { page } = options
  const background = text === undefined ? undefined : await readBackground(text, options)
  const hasWindow = theme !== undefined
  return {
    around(capture, factor) {
      const { width, height } = frameAround(capture, { factor, hasWindow })
      return { width: width - capture.width, height: height - capture.height }
    },
    async compose(raw, { factor, url, isTransparent }) {
      const capture = await assemblePicture(raw)
      const frame = frameAround(capture, { factor, hasWindow })
      const drawn = await drawFrame(page, {
        frame,
        factor,
        background: background?.kind === 'css' ? background.value : undefined,
        isTransparent: isTransparent || background?.kind === 'image',
        window: theme && { theme, host: hostOf(url) },
      })
      const layers = [{ ...(await withoutCorners(capture, frame)), left: frame.left, top: frame.top }]
      return { image: await putBelow(layers, { background, drawn, frame }), width: frame.width, height: frame.height }
    },
  }
}

async function putBelow(
  layers: OverlayOptions[],
  { background, drawn, frame }: { background: Background | undefined; drawn: RawPicture; frame: Frame },
): Promise<Sharp> {
  const { image } = await assemblePicture(drawn)
  if (background?.kind !== 'image') return image.composite(layers)
  const { width, height } = frame
  return sharp(background.bytes)
    .autoOrient()
    .resize({ width, height, fit: 'cover' })
    .composite([{ input: await image.png({ compressionLevel: 1 }).toBuffer(), limitInputPixels: false }, ...layers])
}

/** Takes the corners off a capture; below a title bar only the lower ones. */
async function withoutCorners(
  { image, width, height }: AssembledPicture,
  { bar, radius }: Frame,
): Promise<OverlayOptions> {
  const side = Math.min(radius, Math.floor(width / 2), Math.floor(height / 2))
  const corners = [
    { left: 0, top: 0, centre: [side, side] },
    { left: width - side, top: 0, centre: [0, side] },
    { left: 0, top: height - side, centre: [side, 0] },
    { left: width - side, top: height - side, centre: [0, 0] },
  ]
  const cuts = corners.slice(bar ? 2 : 0).map(({ left, top, centre: [x, y] }) => ({
    input: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><mask id="m"><rect width="100%" height="100%" fill="#fff"/><circle cx="${x}" cy="${y}" r="${side}"/></mask><rect width="100%" height="100%" mask="url(#m)"/></svg>`,
    ),
    left,
    top,
    blend: 'dest-out' as const,
  }))
  const { data, info } = await image
    .ensureAlpha()
    .composite(side > 0 ? cuts : [])
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } }
}
