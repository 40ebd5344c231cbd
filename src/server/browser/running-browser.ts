import type { Connection } from 'puppeteer-core'
import type { CaptureScreenshot } from './capture-screenshot.js'

/** A Chromium that responds, either launched by this process or connected to. */
export interface RunningBrowser {
  connection: Connection
  captureScreenshot: CaptureScreenshot
  /** The user agent of a desktop Chrome, without the mark of a headless browser. */
  userAgent: string
  /** `143.0.7499.0` */
  version: string
  /** The browser's own process, also when a wrapper script launched it; `undefined` for an external browser. */
  pid: number | undefined
  /** Aborts when the browser has exited or can no longer be reached. */
  gone: AbortSignal
  /** Ends the browser and all its processes at once. */
  kill(): void
  /** Shuts the browser down, by `kill` if that takes too long, and removes its profile. Never rejects. */
  close(): Promise<void>
}
