import { judgePage } from '../page-state/index.js'
import type { RenderedPage } from './capture.js'
import { observePage } from './observe-page.js'
import type { OpenPage } from './open-page.js'
import { serializeDocument } from './serialize-document.js'
import { settleAgain, visitPage, type VisitPageOptions } from './visit-page.js'
import { isTemporary, waitForContent } from './wait-for-content.js'

/**
 * Opens the page of a query without images, fonts and media, and serializes its document after its scripts have run; one that
 * does not show its content is waited for once.
 *
 * @throws  {PageError} as `visitPage` does.
 */
export async function renderPage(
  page: OpenPage,
  options: Omit<VisitPageOptions, 'isTextOnly' | 'warn'>,
): Promise<Omit<RenderedPage, 'timings'>> {
  const { deadline } = options
  let warnings: string[] = []
  const visit = { ...options, isWhole: true, isTextOnly: true, warn: (warning: string) => void warnings.push(warning) }
  const frame = await visitPage(page, visit)
  const observe = () => observePage(page, frame, visit)
  const { loaderId } = frame.document()!
  let seen = await observe()
  let state = seen && judgePage({ ...seen, pixels: undefined })
  if (seen && isTemporary(state) && (await waitForContent(page, frame, state, { ...visit, seen }))) {
    const isReplaced = frame.document()?.loaderId !== loaderId
    // Those of another document no longer apply.
    if (isReplaced) warnings = []
    await settleAgain(page, frame, { ...visit, isReplaced })
    seen = await observe()
    state = seen && judgePage({ ...seen, pixels: undefined })
  }
  const html = await serializeDocument(page)
  const { url, statusCode } = frame.document()!
  return { html, url, statusCode, state, isCutShort: deadline.waitLeftMs() === 0, warnings }
}
