import type { PageQuery } from '../../query/index.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'

/** Goes to the page of the query; done when its first document, or the failure to get one, is there. */
export async function navigate(
  { session }: OpenPage,
  frame: MainFrame,
  { query: { url, headers }, signal }: { query: PageQuery; signal: AbortSignal },
): Promise<void> {
  const referrer = headers?.referer
  await session.send('Page.navigate', { url, ...(referrer && { referrer }) })
  await frame.until(() => frame.shown() !== undefined || frame.failure() !== undefined, { signal })
}
