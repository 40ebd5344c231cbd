import type { PageQuery } from '../../query/index.js'
import { maxPixelsOf, type EncodedScreenshot, type Images, type ImageType } from '../images/index.js'
import { judgePage, type PageObservation } from '../page-state/index.js'
import type { Caller } from '../request-scope.js'
import { withSpan } from '../tracing.js'
import type { Capture } from './capture.js'
import type { Box } from './find-element-box.js'
import type { MainFrame } from './main-frame.js'
import { observePage } from './observe-page.js'
import type { OpenPage } from './open-page.js'
import type { Overlay } from './overlay/prepare-overlay.js'
import { prepareBox } from './prepare-box.js'
import { screenshotSize, type Size } from './screenshot-geometry.js'
import { takeScreenshot, type RawScreenshot } from './take-screenshot.js'
import { assertLoaded, type VisitPageOptions } from './visit-page.js'

/** `client`, `turns`: when the screenshot is encoded. */
export interface CaptureDocumentOptions extends VisitPageOptions, Pick<Caller, 'client' | 'turns'> {
  images: Images
  overlay: Overlay | undefined
}

export interface DocumentCapture {
  capture: Omit<Capture, 'timings' | 'isProvisional' | 'warnings' | 'html'>
  /** `undefined` where the document was replaced during the capture, or could not be read. */
  observation: PageObservation | undefined
}

interface ScreenshotOptions {
  type: ImageType
  /** 1..100, lossy types only. */
  quality: number
  fullPage: boolean
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
 * Takes the screenshot of a document that has loaded, and judges what it shows.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's.
 */
export async function captureDocument(
  page: OpenPage,
  frame: MainFrame,
  options: CaptureDocumentOptions,
): Promise<DocumentCapture> {
  const { query, guard, allowedHosts, deadline, signal, warn } = options
  const screenshot = screenshotOptions(query)
  const { type, omitBackground, fullPage } = screenshot
  const box = await prepareBox(page, frame, options)
  const isWhole = box === undefined || fullPage
  await assertLoaded(frame, { guard, allowedHosts, signal })
  // Every wait ends when this time is used up.
  const isCutShort = deadline.remainingWaitMs() === 0

  deadline.enterStage('screenshot')
  if (omitBackground && type === 'jpg') warn('omitBackground has no effect, because jpg images cannot be transparent.')
  // At the same time, so that both are of the same document and neither waits for the other.
  const [observation, raw] = await Promise.all([
    observePage(page, frame, { query, isWhole, isTextOnly: false, signal }),
    captureBox(page, box, { ...options, screenshot }),
  ])
  await assertLoaded(frame, { guard, allowedHosts, signal })
  const { url, statusCode } = frame.document()!

  deadline.enterStage('encode')
  const factor = options.device.deviceScaleFactor * raw.scale
  const encode = () => encodeImage(raw, { ...options, screenshot, factor, url })
  const { bytes, width, height, background, palette, pixels } = await withSpan('image.encode', encode)
  const capture = {
    bytes: bytes ?? raw.tiles[0]!,
    width,
    height,
    type,
    backgroundColor: background,
    ...(query.palette && { palette }),
    url,
    statusCode,
    state: observation && judgePage({ ...observation, pixels }),
    isCutShort,
  }
  return { capture, observation }
}

function screenshotOptions({ screenshot }: PageQuery): ScreenshotOptions {
  const options = typeof screenshot === 'object' ? screenshot : {}
  const { type = 'jpg', quality = 80, fullPage = false, omitBackground = false } = options
  return { type, quality, fullPage, omitBackground }
}

async function captureBox(
  page: OpenPage,
  box: Box | undefined,
  { device, overlay, screenshot: { type, quality }, warn }: CaptureDocumentOptions & { screenshot: ScreenshotOptions },
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
    client,
    turns,
    overlay,
    screenshot: { type, quality, omitBackground },
    factor,
    url,
    signal,
  }: Pick<CaptureDocumentOptions, 'images' | 'client' | 'turns' | 'overlay' | 'signal'> & {
    screenshot: ScreenshotOptions
    factor: number
    url: string
  },
): Promise<EncodedScreenshot> {
  const isTransparent = omitBackground && type !== 'jpg'
  const layers = await overlay?.draw(raw, { factor, url, isTransparent })
  const options = { type, quality, maxHeight: MAX_SIDE[type], overlay: layers }
  return images.encodeScreenshot(raw, { ...options, client, turns, signal })
}

function scaledWarning(type: ImageType, { width, height }: Size, scale: number): string {
  const percent = Math.round(scale * 1_000) / 10
  return `An image of ${width} × ${height} pixels exceeds the limits of ${type}; it was scaled to ${percent} %.`
}
