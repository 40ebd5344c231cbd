import { extname, join } from 'node:path'
import { PageError } from '../../query/index.js'
import { createFairQueue, type FairQueueOptions } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { createWorkerPool, startProcess, WorkerError, type RunOptions, type TaskInput } from '../worker-pool.js'
import { detectImageFormat } from './image-formats.js'
import type { BlockPair } from './compare-blocks.js'
import type { ImageTask, ImageTasks } from './image-process.js'
import type { PdfPage, PdfReading } from './pdf.js'
import type { EncodedScreenshot, ScreenshotEncoding, ScreenshotTiles } from './screenshots.js'
import type { Conversion, ConvertedImage } from './variants.js'

interface Abortable {
  /** Aborting it ends the process that runs the task. */
  signal: AbortSignal
}

type ClientTaskOptions = Abortable & Omit<RunOptions, 'inputs'>

/**
 * Decodes and encodes images in child processes, each with limits of time, memory and pixels. All methods throw `PageError`
 * with `EBUSY`, `ETIMEOUT`, `ETOOLARGE` or `EFATAL`, an `Error` of the decoder, or the reason of an aborted `signal`.
 */
export interface Images {
  encodeScreenshot(
    screenshot: ScreenshotTiles,
    options: ScreenshotEncoding & ClientTaskOptions,
  ): Promise<EncodedScreenshot>
  /** @returns `undefined` when the image already is the variant. At most 25 MB, else it fails with `ETOOLARGE`. */
  convertVariant(image: TaskInput, options: Conversion & Abortable): Promise<ConvertedImage | undefined>
  /** Decodes the image once. @returns In the order of `variants`; `undefined` if the image already is the variant. */
  convertVariants(
    bytes: Uint8Array,
    variants: readonly (Conversion & { width: number })[],
    options: Abortable,
  ): Promise<(ConvertedImage | undefined)[]>
  /** `#rrggbb`, at most 8, most frequent first; transparent areas do not count. */
  samplePalette(bytes: Uint8Array, options: Abortable & { client: string }): Promise<string[]>
  /** The share of pixels of small copies that differ visibly, from 0 to 1. */
  compareImages(bytes: Uint8Array, other: Uint8Array, options: Abortable): Promise<number>
  /**
   * The share of pixels that differ visibly in each part of two images, from 0 to 1: 1 for parts of different sizes, 0 for those that are
   * not in both images.
   *
   * @param pairs  At most 1,000, in pixels of the images; they may reach beyond them.
   */
  compareBlocks(
    bytes: Uint8Array,
    other: Uint8Array,
    pairs: readonly BlockPair[],
    options: ClientTaskOptions,
  ): Promise<number[]>
  /** The size of an image that can be decoded. */
  measureImage(bytes: Uint8Array, options: ClientTaskOptions): Promise<{ width: number; height: number }>
  /** What a PDF says about itself. */
  readPdf(bytes: Uint8Array, options: ClientTaskOptions): Promise<PdfReading>
  /** The first page of a PDF, with a picture of so many pixels if it has a width. */
  readPdfPage(bytes: Uint8Array, options: { width: number | undefined } & ClientTaskOptions): Promise<PdfPage>
  /** Starts the process that the next screenshot needs, and with `withPalette` the one for the palettes of other images. */
  warm(options?: { withPalette?: boolean | undefined }): void
  /** Ends all processes. */
  close(): Promise<void>
}

/** An unprivileged user that runs image processes. */
export interface ImageUser {
  name: string
  uid: number
  gid: number
}

/** Calls of `convertVariant` and `convertVariants` at the same time; more of them fail with `EBUSY`, so callers have to queue. */
export const MAX_CONCURRENT_CONVERSIONS = 3

/** The client of tasks whose callers take turns already. */
const SERVICE = 'service'
/** The built script, or in tests its source. */
const SCRIPT = join(import.meta.dirname, `image-process${extname(import.meta.filename)}`)
/** Images are outside of the heap of V8. */
const MAX_HEAP_MB = 128
const IDLE_MS = 60_000
const TRY_TIMEOUT_MS = 10_000
const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Untrusted images and screenshots have separate processes, so that neither waits for the other.
 *
 * @param user  Runs the processes. Default: the user of the service.
 */
