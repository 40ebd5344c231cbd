import type { Layout } from '../../card/index.js'
import { errorCauses } from '../../query/help/index.js'
import { isPageError, type ErrorCode, type PageData, type PageQuery } from '../../query/index.js'
import {
  hasVariants,
  isServiceFailure,
  type ImageField,
  type VariantType,
  type PreviewSource,
  type SourceImage,
  type SourcePage,
} from '../preview-source.js'
import { imageFieldOf, type CardRequest } from './card-request.js'
import type { FrozenFile, FrozenImage, FrozenPreview } from './frozen-preview.js'
import { knownPageFields, type Failure } from './lock.js'
import type { PreviewCache } from './preview-cache.js'

/** Where a preview is captured from, and where its images go. */
interface CaptureRun {
  source: PreviewSource
  cache: PreviewCache
  /** File types of images, in addition to their own. */
  imageTypes: readonly VariantType[]
  /** Whether a running service captures it again, even if it has a cached result. */
  force: boolean
  /** The last good result. */
  known: FrozenPreview | undefined
  /** Called for an image that the card lacks, with the reason. */
  onOmittedImage: (field: ImageField, message: string) => void
  signal: AbortSignal
}

type Attempts = Partial<Record<ErrorCode, number>>
/** How many attempts a preview gets that fails with this code, because of a slow page or, during a build, of a busy machine. */
const ATTEMPTS: Attempts = { ETIMEOUT: 3, EBRWSRTIMEOUT: 3 }
/** Attempts at the dark page alone; after the other failures, the whole preview is captured again. */
const DARK_ATTEMPTS: Attempts = { ETIMEOUT: 3 }

/**
 * Captures a preview, and writes its images into the cache; again after a timeout, then forced, because services cache failures.
 *
 * @throws  {PageError} as the service responds; {PageFailure}; {FreezeError} when the cache cannot be written.
 */
export const capturePreview = (request: CardRequest, run: CaptureRun): Promise<FrozenPreview> =>
  withAttempts(run, ATTEMPTS, (run) => captureOnce(request, run))

async function withAttempts<Result>(
  run: CaptureRun,
  attemptsAfter: Attempts,
  work: (run: CaptureRun) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work({ ...run, force: run.force || attempt > 1 })
    } catch (error) {
      const attempts = isPageError(error) ? (attemptsAfter[error.code] ?? 1) : 1
      if (attempt >= attempts || run.signal.aborted) throw error
    }
}

async function captureOnce(request: CardRequest, run: CaptureRun): Promise<FrozenPreview> {
  const { query, darkQuery } = request
  const omitted: { name: ImageField; message: string }[] = []
  /** A card without one of its images is better than no card, if that is because of the page. */
  const orNone = async (image: Promise<FrozenImage | undefined>, name: ImageField) => {
    try {
      return await image
    } catch (error) {
      if (!concernsPage(error)) throw error
      omitted.push({ name, message: describeFailure(error).message })
      return undefined
    }
  }
  const page = await requestPage(query, run)
  assertNotWorse(page, run.known)
  const field = imageFieldOf(request, page.data)
  const captureField = (field: ImageField, query: PageQuery, data: PageData) =>
    captureImage({ query, field, layout: request.layout, size: sizeOf(data, field) }, run)
  const captureDark = async (query: PageQuery) => {
    const { data } = await withAttempts(run, DARK_ATTEMPTS, (run) => requestPage(query, run))
    return captureField('screenshot', query, data)
  }
  const none = Promise.resolve(undefined)
  const [image, darkImage, icon] = await allEnded([
    field ? orNone(captureField(field, query, page.data), field) : none,
    field === 'screenshot' && darkQuery ? orNone(captureDark(darkQuery), field) : none,
    page.data.logo ? orNone(captureIcon(query, run), 'logo') : none,
  ])
  // Another attempt may not omit them.
  for (const { name, message } of omitted) run.onOmittedImage(name, message)
  return {
    date: new Date(page.producedAt).toISOString(),
    ...(isErrorStatus(page) && { statusCode: page.statusCode }),
    data: dataOf(page.data, image),
    ...(image && { image: { ...image, isScreenshot: field === 'screenshot' } }),
    ...(image && darkImage && { darkImage }),
    ...(icon && { icon }),
  }
}

/** `Promise.all` that waits for every one also when one fails: no image is captured or written after its attempt has failed. */
async function allEnded<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

async function requestPage(query: PageQuery, { source, force, signal }: CaptureRun): Promise<SourcePage> {
  const page = await source.page({ ...query, ...(force && { force }) }, signal)
  const { data, statusCode, warnings } = page
  if (data.state) throw new PageFailure({ code: data.state, statusCode }, warnings.at(-1) ?? NO_CONTENT)
  return page
}

const NO_CONTENT = 'The page did not show its content.'

/**
 * Some sites send their content with an error status. It does not replace a result without one, as in the service.
 *
 * @throws  {PageFailure}
 */
function assertNotWorse(page: SourcePage, known: FrozenPreview | undefined): void {
  const { statusCode } = page
  if (isErrorStatus(page) && known && !known.statusCode)
    throw new PageFailure({ code: `HTTP ${statusCode}`, statusCode }, `The page responds with HTTP ${statusCode}.`)
}

