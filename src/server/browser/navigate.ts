import type { PageQuery } from '../../query/index.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'

/**
 * Navigates to the URL of the query; resolves when the first document has arrived or the navigation has failed.
 *
 * The query's `referer` is not the navigation's referrer, which Chromium would send to every origin that the page redirects
 * to; `interceptRequests` adds it to requests of the page's own origin.
 */
export async function navigate(
  { session }: OpenPage,
  frame: MainFrame,
  { query: { url }, signal }: { query: PageQuery; signal: AbortSignal },
): Promise<void> {
  // The browser responds to the command only when the server has.
  await session.send('Page.navigate', { url })
  await frame.waitUntil(() => frame.document() !== undefined || frame.failure() !== undefined, { signal })
}
