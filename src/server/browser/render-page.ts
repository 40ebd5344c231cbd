import { judgePage } from '../page-state/index.js'
import type { RenderedPage } from './capture.js'
import { observePage } from './observe-page.js'
import type { OpenPage } from './open-page.js'
import { serializeDocument } from './serialize-document.js'
import { settleAgain, visitPage, type VisitPageOptions } from './visit-page.js'
import { isTemporary, waitForContent } from './wait-for-content.js'

/**
 * Opens the page of a query without images, fonts and media, and serializes its document after its scripts have run. A page that
 * does not show its content gets more time once.
 *
 * @throws  {PageError} as `visitPage` does.
 */
export async function renderPage(
  page: OpenPage,
  options: Omit<VisitPageOptions, 'isTextOnly' | 'warn'>,
): Promise<Omit<RenderedPage, 'timings' | 'isProvisional'>> {
  const { deadline } = options
  let warnings: string[] = []
  const visit = { ...options, isWhole: true, isTextOnly: true, warn: (warning: string) => void warnings.push(warning) }
  const frame = await visitPage(page, visit)
  const observe = () => observePage(page, frame, visit)
  const { loaderId } = frame.document()!
  let observation = await observe()
  let state = observation && judgePage(observation)
  if (
    observation &&
    isTemporary(state) &&
    (await waitForContent(page, frame, state, { ...visit, previous: observation }))
  ) {
    const isReplaced = frame.document()?.loaderId !== loaderId
    // Warnings about the previous document no longer apply.
    if (isReplaced) warnings = []
    await settleAgain(page, frame, { ...visit, isReplaced })
    observation = await observe()
    state = observation && judgePage(observation)
  }
  const html = await serializeDocument(page)
  const { url, statusCode } = frame.document()!
  return { html, url, statusCode, state, isCutShort: deadline.remainingWaitMs() === 0, warnings }
}
