import type { CDPSession, Protocol } from 'puppeteer-core'
import type { PageQuery } from '../../query/index.js'
import { BLOCKABLE_TYPES, type AdBlocker, type BlockableType } from './ads/load-ad-blocker.js'
import type { OpenPage } from './open-page.js'

export interface InterceptRequestsOptions {
  adBlocker: AdBlocker | undefined
  /** Whether images, fonts and media are blocked as well. */
  isTextOnly: boolean
}

type Header = [name: string, value: string]

/** The service's own key, and `user-agent`, which is emulated so that scripts see it too. */
const EXCLUDED_HEADERS = new Set(['apiKey', 'user-agent'])
const VISUAL_TYPES = ['Image', 'Font', 'Media'] as const

/**
 * Adds the query's `headers` to every request to the target's own origin, and to no other, since they may be credentials:
 * `Network.setExtraHTTPHeaders` would send them to every third party. Also blocks ads; that is cosmetic, because the proxy alone
 * decides which hosts may be reached.
 */
export async function interceptRequests(
  { session, frameId }: OpenPage,
  { url, headers = {} }: PageQuery,
  { adBlocker, isTextOnly }: InterceptRequestsOptions,
): Promise<void> {
  const ownHeaders = Object.entries(headers).filter(([name]) => !EXCLUDED_HEADERS.has(name))
  if (!ownHeaders.length && !adBlocker && !isTextOnly) return
  const { origin } = new URL(url)
  let pageUrl = url

  const shouldBlock = ({ request, resourceType: type, frameId: frame }: Protocol.Fetch.RequestPausedEvent) => {
    const isPage = type === 'Document' && frame === frameId
    if (isPage) pageUrl = request.url
    if (isPage) return false
    if (isTextOnly && VISUAL_TYPES.some((visual) => visual === type)) return true
    return isBlockable(type) && adBlocker?.blocks({ url: request.url, pageUrl, type })
  }
  session.on('Fetch.requestPaused', (paused) => {
    const response = shouldBlock(paused)
      ? blockRequest(session, paused)
      : continueRequest(session, paused, { origin, ownHeaders })
    // Fails only when the request or the page is gone.
    response.catch(() => undefined)
  })
  const ownPatterns = ownHeaders.length ? [{ urlPattern: `${origin}/*` }] : []
  const adPatterns = adBlocker ? BLOCKABLE_TYPES.map((resourceType) => ({ resourceType })) : []
  const visualPatterns = isTextOnly ? VISUAL_TYPES.map((resourceType) => ({ resourceType })) : []
  await session.send('Fetch.enable', { patterns: [...ownPatterns, ...adPatterns, ...visualPatterns] })
}

/** A frame or an image that fails to load would be visible, so these receive an empty response. */
const EMPTY_RESPONSES: Partial<Record<Protocol.Network.ResourceType, { type: string; body: string }>> = {
  Document: { type: 'text/html', body: '' },
  Image: { type: 'image/gif', body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
}

function blockRequest(
  session: CDPSession,
  { requestId, resourceType }: Protocol.Fetch.RequestPausedEvent,
): Promise<void> {
  const empty = EMPTY_RESPONSES[resourceType]
  if (!empty) return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  const responseHeaders = [{ name: 'content-type', value: empty.type }]
  return session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: empty.body })
}

function continueRequest(
  session: CDPSession,
  { requestId, request }: Protocol.Fetch.RequestPausedEvent,
  { origin, ownHeaders }: { origin: string; ownHeaders: readonly Header[] },
): Promise<void> {
  const isOwnOrigin = ownHeaders.length > 0 && new URL(request.url).origin === origin
  const headers = isOwnOrigin && mergeHeaders(request.headers, ownHeaders)
  return session.send('Fetch.continueRequest', { requestId, ...(headers && { headers }) })
}

function mergeHeaders(headers: Record<string, string>, ownHeaders: readonly Header[]): Protocol.Fetch.HeaderEntry[] {
  const overridden = new Set(ownHeaders.map(([name]) => name.toLowerCase()))
  const others = Object.entries(headers).filter(([name]) => !overridden.has(name.toLowerCase()))
  return [...others, ...ownHeaders].map(([name, value]) => ({ name, value }))
}

const isBlockable = (type: string): type is BlockableType => BLOCKABLE_TYPES.some((blockable) => blockable === type)
