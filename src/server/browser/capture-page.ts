import { isPageError, type PageError, type PageState } from '../../query/index.js'
import type { Images } from '../images/index.js'
import { judgePage, type PageObservation } from '../page-state/index.js'
import type { Caller } from '../request-scope.js'
import type { Capture } from './capture.js'
import { captureDocument, type CaptureDocumentOptions, type DocumentCapture } from './capture-document.js'
import type { MainFrame } from './main-frame.js'
import { observePage } from './observe-page.js'
import type { OpenPage } from './open-page.js'
import type { Overlay } from './overlay/prepare-overlay.js'
import { serializeDocument } from './serialize-document.js'
import { settleAgain, visitPage, type VisitPageOptions } from './visit-page.js'
import { isTemporary, waitForContent } from './wait-for-content.js'

export interface CapturePageOptions
  extends Omit<VisitPageOptions, 'isTextOnly' | 'warn'>, Pick<Caller, 'client' | 'turns'> {
  images: Images
  /** Prepared at the same time as the page; its failure ends the capture. */
  overlay: Promise<Overlay> | undefined
  /** Called once the page has loaded: whether its document is needed too. */
  needsHtml: () => boolean
}

/** The outcome of one attempt. An element may be missing because the page does not show its content. */
interface Attempt {
  state: PageState | undefined
  observation: PageObservation | undefined
  result: DocumentCapture['capture'] | PageError
}

/**
 * Takes the screenshot of a query in a new page. A page that does not show its content is waited for, and captured once more.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's, and a new context may help.
 */
export async function capturePage(
  page: OpenPage,
  options: CapturePageOptions,
): Promise<Omit<Capture, 'timings' | 'isProvisional'>> {
  // A set, because a second attempt with the same document repeats the warnings of the first.
  const warnings = new Set<string>()
  const visit = { ...options, isTextOnly: false, warn: (warning: string) => void warnings.add(warning) }
  const [overlay, frame] = await Promise.all([options.overlay, visitPage(page, visit)])
  const capture = { ...visit, overlay }

  const { loaderId } = frame.document()!
  let attempt = await tryCapture(page, frame, capture)
  if (await waitForOtherContent(page, frame, attempt, { ...capture, loaderId })) {
    const isReplaced = frame.document()?.loaderId !== loaderId
    // Warnings about the previous document no longer apply.
    if (isReplaced) warnings.clear()
    await settleAgain(page, frame, { ...visit, isReplaced })
    attempt = await tryCapture(page, frame, capture)
  }
  const captured =
    attempt.result instanceof Error ? await captureWholePage(page, frame, attempt, capture) : attempt.result
  if (captured instanceof Error) throw captured
  // The page may have stopped responding since.
  options.deadline.enterStage('wait')
  const html = options.needsHtml() ? await serializeDocument(page) : undefined
  return { ...captured, html, warnings: [...warnings] }
}

async function tryCapture(page: OpenPage, frame: MainFrame, options: CaptureDocumentOptions): Promise<Attempt> {
  try {
    const { capture, observation } = await captureDocument(page, frame, options)
    return { state: capture.state, observation, result: capture }
  } catch (error) {
    if (!isPageError(error) || error.code !== 'EELEMENT') throw error
    const observation = await observePage(page, frame, { ...options, isWhole: false })
    return { state: observation && judgePage(observation), observation, result: error }
  }
}

/** States in which a page shows none of its content, and so none of its elements. */
const WITHOUT_CONTENT: readonly (PageState | undefined)[] = ['bot-check', 'error-page', 'login']

/** Captures the whole page when its state explains why an element is missing; returns the error otherwise. */
async function captureWholePage(
  page: OpenPage,
  frame: MainFrame,
  { state, result }: Attempt,
  options: CaptureDocumentOptions,
): Promise<Attempt['result']> {
  if (!WITHOUT_CONTENT.includes(state)) return result
  const query = { ...options.query, element: undefined }
  const { capture } = await captureDocument(page, frame, { ...options, query })
  return capture.state ? capture : result
}

/** Waits for other content where it may appear. Resolves to whether the page shows something else now. */
async function waitForOtherContent(
  page: OpenPage,
  frame: MainFrame,
  { state, observation }: Attempt,
  options: CaptureDocumentOptions & { loaderId: string },
): Promise<boolean> {
  if (frame.document()?.loaderId !== options.loaderId) return true
  return (
    observation !== undefined &&
    isTemporary(state) &&
    waitForContent(page, frame, state, { ...options, isWhole: observation.isWhole, previous: observation })
  )
}