export function createImages({ user }: { user?: ImageUser | undefined } = {}): Images {
  const screenshots = createImagePool({
    concurrency: 2,
    reserve: 1,
    maxWaiting: 50,
    timeoutMs: 60_000,
    maxRssBytes: 1_500_000_000,
    user,
  })
  const variants = createImagePool({
    concurrency: MAX_CONCURRENT_CONVERSIONS,
    maxWaiting: MAX_CONCURRENT_CONVERSIONS,
    timeoutMs: 20_000,
    maxRssBytes: 1_500_000_000,
    user,
  })
  const samples = createImagePool({
    concurrency: 2,
    reserve: 1,
    // Images of up to 5 MB are in memory while they wait.
    maxWaiting: 30,
    maxWaitingPerClient: 15,
    timeoutMs: 3_000,
    maxRssBytes: 700_000_000,
    user,
  })
  const pdfs = createImagePool({
    concurrency: 1,
    reserve: 1,
    // PDFs of up to 25 MB are in memory while they wait; the budget of bytes limits those of all clients.
    maxWaiting: 20,
    maxWaitingPerClient: 10,
    timeoutMs: 5_000,
    maxRssBytes: 1_200_000_000,
    user,
  })
  return {
    encodeScreenshot({ tiles, isEncoded, crop }, { client, waiters, signal, ...encoding }) {
      const options = { screenshot: { isEncoded, crop }, encoding }
      return screenshots.run({ name: 'encodeScreenshot', options }, { client, waiters, signal, inputs: tiles })
    },
    convertVariant: (image, { signal, ...options }) =>
      variants.run({ name: 'convertVariant', options }, { client: SERVICE, signal, inputs: [image] }),
    async convertVariants(bytes, options, { signal }) {
      assertDecodable(bytes)
      return variants.run({ name: 'convertVariants', options }, { client: SERVICE, signal, inputs: [bytes] })
    },
    async samplePalette(bytes, { client, signal }) {
      assertDecodable(bytes)
      return samples.run({ name: 'samplePalette' }, { client, signal, inputs: [bytes] })
    },
    async compareImages(bytes, other, { signal }) {
      for (const image of [bytes, other]) assertDecodable(image)
      return samples.run({ name: 'compareImages' }, { client: SERVICE, signal, inputs: [bytes, other] })
    },
    async compareBlocks(bytes, other, pairs, options) {
      for (const image of [bytes, other]) assertDecodable(image)
      // Their process has just encoded one of the two, and may use the memory that both need.
      return screenshots.run({ name: 'compareBlocks', options: pairs }, { ...options, inputs: [bytes, other] })
    },
    async measureImage(bytes, options) {
      assertDecodable(bytes)
      return samples.run({ name: 'measureImage' }, { ...options, inputs: [bytes] })
    },
    readPdf: (bytes, options) => pdfs.run({ name: 'readPdf' }, { ...options, inputs: [bytes] }),
    readPdfPage: (bytes, { width, ...options }) =>
      pdfs.run({ name: 'readPdfPage', options: { width } }, { ...options, inputs: [bytes] }),
    warm({ withPalette = false } = {}) {
      screenshots.warm()
      if (withPalette) samples.warm()
    },
    async close() {
      await Promise.all([screenshots.close(), variants.close(), samples.close(), pdfs.close()])
    },
  }
}

function assertDecodable(bytes: Uint8Array): void {
  if (!detectImageFormat(bytes)) throw new Error('These bytes are not a JPEG, PNG, GIF, WebP or AVIF.')
}

export interface ImagePoolOptions extends Omit<FairQueueOptions, 'fullError'> {
  /** Time limit of one task. */
  timeoutMs: number
  /** Memory limit of each process. */
  maxRssBytes: number
  user?: ImageUser | undefined
  isQuiet?: boolean
}

