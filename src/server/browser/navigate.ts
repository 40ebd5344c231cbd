import type { PageQuery } from '../../query/index.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'

/** Navigates to the URL of the query; resolves when the first document has arrived or the navigation has failed. */
export async function navigate(
  { session }: OpenPage,
  frame: MainFrame,
  { query: { url, headers }, signal }: { query: PageQuery; signal: AbortSignal },
): Promise<void> {
  const referrer = headers?.referer
  await session.send('Page.navigate', { url, ...(referrer && { referrer }) })
  await frame.waitUntil(() => frame.document() !== undefined || frame.failure() !== undefined, { signal })
}
