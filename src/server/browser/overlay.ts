import { domainToUnicode } from 'node:url'
import { imageSize } from 'image-size'
import { errorCauses, hasLongHost, type HostList } from '../../query/help/index.js'
import { canParseUrl } from '../../query/written-url.js'
import { isPageError, PageError, type PageQuery } from '../../query/index.js'
import type { Images, OverlayLayers } from '../images/index.js'
import type { ExtractionScope } from '../request-scope.js'
import { buildWindow, isCssBackground, type DrawnWindow } from './in-page/page-scripts.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { takeScreenshot, type RawScreenshot, type Size } from './take-screenshot.js'

/** The `overlay` of a query. */
export interface OverlayParameters {
  readonly browser?: 'light' | 'dark'
  readonly background?: string
}

/** Fetches an image under the rules of the network guard, and from `allowedHosts` only when they are set. */
export type FetchImage = (url: string, signal: AbortSignal, allowedHosts?: HostList) => Promise<Uint8Array>

/** What an overlay is prepared with, and for whom. `allowedHosts` apply to the image in the background. */
export interface OverlayTools extends Pick<ExtractionScope, 'client' | 'waiters' | 'allowedHosts' | 'signal'> {
  /** A blank page, in which the browser validates colours and gradients, and draws the window. */
  page: OpenPage
  fetchImage: FetchImage
  images: Images
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

/** The overlay of a query; `undefined`: the screenshot has none. */
export function overlayOf({ overlay, screenshot }: PageQuery): OverlayParameters | undefined {
  const parameters = overlay ?? (typeof screenshot === 'object' ? screenshot.overlay : undefined)
  return parameters?.browser || parameters?.background ? parameters : undefined
}

/** @throws {PageError} as `readBackground` does. */
export async function prepareOverlay(
  { browser: theme, background: backgroundText }: OverlayParameters,
  tools: OverlayTools,
): Promise<Overlay> {
  const background = backgroundText === undefined ? undefined : await readBackground(backgroundText, tools)
  const hasWindow = theme !== undefined
  return {
    addedSize(screenshot, factor) {
      const { width, height } = windowLayout(screenshot, { factor, hasWindow })
      return { width: width - screenshot.width, height: height - screenshot.height }
    },
    async draw(raw, { factor, url, isTransparent }) {
      const layout = windowLayout(joinedSize(raw), { factor, hasWindow })
      const window = await drawWindow(tools.page, {
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

/** The background of an overlay. */
export type Background = { kind: 'css'; value: string } | { kind: 'image'; bytes: Uint8Array }

/** CSS functions that load nothing. */
const SAFE_FUNCTIONS =
  /^(?:(?:repeating-)?(?:linear|radial|conic)-gradient|rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|calc|min|max|clamp)$/i
const UNSAFE_CHARACTERS = /["'\\;{}@<>]|\/\*|!/
const GLOBAL_KEYWORDS = /^(?:inherit|initial|unset|revert|revert-layer)$/i

/**
 * Reads `overlay.background`: the URL of an image, plain or as `url(…)`, or a CSS background of colours and gradients.
 *
 * @throws  {PageError} `EINVALOVERLAYBG`, or the error of the service, such as `EBUSY`; an aborted `signal` throws its own reason.
 */
export async function readBackground(text: string, tools: OverlayTools): Promise<Background> {
  const value = text.trim()
  const url = imageUrl(value)
  if (url !== undefined) return { kind: 'image', bytes: await readImage(url, tools) }
  const isBackground = isSafe(value) && (await runInPage(tools.page, isCssBackground, value))
  if (!isBackground) throw invalidBackgroundError()
  return { kind: 'css', value }
}

/** The URL of an image, plain or as `url(…)`, with or without quotes. */
function imageUrl(value: string): string | undefined {
  if (/^https?:/i.test(value)) return value
  if (!/^url\(/i.test(value) || !value.endsWith(')')) return undefined
  const url = value.slice('url('.length, -1).trim()
  const [quote] = url
  const isQuoted = (quote === '"' || quote === "'") && url.length > 1 && url.endsWith(quote)
  return isQuoted ? url.slice(1, -1) : url
}

function isSafe(value: string): boolean {
  if (UNSAFE_CHARACTERS.test(value) || GLOBAL_KEYWORDS.test(value)) return false
  const functions = [...value.matchAll(/(?<![\w-])([\w-]*)\(/g)].map(([, name]) => name!)
  return functions.every((name) => name === '' || SAFE_FUNCTIONS.test(name))
}

async function readImage(url: string, tools: OverlayTools): Promise<Uint8Array> {
  const { fetchImage, images, client, waiters, allowedHosts, signal } = tools
  if (!isHttpUrl(url)) throw invalidBackgroundError()
  try {
    const bytes = await fetchImage(url, signal, allowedHosts)
    await images.measureImage(bytes, { client, waiters, signal })
    return bytes
  } catch (cause) {
    signal.throwIfAborted()
    if (isPageError(cause) && errorCauses[cause.code] === 'service') throw cause
    throw invalidBackgroundError(cause)
  }
}

const isHttpUrl = (url: string) => /^https?:\/\/[^/?#\\]/i.test(url) && !hasLongHost(url) && canParseUrl(url)

function invalidBackgroundError(cause?: unknown): PageError {
  const reason = 'is neither a colour, a gradient nor a reachable image'
  const detail = isPageError(cause) ? ` ${cause.message}` : ''
  return new PageError('EINVALOVERLAYBG', `overlay.background ${reason}.${detail}`, {
    data: { 'overlay.background': reason },
    cause,
  })
}

/** The positions of a screenshot and the browser window around it, in pixels of the finished image. */
interface WindowLayout {
  /** Size of the finished image. */
  width: number
  height: number
  /** Position of the screenshot in the finished image. */
  left: number
  top: number
  /** Height of the title bar above the screenshot; 0 without a window. */
  barHeight: number
  /** Radius of the corners. */
  radius: number
  /** Pixels per unit of the design, which is drawn for screenshots 1,120 CSS pixels wide. */
  unit: number
}

const DESIGN_WIDTH = 1_120
const PADDING_UNITS = 84
const BAR_UNITS = 46
const RADIUS_UNITS = 13
const [MIN_SCALE, MAX_SCALE] = [0.5, 1.3]

/**
 * @param screenshot  Its size in pixels.
 * @param factor      Pixels per CSS pixel.
 */
function windowLayout(
  { width, height }: Size,
  { factor, hasWindow }: { factor: number; hasWindow: boolean },
): WindowLayout {
  const unit = factor * Math.min(MAX_SCALE, Math.max(MIN_SCALE, width / factor / DESIGN_WIDTH))
  const padding = Math.round(PADDING_UNITS * unit)
  const barHeight = hasWindow ? Math.round(BAR_UNITS * unit) : 0
  return {
    width: width + 2 * padding,
    height: height + barHeight + 2 * padding,
    left: padding,
    top: padding + barHeight,
    barHeight,
    radius: Math.round(RADIUS_UNITS * unit),
    unit,
  }
}

/** The title bar is designed for a height of 46 units and any width; its text is HTML, so that it can be truncated. */
const WINDOW_STYLES = `
  .light { --bar: #f0f0f2; --line: #dcdce1; --pill: #fff; --edge: #e3e3e8; --text: #3f3f46; --ring: #0000001f }
  .dark { --bar: #1d1e24; --line: #2d2e35; --pill: #101116; --edge: #2a2b32; --text: #b9bac2; --ring: #ffffff1a }
  .window { position: absolute; border-radius: calc(13 * var(--unit));
    box-shadow: 0 0 0 max(1px, calc(1 * var(--unit))) var(--ring, #00000014),
      0 calc(10 * var(--unit)) calc(24 * var(--unit)) #00000029, 0 calc(26 * var(--unit)) calc(64 * var(--unit)) #00000042 }
  .bar { height: var(--bar-height); overflow: hidden; position: relative; display: flex; align-items: center; justify-content: center;
    border-radius: calc(13 * var(--unit)) calc(13 * var(--unit)) 0 0; background: var(--bar);
    box-shadow: inset 0 calc(-1 * max(1px, 1 * var(--unit))) var(--line) }
  svg { position: absolute; left: 0; top: 0; height: 100%; aspect-ratio: 100 / 46 }
  .host { box-sizing: border-box; min-width: 38%; max-width: calc(100% - 200 * var(--unit)); height: calc(29 * var(--unit));
    padding: 0 calc(18 * var(--unit)); border: max(1px, calc(1 * var(--unit))) solid var(--edge); border-radius: calc(8 * var(--unit));
    background: var(--pill); color: var(--text); font: calc(15 * var(--unit)) / calc(27 * var(--unit)) system-ui, 'Segoe UI', Roboto,
    'Helvetica Neue', 'Liberation Sans', Arial, sans-serif; text-align: center; white-space: nowrap; overflow: hidden;
    text-overflow: ellipsis; direction: ltr }`
const WINDOW_BUTTONS = `<svg viewBox="0 0 100 46"><circle cx="24.5" cy="23" r="6.5" fill="#ff5f57"/><circle cx="46.5" cy="23" r="6.5" fill="#febc2e"/><circle cx="68.5" cy="23" r="6.5" fill="#28c840"/></svg>`

/** The window may be larger. */
const VIEWPORT = { width: 800, height: 600 }

/** Draws everything but the screenshot in a blank page: background, shadow and window. */
async function drawWindow(
  page: OpenPage,
  {
    layout,
    background,
    window,
    factor,
    isTransparent,
  }: Pick<DrawnWindow, 'background' | 'window' | 'factor'> & { layout: WindowLayout; isTransparent: boolean },
): Promise<RawScreenshot> {
  const { session } = page
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      ...VIEWPORT,
      deviceScaleFactor: 1,
      mobile: false,
    }),
    isTransparent && session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }),
    runInPage(page, buildWindow, {
      layout,
      background,
      window,
      factor,
      styles: WINDOW_STYLES,
      buttons: WINDOW_BUTTONS,
    }),
  ])
  const { width, height } = layout
  return takeScreenshot(page, {
    box: { x: 0, y: 0, width, height },
    viewport: VIEWPORT,
    deviceScaleFactor: 1,
    type: 'png',
    quality: 100,
    limits: { maxSide: Infinity },
  })
}

/** The host of a URL as a browser displays it: in Unicode and without `www.`; the port only if it is not the default. */
function displayHost(url: string): string {
  const { hostname, port } = new URL(url)
  const name = (domainToUnicode(hostname) || hostname).replace(/^www\./, '')
  return port ? `${name}:${port}` : name
}
