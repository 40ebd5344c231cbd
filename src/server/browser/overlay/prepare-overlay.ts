import { imageSize } from 'image-size'
import type { Images, OverlayLayers } from '../../images/index.js'
import type { OpenPage } from '../open-page.js'
import type { Size } from '../screenshot-geometry.js'
import type { RawScreenshot } from '../take-screenshot.js'
import { displayHost } from './display-host.js'
import { drawWindow } from './draw-window.js'
import { readBackground, type FetchImage } from './read-background.js'
import { windowLayout } from './window-layout.js'

/** The `overlay` of a query. */
export interface OverlayParameters {
  readonly browser?: 'light' | 'dark'
  readonly background?: string
}

export interface PrepareOverlayOptions {
  /** A blank page to draw in. */
  page: OpenPage
  fetchImage: FetchImage
  images: Images
  signal: AbortSignal
}

/** The window and the background around a screenshot. */
export interface Overlay {
  /** Pixels that the overlay adds to a screenshot of that size. @param factor Pixels per CSS pixel. */
  addedSize(screenshot: Size, factor: number): Size
  /** Draws the window and the background around a screenshot. @param factor Pixels of the screenshot per CSS pixel. */
  draw(
    screenshot: RawScreenshot,
    options: { factor: number; url: string; isTransparent: boolean },
  ): Promise<OverlayLayers>
}

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
    async draw(raw, { factor, url, isTransparent }) {
      const layout = windowLayout(joinedSize(raw), { factor, hasWindow })
      const window = await drawWindow(options.page, {
        layout,
        factor,
        background: background?.kind === 'css' ? background.value : undefined,
        isTransparent: isTransparent || background?.kind === 'image',
        window: theme && { theme, host: displayHost(url) },
      })
      return { window, layout, background: background?.kind === 'image' ? background.bytes : undefined }
    },
  }
}

/** The size of a screenshot whose tiles have not been joined yet. */
function joinedSize({ tiles, crop }: RawScreenshot): Size {
  if (crop) return crop
  const sizes = tiles.map((tile) => imageSize(tile))
  return { width: sizes[0]!.width, height: sizes.reduce((sum, { height }) => sum + height, 0) }
}
