import type { TaskScheduling } from '../budget/index.js'
import { createProcessPool } from './create-process-pool.js'
import { detectImageFormat } from './detect-image-format.js'
import type { ImageUser } from './find-image-user.js'
import type { ImageInput } from './start-image-process.js'
import type { Conversion } from './tasks/convert-variant.js'
import type { ConvertedImage } from './tasks/encode-variant.js'
import type { EncodedScreenshot, EncodeScreenshotOptions, ScreenshotTiles } from './tasks/encode-screenshot.js'

export interface ImageTaskOptions {
  /** Aborting it ends the process that runs the task. */
  signal: AbortSignal
}

/**
 * Decodes and encodes images in child processes, each with limits of time, memory and pixels. All methods throw `PageError`
 * with `EBUSY`, `ETIMEOUT`, `ETOOLARGE` or `EFATAL`, an `Error` of the decoder, or the reason of an aborted `signal`.
 */
export interface Images {
  encodeScreenshot(
    screenshot: ScreenshotTiles,
    options: EncodeScreenshotOptions & ImageTaskOptions & Pick<TaskScheduling, 'client' | 'turns'>,
  ): Promise<EncodedScreenshot>
  /** @returns `undefined` when the image already is the variant. At most 25 MB, else it fails with `ETOOLARGE`. */
  convertVariant(image: ImageInput, options: Conversion & ImageTaskOptions): Promise<ConvertedImage | undefined>
  /** Decodes the image once. @returns In the order of `variants`; `undefined` where the image already is the variant. */
  convertVariants(
    bytes: Uint8Array,
    variants: readonly (Conversion & { width: number })[],
    options: ImageTaskOptions,
  ): Promise<(ConvertedImage | undefined)[]>
  /** `#rrggbb`, at most 8, most frequent first; transparent areas do not count. */
  samplePalette(bytes: Uint8Array, options: ImageTaskOptions & { client: string }): Promise<string[]>
  /** The share of pixels of small copies that differ visibly, from 0 to 1. */
  compareImages(bytes: Uint8Array, other: Uint8Array, options: ImageTaskOptions): Promise<number>
  /** The size of an image that can be decoded. */
  measureImage(bytes: Uint8Array, options: ImageTaskOptions): Promise<{ width: number; height: number }>
  /** Starts the process that the next screenshot needs, and with `withPalette` the one for the palettes of other images. */
  warm(options?: { withPalette?: boolean | undefined }): void
  /** Ends all processes. */
  close(): Promise<void>
}

/** Calls of `convertVariant` and `convertVariants` at the same time; a further one fails with `EBUSY`, so callers have to queue. */
export const MAX_CONCURRENT_CONVERSIONS = 3

/** The client of tasks whose callers take turns already. */
const SERVICE = 'service'
/** Stands for an image that is sent as an input. */
const INPUT = new Uint8Array()

/**
 * Untrusted images and screenshots have separate processes, so that neither waits for the other.
 *
 * @param user  Runs the processes. Default: the user of the service.
 */
export function createImages({ user }: { user?: ImageUser | undefined } = {}): Images {
  const screenshots = createProcessPool({
    size: 3,
    reserve: 1,
    maxWaiting: 50,
    timeoutMs: 60_000,
    maxRssBytes: 1_500_000_000,
    user,
  })
  const variantProcesses = createProcessPool({
    size: MAX_CONCURRENT_CONVERSIONS,
    maxWaiting: MAX_CONCURRENT_CONVERSIONS,
    timeoutMs: 20_000,
    maxRssBytes: 1_500_000_000,
    user,
  })
  const samples = createProcessPool({
    size: 3,
    reserve: 1,
    // Images of up to 5 MB are in memory while they wait.
    maxWaiting: 30,
    maxWaitingPerClient: 15,
    timeoutMs: 3_000,
    maxRssBytes: 700_000_000,
    user,
  })
  return {
    encodeScreenshot: ({ tiles, ...screenshot }, { client, turns, signal, ...options }) =>
      screenshots.run('encodeScreenshot', [{ ...screenshot, tiles: [] }, options], {
        client,
        turns,
        signal,
        inputs: tiles,
      }),
    convertVariant: (image, { signal, ...conversion }) =>
      variantProcesses.run('convertVariant', [INPUT, conversion], { client: SERVICE, signal, inputs: [image] }),
    async convertVariants(bytes, variants, { signal }) {
      assertDecodable(bytes)
      return variantProcesses.run('convertVariants', [INPUT, variants], { client: SERVICE, signal, inputs: [bytes] })
    },
    async samplePalette(bytes, options) {
      assertDecodable(bytes)
      return samples.run('samplePalette', [INPUT], { ...options, inputs: [bytes] })
    },
    async compareImages(bytes, other, { signal }) {
      for (const image of [bytes, other]) assertDecodable(image)
      return samples.run('compareImages', [INPUT, INPUT], { client: SERVICE, signal, inputs: [bytes, other] })
    },
    async measureImage(bytes, { signal }) {
      assertDecodable(bytes)
      return samples.run('measureImage', [INPUT], { client: SERVICE, signal, inputs: [bytes] })
    },
    warm({ withPalette = false } = {}) {
      screenshots.warm()
      if (withPalette) samples.warm()
    },
    async close() {
      await Promise.all([screenshots.close(), variantProcesses.close(), samples.close()])
    },
  }
}

function assertDecodable(bytes: Uint8Array): void {
  if (!detectImageFormat(bytes)) throw new Error('These bytes are not a JPEG, PNG, GIF, WebP or AVIF.')
}