const isErrorStatus = ({ statusCode }: SourcePage) => statusCode >= 400

function sizeOf(data: PageData, field: ImageField) {
  const { width, height } = data[field] ?? {}
  return width && height ? { width, height } : undefined
}

/** The URL of a screenshot belongs to the service that captured it, so the file takes its place. */
function dataOf(data: PageData, image: FrozenImage | undefined): PageData {
  const { screenshot, ...rest } = knownPageFields(data)
  const name = image?.files.at(-1)?.name
  return screenshot && name ? { ...rest, screenshot: { ...screenshot, url: name } } : rest
}

interface CapturedField {
  query: PageQuery
  field: ImageField
  layout: Layout
  /** Pixels, if they are known. */
  size: { width: number; height: number } | undefined
}

/**
 * Cards and rows are at most 402 CSS pixels wide, images as wide as a column of text, on screens of up to 2 dppx. A JPEG is
 * decoded three times as fast for up to a third of its width: 853 of the 2,560 pixels of a default screenshot.
 */
const WIDTHS: Readonly<Record<Layout, readonly number[]>> = {
  card: [402, 804],
  row: [320, 640],
  image: [320, 640, 960, 1280],
  inline: [],
}
/** Width of the file for browsers that support none of the other types; one of the widths above, because scaling takes as long as encoding. */
const FALLBACK_WIDTHS: Readonly<Record<Layout, number>> = { card: 402, row: 320, image: 640, inline: 0 }
const ICON_WIDTH = 320
/** Largest image without variants, such as GIF; a larger one is left out. */
const MAX_UNCONVERTED_BYTES = 1_000_000

/**
 * Captures an image in the widths and types of a card.
 *
 * @returns  `undefined` for an image that a card cannot show.
 * @throws   {PageError} as the service responds; {FreezeError} when the cache cannot be written.
 */
async function captureImage(
  { query, field, layout, size }: CapturedField,
  run: CaptureRun,
): Promise<FrozenImage | undefined> {
  const widths = WIDTHS[layout]
  if (widths.length === 0) return undefined
  const variants = run.imageTypes.flatMap((type) => usefulWidths(widths, size?.width).map((width) => ({ type, width })))
  const fallback = { width: FALLBACK_WIDTHS[layout] }
  const images = await run.source.variants(query, field, [...variants, fallback], run.signal)
  return writeImages(images, size, run)
}

/** Captures the icon of a page, which is small: one file is enough. */
async function captureIcon(query: PageQuery, run: CaptureRun): Promise<FrozenImage | undefined> {
  const variant = { width: ICON_WIDTH, type: 'webp' } as const
  return writeImages([await run.source.image(query, 'logo', variant, run.signal)], undefined, run)
}

/** No image is enlarged, so the first width that is not smaller than the image results in its own width. */
function usefulWidths(widths: readonly number[], own = Infinity): readonly number[] {
  const last = widths.findIndex((width) => width >= own)
  return last < 0 ? widths : widths.slice(0, last + 1)
}

async function writeImages(
  images: readonly SourceImage[],
  size: CapturedField['size'],
  { cache }: CaptureRun,
): Promise<FrozenImage | undefined> {
  const usable = images.filter((image) => hasVariants(image.type) || image.bytes.byteLength <= MAX_UNCONVERTED_BYTES)
  const files = await allEnded(
    usable.flatMap(({ bytes, type, width = 0 }) =>
      type === 'bmp' ? [] : [cache.writeImage(bytes, width, type).then((name): FrozenFile => ({ name, type, width }))],
    ),
  )
  const largest = usable.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0]
  if (!largest || files.length === 0) return undefined
  const { width, height } = size ?? { width: largest.width ?? 0, height: largest.height ?? 0 }
  return { width, height, files: [...new Map(files.map((file) => [file.name, file])).values()] }
}

/** A page responded, but not with its content. */
class PageFailure extends Error {
  override readonly name = 'PageFailure'

  readonly code: string
  readonly statusCode: number

  /** @param code  What it showed instead, such as `error-page`; or `HTTP 404`. */
  constructor({ code, statusCode }: { code: string; statusCode: number }, message: string) {
    super(message)
    this.code = code
    this.statusCode = statusCode
  }
}

const MAX_MESSAGE_CHARS = 500

/** Why a preview could not be captured. */
export function describeFailure(error: unknown): Failure {
  const message = (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_MESSAGE_CHARS)
  if (error instanceof PageFailure) return { code: error.code, message, statusCode: error.statusCode }
  return { code: isPageError(error) ? error.code : 'EFATAL', message }
}

/** Whether an error tells something of the page: neither the service has failed, nor has the request only waited for it in vain. */
export const concernsPage = (error: unknown): boolean =>
  error instanceof PageFailure || (isPageError(error) && !['service', 'request'].includes(errorCauses[error.code]))

/**
 * Whether the service cannot be used at all, so that all further requests would fail. A source fails with `EBUSY` only after
 * retries; `EFATAL` may concern one page alone.
 */
export const affectsAllRequests = (error: unknown): boolean =>
  isPageError(error) ? error.code !== 'EFATAL' && isServiceFailure(error) : !(error instanceof PageFailure)
