import type { Connection } from 'puppeteer-core'

/** A Chromium that answers, started or connected to. */
export interface RunningBrowser {
  connection: Connection
  /** Of a headless Chromium, without its being headless: many sites show it another page. */
  userAgent: string
  /** `undefined` for one that someone else started. */
  pid: number | undefined
  /** Aborts when it is gone, for whatever reason. */
  gone: AbortSignal
  /** Ends it and all its processes at once. */
  kill(): void
  /** Ends it in order, or by `kill` when that takes too long, and removes what it left on disk. Never rejects. */
  close(): Promise<void>
}
