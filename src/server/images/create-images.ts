import { createProcessPool } from './create-process-pool.js'
import { detectImageFormat } from './detect-image-format.js'
import type { Conversion } from './tasks/convert-variant.js'
import type { EncodedScreenshot, EncodeScreenshotOptions, ScreenshotTiles } from './tasks/encode-screenshot.js'

export interface ImageTaskOptions {
  /** Aborting it ends the process that runs the task. */
  signal: AbortSignal
}

/**
 * Decodes and encodes images in child processes, each with limits of time, memory and pixels. All methods throw `PageError`
 * with `ETIMEOUT`, `ETOOLARGE` or `EFATAL`, an `Error` of the decoder, or the reason of an aborted `signal`.
 */
export interface Images {
  encodeScreenshot(
    screenshot: ScreenshotTiles,
    options: EncodeScreenshotOptions & ImageTaskOptions,
  ): Promise<EncodedScreenshot>
  /** @returns `undefined` when the image already is the variant. */
  convertVariant(bytes: Uint8Array, options: Conversion & ImageTaskOptions): Promise<Uint8Array | undefined>
  /** `#rrggbb`, at most 8, most frequent first; transparent areas do not count. */
  samplePalette(bytes: Uint8Array, options: ImageTaskOptions): Promise<string[]>
  /** The size of an image that can be decoded. */
  measureImage(bytes: Uint8Array, options: ImageTaskOptions): Promise<{ width: number; height: number }>
  /** Starts the processes that the next screenshot and palette need. */
  warm(): void
  /** Ends all processes. */
  close(): Promise<void>
}

/** Images of strangers and screenshots have processes of their own, so that neither waits for the other. */
export function createImages(): Images {
  const screenshots = createProcessPool({ size: 2, timeoutMs: 60_000, maxRssBytes: 1_500_000_000 })
  const variants = createProcessPool({ size: 2, timeoutMs: 20_000, maxRssBytes: 1_500_000_000 })
  const samples = createProcessPool({ size: 2, timeoutMs: 3_000, maxRssBytes: 700_000_000 })
  return {
    encodeScreenshot: (screenshot, { signal, ...options }) =>
      screenshots.run('encodeScreenshot', [screenshot, options], signal),
    convertVariant: (bytes, { signal, ...conversion }) => variants.run('convertVariant', [bytes, conversion], signal),
    async samplePalette(bytes, { signal }) {
      assertDecodable(bytes)
      return samples.run('samplePalette', [bytes], signal)
    },
    async measureImage(bytes, { signal }) {
      assertDecodable(bytes)
      return samples.run('measureImage', [bytes], signal)
    },
    warm() {
      screenshots.warm()
      samples.warm()
    },
    async close() {
      await Promise.all([screenshots.close(), variants.close(), samples.close()])
    },
  }
}

function assertDecodable(bytes: Uint8Array): void {
  if (!detectImageFormat(bytes)) throw new Error('These bytes are not a JPEG, PNG, GIF, WebP or AVIF.')
}
