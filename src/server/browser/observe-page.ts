import type { PageQuery } from '../../query/index.js'
import type { ObservedDocument, PageObservation } from '../page-state/index.js'
import type { MainFrame } from './main-frame.js'
import { OBSERVE_DOCUMENT } from './observe-document.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { withinTime } from './within-time.js'

export interface ObservePageOptions {
  query: PageQuery
  /** Whether the result shows the page, and not a part of it. */
  isWhole: boolean
  /** Whether images, fonts and media have been skipped. */
  isTextOnly: boolean
  /** Default: 3 seconds. */
  timeoutMs?: number
  signal: AbortSignal
}

/** It takes milliseconds, unless scripts keep the page busy. */
const TIMEOUT_MS = 3_000
const LIMITS = {
  maxNodes: 5_000,
  maxTextChars: 4_000,
  /** More than any page has that shows something other than its content. */
  enoughChars: 4_100,
  maxHtmlChars: 50_000,
  /** The HTML of longer pages is not read. */
  maxCharsWithHtml: 2_500,
  maxElementsWithHtml: 1_000,
}

/** What the page shows; `undefined` where its document is replaced, cannot be read, or does not respond in time. */
export async function observePage(
  page: OpenPage,
  frame: MainFrame,
  { query, isWhole, isTextOnly, timeoutMs = TIMEOUT_MS, signal }: ObservePageOptions,
): Promise<PageObservation | undefined> {
  const loaderId = frame.document()?.loaderId
  try {
    const reading = runInPage<ObservedDocument>(page, OBSERVE_DOCUMENT, { ...LIMITS, isTextOnly })
    const document = await withinTime(reading, { timeoutMs, signal })
    const loaded = frame.document()
    if (!loaded || loaded.loaderId !== loaderId) return undefined
    const { url, statusCode, headers } = loaded
    const hidesBanners = query.adblock !== false
    return { requestedUrl: query.url, url, statusCode, headers, document, isWhole, hidesBanners }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