/** Processes for images, which are started when they are needed. */
export function createImagePool({ timeoutMs, maxRssBytes, user, isQuiet, ...turns }: ImagePoolOptions) {
  const pool = createWorkerPool<ImageTask, unknown>({
    start: () => startProcess(SCRIPT, { maxHeapMb: MAX_HEAP_MB, maxRssBytes, user, isQuiet }),
    size: turns.concurrency + (turns.reserve ?? 0),
    queue: createFairQueue({ ...turns, fullError }),
    timeoutMs,
    idleMs: IDLE_MS,
  })
  return {
    ...pool,
    async run<Name extends keyof ImageTasks>(
      task: ImageTask & { name: Name },
      options: Parameters<typeof pool.run>[1],
    ): Promise<Awaited<ReturnType<ImageTasks[Name]>>> {
      try {
        return (await pool.run(task, options)) as Awaited<ReturnType<ImageTasks[Name]>>
      } catch (error) {
        throw toPageError(error, timeoutMs)
      }
    },
  }
}

/** An error of the decoder, or of the queue, is returned as it is. */
function toPageError(error: unknown, timeoutMs: number): unknown {
  // A variant that needs too many bytes.
  if (error instanceof RangeError) return new PageError('ETOOLARGE', error.message, { cause: error })
  if (!(error instanceof WorkerError)) return error
  switch (error.failure) {
    case 'start':
      return busyError('The process for images could not be started in time', { cause: error })
    case 'timeout':
      return new PageError(
        'ETIMEOUT',
        `The image was not ready within ${timeoutMs / 1_000} seconds. Request a smaller image.`,
      )
    case 'memory':
      return new PageError('ETOOLARGE', 'The image needs too much memory. Request a smaller image.')
    case 'closed':
      return busyError('The service is shutting down', { retryAfterMs: 1_000 })
    default:
      return new PageError('EFATAL', 'The process for images ended unexpectedly. Try again.', { cause: error })
  }
}

const fullError = () => busyError('Too many images are waiting to be read or encoded')

/**
 * Finds out whether image processes can run as a user, which must be able to execute Node and to read the service.
 *
 * @param user  `undefined` if the service is not root.
 * @param warn  Called if the processes have to run as root after all.
 * @param tryUser  Whether image processes work as this user; replaced in tests.
 * @returns     The user; `undefined` when the processes run as the user of the service.
 */
export async function findImageUser(
  user: ImageUser | undefined,
  {
    warn,
    tryUser = tryOnce,
  }: {
    warn: (event: { event: string; user: string; reason: string; advice: string }) => void
    tryUser?: (user: ImageUser) => Promise<void>
  },
): Promise<ImageUser | undefined> {
  if (!user) return undefined
  try {
    await tryUser(user)
    return user
  } catch (error) {
    warn({
      event: 'image-processes-as-root',
      user: user.name,
      reason: String(error),
      advice: `install Node and the service where ${user.name} can read them, or run the service as an unprivileged user`,
    })
    return undefined
  }
}

const tried = new Map<number, Promise<void>>()

/** What a user can execute and read stays the same while this process runs; a failure may be due to the load of the machine. */
async function tryOnce(user: ImageUser): Promise<void> {
  const attempt = tried.get(user.uid) ?? tryProcess(user)
  tried.set(user.uid, attempt)
  try {
    await attempt
  } catch (error) {
    tried.delete(user.uid)
    throw error
  }
}

async function tryProcess(user: ImageUser): Promise<void> {
  const limits = { concurrency: 1, maxWaiting: 0, timeoutMs: TRY_TIMEOUT_MS, maxRssBytes: 500_000_000 }
  const pool = createImagePool({ ...limits, user, isQuiet: true })
  try {
    const signal = AbortSignal.timeout(TRY_TIMEOUT_MS)
    await pool.run({ name: 'measureImage' }, { client: SERVICE, signal, inputs: [ONE_PIXEL] })
  } finally {
    await pool.close()
  }
}
