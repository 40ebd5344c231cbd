import type { PageQuery } from '../../query/index.js'
import { maxPixelsOf, type EncodedScreenshot, type Images, type ImageType } from '../images/index.js'
import { withSpan } from '../tracing/index.js'
import type { Capture } from './capture.js'
import type { Box } from './find-element-box.js'
import type { OpenPage } from './open-page.js'
import type { Overlay } from './overlay/prepare-overlay.js'
import { prepareBox } from './prepare-box.js'
import { screenshotSize, type Size } from './screenshot-geometry.js'
import { serializeDocument } from './serialize-document.js'
import { takeScreenshot, type RawScreenshot } from './take-screenshot.js'
import { assertLoaded, visitPage, type VisitPageOptions } from './visit-page.js'

export interface CapturePageOptions extends Omit<VisitPageOptions, 'isTextOnly' | 'warn'> {
  images: Images
  /** Prepared at the same time as the page; its failure ends the capture. */
  overlay: Promise<Overlay> | undefined
  /** Called once the page has loaded: whether its document is needed too. */
  needsHtml: () => boolean
}

interface ScreenshotOptions {
  type: ImageType
  /** 1..100, lossy types only. */
  quality: number
  omitBackground: boolean
}

/** The longest side in pixels that each file format can store; for AVIF, that all decoders accept. */
const MAX_SIDE: Readonly<Record<ImageType, number>> = {
  jpg: 65_500,
  png: Infinity,
  webp: 16_383,
  avif: 16_384,
}

/**
 * Takes the screenshot of a query in a new page.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's, and a new context may help.
 */
export async function capturePage(page: OpenPage, options: CapturePageOptions): Promise<Omit<Capture, 'timings'>> {
  const { query, guard, allowHosts, deadline, signal, needsHtml } = options
  const screenshot = screenshotOptions(query)
  const { type, omitBackground } = screenshot
  const warnings: string[] = []
  const warn = (warning: string) => void warnings.push(warning)

  const [overlay, frame] = await Promise.all([
    options.overlay,
    visitPage(page, { ...options, isTextOnly: false, warn }),
  ])
  const html = needsHtml() ? await serializeDocument(page) : undefined
  const box = await prepareBox(page, frame, { ...options, warn })
  await assertLoaded(frame, { guard, allowHosts, signal })
  // Whatever waits for the page waits until then at most.
  const isCutShort = deadline.waitLeftMs() === 0

  deadline.enterStage('screenshot')
  if (omitBackground && type === 'jpg') warn('omitBackground has no effect, because jpg images cannot be transparent.')
  const raw = await captureBox(page, box, { ...options, overlay, screenshot, warn })
  await assertLoaded(frame, { guard, allowHosts, signal })
  const { url, statusCode } = frame.document()!

  deadline.enterStage('encode')
  const factor = options.device.deviceScaleFactor * raw.scale
  const encode = () => encodeImage(raw, { ...options, overlay, screenshot, factor, url })
  const image = await withSpan('image.encode', encode)
  const { bytes, width, height, background, palette } = image
  return {
    bytes: bytes ?? raw.tiles[0]!,
    width,
    height,
    type,
    backgroundColor: background,
    ...(query.palette && { palette }),
    url,
    statusCode,
    isCutShort,
    html,
    warnings,
  }
}

function screenshotOptions({ screenshot }: PageQuery): ScreenshotOptions {
  const options = typeof screenshot === 'object' ? screenshot : {}
  const { type = 'jpg', quality = 80, omitBackground = false } = options
  return { type, quality, omitBackground }
}

async function captureBox(
  page: OpenPage,
  box: Box | undefined,
  {
    device,
    overlay,
    screenshot: { type, quality },
    warn,
  }: Omit<CapturePageOptions, 'overlay'> & {
    overlay: Overlay | undefined
    screenshot: ScreenshotOptions
    warn: (warning: string) => void
  },
): Promise<RawScreenshot> {
  const { deviceScaleFactor } = device
  const size = screenshotSize(box ?? { x: 0, y: 0, ...device }, deviceScaleFactor)
  const maxSide = MAX_SIDE[type]
  const raw = await takeScreenshot(page, {
    box,
    viewport: device,
    deviceScaleFactor,
    // With an overlay the image is encoded only after both have been composed.
    type: overlay ? 'png' : type,
    quality,
    limits: { maxSide, maxPixels: maxPixelsOf(type), overlay: overlay?.addedSize(size, deviceScaleFactor) },
  })
  if (raw.scale < 1) warn(scaledWarning(type, size, raw.scale))
  return raw
}

async function encodeImage(
  raw: RawScreenshot,
  {
    images,
    overlay,
    screenshot: { type, quality, omitBackground },
    factor,
    url,
    signal,
  }: Pick<CapturePageOptions, 'images' | 'signal'> & {
    overlay: Overlay | undefined
    screenshot: ScreenshotOptions
    factor: number
    url: string
  },
): Promise<EncodedScreenshot> {
  const isTransparent = omitBackground && type !== 'jpg'
  const layers = await overlay?.draw(raw, { factor, url, isTransparent })
  return images.encodeScreenshot(raw, { type, quality, maxHeight: MAX_SIDE[type], overlay: layers, signal })
}

function scaledWarning(type: ImageType, { width, height }: Size, scale: number): string {
  const percent = Math.round(scale * 1_000) / 10
  return `An image of ${width} × ${height} pixels exceeds the limits of ${type}; it was scaled to ${percent} %.`
}
