import { setTimeout as delay } from 'node:timers/promises'
import type { Images } from '../images/index.js'

/** Image tasks of one visit. */
export interface TrackedEncodings {
  /** The same images, whose `encodeScreenshot` is tracked. */
  images: Images
  /** Resolves when no screenshot is being encoded any more, after 5 seconds at the latest. Never rejects. */
  settled(): Promise<void>
}

/** Killing a process takes milliseconds, unless the machine hangs; other visits must not wait for that. */
const MAX_WAIT_MS = 5_000

/** Tracks the screenshots that are being encoded, including those whose caller was aborted. */
export function trackEncodings(images: Images): TrackedEncodings {
  const encodings: Promise<unknown>[] = []
  return {
    images: {
      ...images,
      encodeScreenshot(...args) {
        const encoding = images.encodeScreenshot(...args)
        encodings.push(encoding)
        return encoding
      },
    },
    async settled() {
      const timer = new AbortController()
      const timeout = delay(MAX_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)
      await Promise.race([Promise.allSettled(encodings), timeout])
      timer.abort()
    },
  }
}
