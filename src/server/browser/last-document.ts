import type { CDPSession } from 'puppeteer-core'
import { PageError } from '../../query/index.js'
import { quote } from '../quote.js'
import { abortable, withinTime } from './abortable.js'
import { atMost, type MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { DocumentReplacedError } from './run-in-page.js'
import type { Visit } from './visit.js'
import { settlePage } from './visit-page.js'

/** Of a page that goes on again and again, what was captured last is the result. */
const MAX_REPLACEMENTS = 3
const MAX_ATTEMPTS = 20
/** A call may fail this much earlier than the browser reports the document that has caused it. */
const REPORT_MS = 300
const POLL_MS = 25
/** Most calls for a document succeed within this time after a navigation has begun; the rest are held back until it ends. */
const MAX_NAVIGATING_MS = 500
/** Time for one call to the browser; large screenshots take seconds on a busy machine. */
const CALL_TIMEOUT_MS = 15_000

/**
 * Settles the page and runs a task on its document. If another document replaces it meanwhile, or is on its way, both start over on
 * that one.
 *
 * @param task  Receives the visit of its document, whose signal aborts and whose calls fail once the document is replaced.
 * @throws      {PageError} `EMAXREDIRECTS` if no document stayed for as long as the task takes; what the task throws on a document that stays.
 */
export async function onLastDocument<Result>(visit: Visit, task: (visit: Visit) => Promise<Result>): Promise<Result> {
  const { frame, deadline, signal } = visit
  let latest: { result: Result } | undefined
  for (let replacements = 0; ; replacements++) {
    let loaderId = frame.document()?.loaderId
    const isReplaced = () => frame.document()?.loaderId !== loaderId || frame.isNavigating()
    try {
      await settlePage(visit)
      loaderId = frame.document()?.loaderId
      const result = await runOnDocument(visit, task)
      if (!isReplaced()) return result
      latest = { result }
    } catch (error) {
      signal.throwIfAborted()
      // The messages of the errors differ with the moment and the call, so the events decide.
      const isCause =
        error instanceof DocumentReplacedError ||
        (await frame.waitUntil(
          isReplaced,
          atMost(reportMs(error), () => Infinity),
        ))
      if (!isCause || frame.failure()) throw error
    }
    const hasTime = deadline.limitWait() > 0 && !frame.isRestless() && replacements < MAX_ATTEMPTS
    if (latest && (replacements >= MAX_REPLACEMENTS || !hasTime)) return latest.result
    if (!hasTime) throw restlessError(frame)
  }
}

const restlessError = (frame: MainFrame): PageError =>
  new PageError(
    'EMAXREDIRECTS',
    `The page went through ${frame.documentCount()} documents by script, the last of them ${quote(frame.document()!.url)}, and none stayed long enough to be captured. Request the URL that shows the page in a browser.`,
  )

const reportMs = (error: unknown): number => (error instanceof PageError ? 0 : REPORT_MS)

async function runOnDocument<Result>(visit: Visit, task: (visit: Visit) => Promise<Result>): Promise<Result> {
  const { frame } = visit
  const loaderId = frame.document()?.loaderId
  const replaced = new AbortController()
  let navigatingMs = 0
  const poll = setInterval(() => {
    navigatingMs = frame.isNavigating() ? navigatingMs + POLL_MS : 0
    if (frame.document()?.loaderId !== loaderId || navigatingMs > MAX_NAVIGATING_MS)
      replaced.abort(new DocumentReplacedError())
  }, POLL_MS)
  const signal = AbortSignal.any([visit.signal, replaced.signal])
  try {
    return await abortable(task({ ...visit, signal, page: limitCalls(visit.page, signal) }), signal)
  } finally {
    clearInterval(poll)
  }
}

/**
 * The page with a limit on each call: Chromium does not respond to `Page.captureScreenshot` at all if a navigation commits meanwhile.
 */
function limitCalls(page: OpenPage, signal: AbortSignal): OpenPage {
  const limit = <Result>(call: Promise<Result>) => withinTime(call, { timeoutMs: CALL_TIMEOUT_MS, signal })
  const send: CDPSession['send'] = (...call) => limit(page.session.send(...call))
  const session = new Proxy(page.session, {
    get(target, key) {
      if (key === 'send') return send
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
  return { ...page, session, captureScreenshot: (options) => limit(page.captureScreenshot(options, signal)) }
}
