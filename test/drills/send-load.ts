import sharp from 'sharp'
import { colourOf, titleOf, type NumberedSite } from './numbered-site.js'

/** What a visitor saw while something was taken away. */
export interface LoadReport {
  sent: number
  /** No response, or another status than 200. */
  failed: number
  /** Status 200 with something else than what was requested. */
  wrong: number
  /** Milliseconds; failed requests included. */
  slowestMs: number
  /** The first few of each. */
  reasons: string[]
}

/** Requests that are being sent. */
export interface Load {
  /** Of the requests until now. */
  report: Readonly<LoadReport>
  /** Those whose screenshot was requested. */
  pages(): readonly number[]
  /** Sends no more requests. @returns The report once those that run are finished. */
  stop(): Promise<LoadReport>
}

/** Where requests are sent, a balancer or an instance, and the site that they request. */
interface LoadTarget {
  url: string
  site: NumberedSite
}

/** 20 requests a second. */
const INTERVAL_MS = 50
const TIMEOUT_MS = 35_000
/** Results that are cached after their first request. */
const CACHED_PAGES = 30
const CACHED_SCREENSHOTS = 4
/** Of 20 requests, these are for a cached screenshot, for pages that nobody has requested before, and for a new screenshot. */
const PERIOD = 20
const SCREENSHOTS = [3, 13]
const NEW_PAGES = [7, 17]
const NEW_SCREENSHOT = 10
const MAX_REASONS = 5
/** Screenshots are lossless here; the browser's colours may be rounded. */
const MAX_COLOUR_DIFFERENCE = 2

let newestPage = 1_000

/** One that nobody has requested before. */
export const newPage = (): number => newestPage++

/** Requests what the load expects to be cached, one after the other: all at once would be more than one site may have outstanding. */
export async function fillCache(target: LoadTarget): Promise<void> {
  const report: LoadReport = { sent: 0, failed: 0, wrong: 0, slowestMs: 0, reasons: [] }
  for (let page = 0; page < CACHED_SCREENSHOTS + CACHED_PAGES; page++)
    await sendRequest({ page, isScreenshot: page < CACHED_SCREENSHOTS }, target, report)
  if (report.failed > 0) throw new Error(`The cache could not be filled: ${report.reasons.join('\n')}`)
}

export function startLoad(target: LoadTarget): Load {
  const report: LoadReport = { sent: 0, failed: 0, wrong: 0, slowestMs: 0, reasons: [] }
  const requests: Promise<void>[] = []
  const screenshots: number[] = []
  const timer = setInterval(() => {
    const wish = wishAt(report.sent++)
    if (wish.isScreenshot) screenshots.push(wish.page)
    requests.push(sendRequest(wish, target, report))
  }, INTERVAL_MS)
  return {
    report,
    pages: () => screenshots,
    async stop() {
      clearInterval(timer)
      await Promise.all(requests)
      return report
    },
  }
}

interface Wish {
  page: number
  isScreenshot: boolean
}

function wishAt(index: number): Wish {
  const step = index % PERIOD
  if (SCREENSHOTS.includes(step)) return { page: index % CACHED_SCREENSHOTS, isScreenshot: true }
  if (step === NEW_SCREENSHOT) return { page: newPage(), isScreenshot: true }
  if (NEW_PAGES.includes(step)) return { page: newPage(), isScreenshot: false }
  return { page: CACHED_SCREENSHOTS + (index % CACHED_PAGES), isScreenshot: false }
}

async function sendRequest({ page, isScreenshot }: Wish, { url, site }: LoadTarget, report: LoadReport): Promise<void> {
  const startedAt = performance.now()
  const note = (reason: string) => report.reasons.length < MAX_REASONS && report.reasons.push(reason)
  try {
    const form: Record<string, string> = isScreenshot
      ? { screenshot: 'true', embed: 'screenshot.url' }
      : { ping: 'false' }
    const query = new URLSearchParams({ url: site.pageUrl(page), ...form })
    const response = await fetch(`${url}/?${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200) {
      report.failed++
      note(`${response.status} ${bytes.toString().slice(0, 200)}`)
    } else if (!(isScreenshot ? await hasColourOf(page, bytes) : hasTitleOf(page, bytes))) {
      report.wrong++
      note(`wrong for page ${page}: ${bytes.toString().slice(0, 200)}`)
    }
  } catch (error) {
    report.failed++
    note(String(error instanceof Error ? (error.cause ?? error) : error))
  }
  report.slowestMs = Math.max(report.slowestMs, performance.now() - startedAt)
}

const hasTitleOf = (page: number, bytes: Buffer) =>
  (JSON.parse(bytes.toString()) as { data: { title: string } }).data.title === titleOf(page)

async function hasColourOf(page: number, bytes: Buffer): Promise<boolean> {
  const seen = await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer()
  return colourOf(page).every((value, channel) => Math.abs(value - seen[channel]!) <= MAX_COLOUR_DIFFERENCE)
}
