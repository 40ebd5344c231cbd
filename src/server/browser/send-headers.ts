import type { PageQuery } from '../../query/index.js'
import type { OpenPage } from './open-page.js'

/** `user-agent` is emulated, so that scripts see it too. */
const NOT_SENT_HERE = new Set(['apiKey', 'user-agent'])

/**
 * Adds the query's `headers` to every request of the page to the target's own origin, and to no other: they may be credentials.
 * Interception by address does that at the cost of a few milliseconds a request, and only for queries with headers;
 * `Network.setExtraHTTPHeaders` would send them to every third party.
 */
export async function sendHeaders({ session }: OpenPage, { url, headers = {} }: PageQuery): Promise<void> {
  const own = Object.entries(headers).filter(([name]) => !NOT_SENT_HERE.has(name))
  if (!own.length) return
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const { origin } = new URL(url)
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isOwn = new URL(request.url).origin === origin
    const kept = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()))
    const changed = [...kept, ...own].map(([name, value]) => ({ name, value }))
    // Fails only when the request or the page is gone.
    session.send('Fetch.continueRequest', { requestId, ...(isOwn && { headers: changed }) }).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] })
}
