import { canParseUrl } from '../../query/written-url.js'
import type { CDPSession, Protocol } from 'puppeteer-core'
import { hasLongHost, type HostList } from '../../query/help/index.js'
import type { PageQuery } from '../../query/index.js'
import { BLOCKABLE_TYPES, type BlockableType } from './ad-blocker.js'
import type { Visit } from './visit.js'

type PausedRequest = Protocol.Fetch.RequestPausedEvent
type Header = [name: string, value: string]

/** The service's own key, and `user-agent`, which is emulated so that scripts see it too. */
const EXCLUDED_HEADERS = new Set(['apiKey', 'user-agent'])
const VISUAL_TYPES = ['Image', 'Font', 'Media'] as const
const RESTRICTED_TYPES = ['Document', 'Stylesheet'] as const

/**
 * Adds the query's `headers` to every request to the target's own origin, and to no other, since they may be credentials:
 * `Network.setExtraHTTPHeaders` would send them to every third party. Also blocks ads; that is cosmetic, because the proxy alone
 * decides which hosts may be reached.
 */
export async function interceptRequests({
  page,
  query,
  adBlocker,
  isTextOnly,
  allowedHosts,
  explainer,
}: Visit): Promise<void> {
  const { session, frameId } = page
  const { url, headers = {} } = query
  const ownHeaders = Object.entries(headers).filter(([name]) => !EXCLUDED_HEADERS.has(name))
  if (!ownHeaders.length && !adBlocker && !isTextOnly && !allowedHosts) return
  const { origin } = new URL(url)
  const { referer } = headers
  let pageUrl = url
  const isForbidden = allowedHosts && leadsToOtherHost(frameId, query, allowedHosts)

  const shouldBlock = ({ request, resourceType: type, frameId: frame }: PausedRequest) => {
    const isPage = type === 'Document' && frame === frameId
    if (isPage) pageUrl = request.url
    if (isPage) return false
    if (isTextOnly && VISUAL_TYPES.some((visual) => visual === type)) return true
    const isAd = isBlockable(type) && adBlocker?.blocks({ url: request.url, pageUrl, type })
    if (isAd) explainer?.addBlockedUrl(request.url)
    return isAd
  }
  session.on('Fetch.requestPaused', (paused) => {
    const response = isForbidden?.(paused)
      ? failRequest(session, paused)
      : shouldBlock(paused)
        ? blockRequest(session, paused)
        : continueRequest(session, paused, { origin, ownHeaders, referer })
    // Fails only when the request or the page is gone.
    response.catch(() => undefined)
  })
  // Chromium keeps a replaced referer across redirects, so requests to other origins have to be intercepted too.
  const ownPatterns = ownHeaders.length ? [{ urlPattern: referer === undefined ? `${origin}/*` : '*' }] : []
  const adPatterns = adBlocker ? BLOCKABLE_TYPES.map((resourceType) => ({ resourceType })) : []
  const visualPatterns = isTextOnly ? VISUAL_TYPES.map((resourceType) => ({ resourceType })) : []
  const restrictedPatterns = allowedHosts ? RESTRICTED_TYPES.map((resourceType) => ({ resourceType })) : []
  await session.send('Fetch.enable', {
    patterns: [...ownPatterns, ...adPatterns, ...visualPatterns, ...restrictedPatterns],
  })
}

/**
 * Whether a request would lead a restricted visit to another host: a navigation of the main frame, or a redirect of a style sheet
 * in `styles`. What the page itself loads may be anywhere.
 */
function leadsToOtherHost(
  frameId: string,
  { styles = [] }: PageQuery,
  allowedHosts: HostList,
): (paused: PausedRequest) => boolean {
  const styleUrls = new Set([styles].flat().flatMap(withoutFragment))
  const styleRequests = new Set<string | undefined>()
  return ({ request: { url }, resourceType, frameId: frame, networkId }) => {
    const isPage = resourceType === 'Document' && frame === frameId
    if (resourceType === 'Stylesheet' && networkId && styleUrls.has(url)) styleRequests.add(networkId)
    return (isPage || styleRequests.has(networkId)) && /^https?:/.test(url) && !allowedHosts.allows(url)
  }
}

/** The URL as DevTools events report it. */
function withoutFragment(style: string): string[] {
  if (!/^https?:/i.test(style.trim()) || hasLongHost(style) || !canParseUrl(style.trim())) return []
  const url = new URL(style.trim())
  url.hash = ''
  return [url.href]
}

/** A frame or an image that fails to load would be visible, so these receive an empty response. */
const EMPTY_RESPONSES: Partial<Record<Protocol.Network.ResourceType, { type: string; body: string }>> = {
  Document: { type: 'text/html', body: '' },
  Image: { type: 'image/gif', body: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
}

function blockRequest(session: CDPSession, { requestId, resourceType }: PausedRequest): Promise<void> {
  const empty = EMPTY_RESPONSES[resourceType]
  if (!empty) return failRequest(session, { requestId })
  const responseHeaders = [{ name: 'content-type', value: empty.type }]
  return session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: empty.body })
}

const failRequest = (session: CDPSession, { requestId }: Pick<PausedRequest, 'requestId'>) =>
  session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })

function continueRequest(
  session: CDPSession,
  { requestId, request, redirectedRequestId }: PausedRequest,
  { origin, ownHeaders, referer }: { origin: string; ownHeaders: readonly Header[]; referer: string | undefined },
): Promise<void> {
  const isOwnOrigin = ownHeaders.length > 0 && originOf(request.url) === origin
  if (isOwnOrigin)
    return session.send('Fetch.continueRequest', { requestId, headers: mergeHeaders(request.headers, ownHeaders) })
  const headers = redirectedRequestId && withoutReferer(request.headers, referer)
  // Chromium applies changes to a redirected request only together with its URL.
  return session.send('Fetch.continueRequest', { requestId, ...(headers && { headers, url: request.url }) })
}

/** `undefined` if the request does not carry the referer of the query, compared by origin since Chromium normalises it. */
function withoutReferer(
  headers: Record<string, string>,
  referer: string | undefined,
): Protocol.Fetch.HeaderEntry[] | undefined {
  const [name, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'referer') ?? []
  if (!name || !value || !referer || originOf(value) !== originOf(referer)) return undefined
  // Chromium keeps the referer unless an empty one replaces it.
  return mergeHeaders(headers, [[name, '']])
}

const originOf = (url: string) => (canParseUrl(url) ? new URL(url).origin : undefined)

function mergeHeaders(headers: Record<string, string>, ownHeaders: readonly Header[]): Protocol.Fetch.HeaderEntry[] {
  const overridden = new Set(ownHeaders.map(([name]) => name.toLowerCase()))
  const others = Object.entries(headers).filter(([name]) => !overridden.has(name.toLowerCase()))
  return [...others, ...ownHeaders].map(([name, value]) => ({ name, value }))
}

const isBlockable = (type: string): type is BlockableType => BLOCKABLE_TYPES.some((blockable) => blockable === type)
