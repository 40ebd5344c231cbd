import type { CDPSession, Protocol } from 'puppeteer-core'
import type { SessionSetups } from './open-page.js'

/** A request that the browser has not finished. */
export interface RequestInFlight {
  /** The URL that the page requested, before redirects. */
  url: string
  type: Protocol.Network.ResourceType
  /** The main frame or another one; `undefined` for requests of workers. */
  frameId: string | undefined
  /** Milliseconds since the latest sign of life: it was sent, or a part of its response arrived. */
  idleMs: number
}

/** Which requests of a page, its frames and its workers are in flight, and how long none has been. */
export interface NetworkActivity {
  /** Without streams and polls, which go on for as long as the page is open. */
  inFlight(): RequestInFlight[]
  /** URLs of requests of the current document that were blocked, by the visit or by its ad blocker; at most 500. */
  blocked(): string[]
  isQuietFor(ms: number): boolean
  restartQuietPeriod(): void
  /** Forgets what earlier documents of the page have requested; the browser reports no end of that. */
  startDocument(loaderId: string): void
}

/** Requests that never finish, or that do not change what the page shows. */
const IGNORED_TYPES = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Preflight', 'Prefetch', 'Manifest'])
/** Responses that never end; the images of webcams among them. */
const STREAM_TYPES = /^(?:text\/event-stream|multipart\/x-mixed-replace|application\/(?:x-)?ndjson|application\/grpc)/
/** A response to a script from which nothing has arrived for this long is a stream. */
const STREAM_IDLE_MS = 2_500
/** A URL that was requested this often over this time is polled. */
const MIN_POLLS = 4
const MIN_POLLING_MS = 2_500
/** Parameters that only keep caches away. */
const CACHE_BUSTERS = new Set(['_', 't', 'ts', 'cb', 'r', 'rnd', 'rand', 'random', 'nocache', 'time', 'timestamp'])
/** A page may request any number of URLs. */
const MAX_POLLED_URLS = 500
const MAX_BLOCKED_URLS = 500
const MAX_KEY_CHARS = 500

interface TrackedRequest extends Pick<RequestInFlight, 'url' | 'type' | 'frameId'> {
  session: CDPSession
  loaderId: string
  key: string
  isStream: boolean
  hasResponse: boolean
  activeAt: number
}

export function trackNetworkActivity(setups: SessionSetups): NetworkActivity {
  const requests = new Map<string, TrackedRequest>()
  const polls = countPolls()
  let blocked: Pick<TrackedRequest, 'url' | 'loaderId'>[] = []
  let quietSince = performance.now()

  const restartQuietPeriod = () => {
    quietSince = performance.now()
  }
  const isEndless = ({ isStream, hasResponse, type, key, activeAt }: TrackedRequest) => {
    const isFromScript = type === 'Fetch' || type === 'XHR'
    const isSilent = hasResponse && performance.now() - activeAt >= STREAM_IDLE_MS
    return isStream || (isFromScript && (isSilent || polls.isPolled(key)))
  }
  const remove = (requestId: string, request: TrackedRequest) => {
    requests.delete(requestId)
    if (!isEndless(request)) restartQuietPeriod()
  }
  const finish = ({ requestId }: { requestId: string }) => {
    const request = requests.get(requestId)
    if (request) remove(requestId, request)
  }
  const touch = ({ requestId }: { requestId: string }) => {
    const request = requests.get(requestId)
    if (request) request.activeAt = performance.now()
  }
  // The page reports that the script of a worker is requested, and the worker that it has arrived.
  const trackSession = async (session: CDPSession) => {
    session.on('Network.requestWillBeSent', (event) => {
      const { requestId, loaderId, type = 'Other', request, frameId, redirectResponse } = event
      if (IGNORED_TYPES.has(type) || /^(data|blob):/.test(request.url)) return
      const activeAt = performance.now()
      const redirected = redirectResponse && requests.get(requestId)
      if (redirected) redirected.activeAt = activeAt
      if (redirected) return
      const { url } = request
      const tracked = {
        url,
        type,
        frameId,
        session,
        loaderId,
        key: keyOf(request),
        isStream: false,
        hasResponse: false,
        activeAt,
      }
      polls.count(tracked.key)
      requests.set(requestId, tracked)
      if (!isEndless(tracked)) restartQuietPeriod()
    })
    session.on('Network.responseReceived', ({ requestId, response }) => {
      touch({ requestId })
      const request = requests.get(requestId)
      if (!request) return
      request.hasResponse = true
      request.isStream = STREAM_TYPES.test(response.mimeType)
    })
    session.on('Network.dataReceived', touch)
    session.on('Network.loadingFinished', finish)
    session.on('Network.loadingFailed', ({ requestId, blockedReason }) => {
      const request = blockedReason === 'inspector' && requests.get(requestId)
      if (request && blocked.length < MAX_BLOCKED_URLS) blocked.push(request)
      finish({ requestId })
    })
    session.on('sessiondetached', (child) => {
      for (const [requestId, { session: owner }] of requests) if (owner === child) requests.delete(requestId)
    })
  }
  void setups.add(trackSession)

  const counted = () => [...requests.values()].filter((request) => !isEndless(request))
  return {
    inFlight: () =>
      counted().map(({ url, type, frameId, activeAt }) => ({
        url,
        type,
        frameId,
        idleMs: performance.now() - activeAt,
      })),
    blocked: () => blocked.map(({ url }) => url),
    isQuietFor: (ms) => performance.now() - quietSince >= ms && counted().length === 0,
    restartQuietPeriod,
    startDocument(loaderId) {
      for (const [requestId, request] of requests) if (request.loaderId !== loaderId) requests.delete(requestId)
      blocked = blocked.filter((request) => request.loaderId === loaderId)
    },
  }
}

/** Equal for the requests of one poll: method, URL without what keeps caches away, and body. */
function keyOf({ method, url, postData = '' }: Protocol.Network.Request): string {
  const [path = '', search = ''] = url.slice(0, MAX_KEY_CHARS).split('?', 2)
  const parameters = search.split('&').filter((each) => !CACHE_BUSTERS.has(each.split('=', 1)[0]!))
  return `${method} ${path}?${parameters.join('&')} ${postData.slice(0, MAX_KEY_CHARS)}`
}

function countPolls() {
  const counts = new Map<string, { count: number; firstAt: number }>()
  return {
    count(key: string) {
      const polled = counts.get(key)
      if (polled) polled.count++
      else if (counts.size < MAX_POLLED_URLS) counts.set(key, { count: 1, firstAt: performance.now() })
    },
    isPolled(key: string) {
      const polled = counts.get(key)
      return polled !== undefined && polled.count >= MIN_POLLS && performance.now() - polled.firstAt >= MIN_POLLING_MS
    },
  }
}
