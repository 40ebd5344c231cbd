import type { OpenPage } from './open-page.js'

/** A navigation of the main frame that showed nothing. */
export interface FailedNavigation {
  url: string
  /** `net::ERR_…`, or the code that the egress proxy refused it with. */
  reason: string
}

export interface ShownDocument {
  loaderId: string
  url: string
  statusCode: number
}

/** What happens in the main frame, as it happens. */
export interface MainFrame {
  /** `undefined` until the first document is there. */
  shown(): ShownDocument | undefined
  failure(): FailedNavigation | undefined
  /** Another document is on its way. */
  isNavigating(): boolean
  /** Whether the document shown has reached it. */
  has(milestone: 'DOMContentLoaded' | 'load'): boolean
  /** Nothing is being loaded for at least so long, and nothing was since the document's `load`. */
  isQuietFor(ms: number): boolean
  /** Whether it became so within the time, if there is a limit; looks after every event, and every `POLL_MS`. */
  until(isSo: () => boolean, options: { timeoutMs?: number; signal: AbortSignal }): Promise<boolean>
}

const POLL_MS = 10
const REFUSED_HEADER = 'x-page-preview-refused'
/** Connections that stay open, or that no picture waits for. */
const ENDLESS = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Preflight', 'Prefetch'])
/** A client-side redirect this soon is waited for, seconds. */
const SOON_S = 1

export function watchMainFrame({ session, frameId }: OpenPage): MainFrame {
  const inFlight = new Set<string>()
  const responses = new Map<string, { statusCode: number; refusal: string | undefined }>()
  const milestones = new Map<string, Set<string>>()
  const watchers = new Set<() => void>()
  let shown: ShownDocument | undefined
  let failure: FailedNavigation | undefined
  let pending: { loaderId: string; url: string } | undefined
  let failed: { loaderId: string; reason: string } | undefined
  let isScheduled = false
  let activeAt = performance.now()

  const changed = () => {
    for (const look of watchers) look()
  }
  const finish = (requestId: string) => {
    if (inFlight.delete(requestId)) activeAt = performance.now()
    changed()
  }

  session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId: frame, type, request }) => {
    if (!ENDLESS.has(type ?? '') && !/^(data|blob):/.test(request.url)) inFlight.add(requestId)
    if (frame === frameId && type === 'Document' && requestId === loaderId) pending = { loaderId, url: request.url }
    activeAt = performance.now()
    changed()
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (requestId !== pending?.loaderId) return
    const refusal = Object.entries(response.headers).find(([name]) => name.toLowerCase() === REFUSED_HEADER)?.[1]
    responses.set(requestId, { statusCode: response.status, refusal })
  })
  session.on('Network.loadingFinished', ({ requestId }) => finish(requestId))
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    if (requestId === pending?.loaderId) failed = { loaderId: requestId, reason: errorText }
    // A download, or nothing to show: the document before it stays.
    if (requestId === pending?.loaderId && errorText === 'net::ERR_ABORTED') {
      failure ??= shown ? undefined : { url: pending.url, reason: errorText }
      pending = undefined
    }
    // A body that breaks off: its document never has a `load`.
    if (requestId === shown?.loaderId && errorText !== 'net::ERR_ABORTED')
      failure = { url: shown.url, reason: errorText }
    finish(requestId)
  })
  // Comes after `load`, and in its place when the page stops itself.
  session.on('Page.frameStoppedLoading', ({ frameId: frame }) => {
    const reached = frame === frameId && shown && milestones.get(shown.loaderId)
    if (reached) reached.add('DOMContentLoaded').add('load')
    changed()
  })
  session.on('Page.frameScheduledNavigation', ({ frameId: frame, delay }) => {
    if (frame === frameId && delay <= SOON_S) isScheduled = true
  })
  session.on('Page.frameClearedScheduledNavigation', ({ frameId: frame }) => {
    if (frame === frameId) isScheduled = false
    changed()
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== frameId || frame.url === 'about:blank') return
    const { loaderId } = frame
    const response = responses.get(loaderId)
    if (pending?.loaderId === loaderId) pending = undefined
    isScheduled = false
    shown = { loaderId, url: frame.url + (frame.urlFragment ?? ''), statusCode: response?.statusCode ?? 200 }
    if (frame.unreachableUrl)
      failure = { url: frame.unreachableUrl, reason: failed?.loaderId === loaderId ? failed.reason : 'net::ERR_FAILED' }
    else failure = response?.refusal ? { url: frame.url, reason: response.refusal } : undefined
    changed()
  })
  session.on('Page.navigatedWithinDocument', ({ frameId: frame, url }) => {
    if (frame === frameId && shown) shown = { ...shown, url }
  })
  session.on('Page.lifecycleEvent', ({ frameId: frame, loaderId, name }) => {
    if (frame !== frameId) return
    if (name === 'init') {
      milestones.clear()
      milestones.set(loaderId, new Set())
    }
    milestones.get(loaderId)?.add(name)
    if (name === 'load') activeAt = performance.now()
    changed()
  })

  return {
    shown: () => shown,
    failure: () => failure,
    isNavigating: () => pending !== undefined || isScheduled,
    has: (milestone) => shown !== undefined && milestones.get(shown.loaderId)?.has(milestone) === true,
    isQuietFor: (ms) => inFlight.size === 0 && performance.now() - activeAt >= ms,
    until: (isSo, { timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const end = (settle: () => void) => {
          watchers.delete(look)
          clearInterval(poll)
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          settle()
        }
        const look = () => isSo() && end(() => resolve(true))
        const onAbort = () => end(() => reject(signal.reason))
        const poll = setInterval(look, POLL_MS)
        const timer = timeoutMs === undefined ? undefined : setTimeout(() => end(() => resolve(isSo())), timeoutMs)
        watchers.add(look)
        signal.addEventListener('abort', onAbort, { once: true })
        look()
      }),
  }
}
