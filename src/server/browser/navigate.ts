import { PageError, type PageQuery } from '../../query/index.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import type { Deadline } from './start-deadline.js'

/**
 * Navigates to the URL of the query; resolves when the first document has arrived or the navigation has failed, and rejects when
 * the visit has to yield before.
 *
 * The query's `referer` is not the navigation's referrer, which Chromium would send to every origin that the page redirects
 * to; `interceptRequests` adds it to requests of the page's own origin.
 */
export async function navigate(
  { session }: OpenPage,
  frame: MainFrame,
  { query: { url }, deadline, signal }: { query: PageQuery; deadline: Deadline; signal: AbortSignal },
): Promise<void> {
  const hasResponse = () => frame.document() !== undefined || frame.failure() !== undefined
  const remainingMs = () => (deadline.mustYield() ? 0 : Infinity)
  const response = frame.waitUntil(hasResponse, { remainingMs, signal })
  // The browser responds to the command only when the server has.
  const navigating = session.send('Page.navigate', { url })
  const isAnswered = navigating.then(() => response)
  if (await Promise.race([isAnswered, response.then((hasResponded) => hasResponded && isAnswered)])) return
  throw new PageError('ETIMEOUT', 'The page did not respond in time. Try again later.')
}
