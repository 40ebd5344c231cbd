import type { PageQuery } from '../../query/index.js'
import type { AdBlocker } from './ads/ad-blocker.js'
import type { Capture, ImageType } from './capture.js'
import type { CaptureClock } from './capture-clock.js'
import type { Device } from './devices.js'
import { elementBox, type Box } from './element-box.js'
import { encodeAssembled, encodePicture, MAX_SIDE } from './encode-picture.js'
import type { Explainer } from './explain-failure.js'
import { finishAnimations } from './finish-animations.js'
import { loadLazyContent } from './load-lazy-content.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { MAX_OVERLAY_PIXELS, type Overlay } from './overlay/open-overlay.js'
import { imageColours } from './image-colours.js'
import { renderedHtml } from './rendered-html.js'
import { pictureSize, takePicture } from './take-picture.js'
import { assertShown, visitPage } from './visit-page.js'

export interface CapturePageOptions {
  query: PageQuery
  device: Device
  /** For desktop devices. */
  userAgent: string
  guard: Explainer
  /** Absent with `adblock=false`. */
  adBlocker: AdBlocker | undefined
  /** Being opened; its failure ends the capture. */
  overlay: Promise<Overlay> | undefined
  /** Asked once the page is there: whether its document is wanted too. */
  wantsHtml: () => boolean
  clock: CaptureClock
  signal: AbortSignal
  /** Called when the page is there, and will mostly be waited for. */
  onceThere: () => void
}

/**
 * Takes the picture that a query asks for, in a fresh page.
 *
 * @throws  {PageError} what is wrong with the page or the query; any other error is the browser's, and a new context may help.
 */
export async function capturePage(page: OpenPage, options: CapturePageOptions): Promise<Omit<Capture, 'timings'>> {
  const { query, device, guard, clock, signal, wantsHtml } = options
  const wanted = typeof query.screenshot === 'object' ? query.screenshot : {}
  const { type = 'jpg', quality = 80, fullPage = false, omitBackground = false } = wanted
  const warnings: string[] = []
  const warn = (warning: string) => void warnings.push(warning)

  const [overlay, frame] = await Promise.all([options.overlay, visitPage(page, { ...options, isLight: false, warn })])
  const html = wantsHtml() ? await renderedHtml(page) : undefined
  const box = await prepare(page, frame, { ...options, fullPage })
  await assertShown(frame, { guard, signal })

  clock.enter('picture')
  if (omitBackground && type === 'jpg') warn('omitBackground has no effect, for jpg images cannot be transparent.')
  const { deviceScaleFactor } = device
  const { width, height } = pictureSize(box ?? { x: 0, y: 0, ...device }, deviceScaleFactor)
  const around = overlay?.around({ width, height }, deviceScaleFactor)
  const raw = await takePicture(page, {
    box,
    viewport: device,
    deviceScaleFactor,
    // What is put into a frame is encoded afterwards.
    type: overlay ? 'png' : type,
    quality,
    limits: around ? { maxSide: MAX_SIDE[type], maxPixels: MAX_OVERLAY_PIXELS, around } : { maxSide: MAX_SIDE[type] },
  })
  if (raw.scale < 1) warn(tooLargeToBe(type, { width, height, scale: raw.scale }))
  await assertShown(frame, { guard, signal })
  const { url, statusCode } = frame.shown()!

  clock.enter('encode')
  const isTransparent = omitBackground && type !== 'jpg'
  const factor = deviceScaleFactor * raw.scale
  const picture = overlay
    ? await encodeAssembled(await overlay.compose(raw, { factor, url, isTransparent }), { type, quality })
    : await encodePicture(raw, { type, quality })
  const { background, palette } = await imageColours(picture.bytes)
  return {
    ...picture,
    type,
    backgroundColor: background,
    ...(query.palette && { palette }),
    url,
    statusCode,
    html,
    warnings,
  }
}

/** Has the page as it shall be seen. @returns What of it; `undefined` for what the viewport shows. */
async function prepare(
  page: OpenPage,
  frame: MainFrame,
  { query, device, clock, signal, fullPage }: CapturePageOptions & { fullPage: boolean },
): Promise<Box | undefined> {
  const { patienceMs } = clock
  if (fullPage) await loadLazyContent(page, frame, { screenHeight: device.height, patienceMs, signal })
  const measure = () => boxOf(page, query, { fullPage, patienceMs, signal })
  if (!query.animations) await finishAnimations(page)
  const box = await measure()
  // Bringing an element into view may have started some, and moved it.
  return box && !query.animations && (await finishAnimations(page)) ? measure() : box
}

function tooLargeToBe(
  type: ImageType,
  { width, height, scale }: { width: number; height: number; scale: number },
): string {
  const percent = Math.round(scale * 1_000) / 10
  return `A ${type} image of ${width} × ${height} pixels cannot be; it was made ${percent} % as large.`
}

async function boxOf(
  page: OpenPage,
  { element, screenshot }: PageQuery,
  { fullPage, ...patience }: { fullPage: boolean; patienceMs: () => number; signal: AbortSignal },
): Promise<Box | undefined> {
  const selector = element ?? (typeof screenshot === 'object' ? screenshot.element : undefined)
  if (selector !== undefined) return elementBox(page, selector, patience)
  if (!fullPage) return undefined
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics')
  return cssContentSize
}
