import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { assembleScreenshot, type DecodedImage } from '../assemble-screenshot.js'
import type { OpenPage } from '../open-page.js'
import type { Size } from '../screenshot-geometry.js'
import type { RawScreenshot } from '../take-screenshot.js'
import { cutCorners } from './cut-corners.js'
import { displayHost } from './display-host.js'
import { drawWindow } from './draw-window.js'
import { readBackground, type Background, type FetchImage } from './read-background.js'
import { windowLayout, type WindowLayout } from './window-layout.js'

/** The `overlay` of a query. */
export interface OverlayParameters {
  readonly browser?: 'light' | 'dark'
  readonly background?: string
}

export interface PrepareOverlayOptions {
  /** A blank page to draw in. */
  page: OpenPage
  fetchImage: FetchImage
  signal: AbortSignal
}

/** The window and the background around a screenshot. */
export interface Overlay {
  /** Pixels that the overlay adds to a screenshot of that size. @param factor Pixels per CSS pixel. */
  addedSize(screenshot: Size, factor: number): Size
  /** @param factor Pixels of the screenshot per CSS pixel. */
  compose(
    screenshot: RawScreenshot,
    options: { factor: number; url: string; isTransparent: boolean },
  ): Promise<DecodedImage>
}

/** A larger image with an overlay is scaled down, because all of it is held in memory at once. */
export const MAX_OVERLAY_PIXELS = 64_000_000

/** @throws {PageError} `EINVALOVERLAYBG` */
export async function prepareOverlay(
  { browser: theme, background: backgroundText }: OverlayParameters,
  options: PrepareOverlayOptions,
): Promise<Overlay> {
  const background = backgroundText === undefined ? undefined : await readBackground(backgroundText, options)
  const hasWindow = theme !== undefined
  return {
    addedSize(screenshot, factor) {
      const { width, height } = windowLayout(screenshot, { factor, hasWindow })
      return { width: width - screenshot.width, height: height - screenshot.height }
    },
    async compose(raw, { factor, url, isTransparent }) {
      const screenshot = await assembleScreenshot(raw)
      const layout = windowLayout(screenshot, { factor, hasWindow })
      const window = await drawWindow(options.page, {
        layout,
        factor,
        background: background?.kind === 'css' ? background.value : undefined,
        isTransparent: isTransparent || background?.kind === 'image',
        window: theme && { theme, host: displayHost(url) },
      })
      const { left, top, radius } = layout
      const foreground = { ...(await cutCorners(screenshot, { radius, hasTitleBar: layout.barHeight > 0 })), left, top }
      const image = await composeLayers(foreground, { background, window, layout })
      return { image, width: layout.width, height: layout.height }
    },
  }
}

async function composeLayers(
  screenshot: OverlayOptions,
  { background, window, layout }: { background: Background | undefined; window: RawScreenshot; layout: WindowLayout },
): Promise<Sharp> {
  const { image } = await assembleScreenshot(window)
  if (background?.kind !== 'image') return image.composite([screenshot])
  const { width, height } = layout
  return sharp(background.bytes)
    .autoOrient()
    .resize({ width, height, fit: 'cover' })
    .composite([{ input: await image.png({ compressionLevel: 1 }).toBuffer(), limitInputPixels: false }, screenshot])
}
