import type { Protocol } from 'puppeteer-core'
import type { PageQuery } from '../../query/index.js'
import { BLOCKABLE_TYPES, type AdBlocker, type BlockableType } from './ads/ad-blocker.js'
import type { OpenPage } from './open-page.js'

/** `user-agent` is emulated, so that scripts see it too. */
const NOT_SENT_HERE = new Set(['apiKey', 'user-agent'])
/** What only eyes and ears need. */
const HEAVY_TYPES = ['Image', 'Font', 'Media'] as const

/**
 * Adds the query's `headers` to every request of the page to the target's own origin, and to no other: they may be credentials.
 * `Network.setExtraHTTPHeaders` would send them to every third party. And keeps ads out, for the picture's sake only: what may be
 * reached at all is decided by the proxy.
 *
 * @param isLight  Whether pictures, fonts, sound and film are kept out as well.
 */
export async function interceptRequests(
  { session, frameId }: OpenPage,
  { url, headers = {} }: PageQuery,
  { adBlocker, isLight }: { adBlocker: AdBlocker | undefined; isLight: boolean },
): Promise<void> {
  const own = Object.entries(headers).filter(([name]) => !NOT_SENT_HERE.has(name))
  if (!own.length && !adBlocker && !isLight) return
  const { origin } = new URL(url)
  let pageUrl = url

  const answer = ({ requestId, request, resourceType, frameId: frame }: Protocol.Fetch.RequestPausedEvent) => {
    const isPage = resourceType === 'Document' && frame === frameId
    if (isPage) pageUrl = request.url
    const isUnseen = isLight && HEAVY_TYPES.some((heavy) => heavy === resourceType)
    const isAd = () => isBlockable(resourceType) && adBlocker?.blocks({ url: request.url, pageUrl, type: resourceType })
    if (!isPage && (isUnseen || isAd())) return withhold(requestId, resourceType)
    const isOwn = own.length > 0 && new URL(request.url).origin === origin
    return session.send('Fetch.continueRequest', {
      requestId,
      ...(isOwn && { headers: replaceHeaders(request.headers, own) }),
    })
  }
  const withhold = (requestId: string, type: Protocol.Network.ResourceType) => {
    const empty = EMPTY[type]
    if (!empty) return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    const responseHeaders = [{ name: 'content-type', value: empty.type }]
    return session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: empty.body })
  }

  // Fails only when the request or the page is gone.
  session.on('Fetch.requestPaused', (paused) => void answer(paused).catch(() => undefined))
  const ofHeaders = own.length ? [{ urlPattern: `${origin}/*` }] : []
  const ofAds = adBlocker ? BLOCKABLE_TYPES.map((resourceType) => ({ resourceType })) : []
  const heavy = isLight ? HEAVY_TYPES.map((resourceType) => ({ resourceType })) : []
  await session.send('Fetch.enable', { patterns: [...ofHeaders, ...ofAds, ...heavy] })
}

/** A frame or a picture that failed would be seen, and so is given, but empty. */
const EMPTY: Partial<Record<Protocol.Network.ResourceType, { type: string; body: string }>> = {
  Document: { type: 'text/html', body: '' },
  Image: { type: 'image/gif', body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
}

const isBlockable = (type: string): type is BlockableType => BLOCKABLE_TYPES.some((blockable) => blockable === type)

function replaceHeaders(sent: Record<string, string>, own: [name: string, value: string][]) {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()))
  return [...kept, ...own].map(([name, value]) => ({ name, value }))
}
