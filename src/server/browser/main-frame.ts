import type { CDPSession, Protocol } from 'puppeteer-core'
import { REFUSED_HEADER } from '../network/index.js'
import { isFollowedRefresh } from '../page/index.js'
import { trackNetworkActivity, type NetworkActivity, type RequestInFlight } from './network-activity.js'
import type { OpenPage } from './open-page.js'

export type LoadEvent = 'DOMContentLoaded' | 'load' | 'firstContentfulPaint'

export interface LoadedDocument {
  loaderId: string
  url: string
  statusCode: number
  /** Headers of its response, names in lower case. */
  headers: Readonly<Record<string, string>>
  /** `net::ERR_…`, if its body broke off; browsers show what has arrived. */
  endedEarly?: string
}

/** A navigation of the main frame that brought no document, or an empty one that broke off. */
export interface FailedNavigation {
  url: string
  /** `net::ERR_…`, or the error code with which the egress proxy refused the request. */
  reason: string
  /** Status of a response that has no document, or whose body cannot be read. */
  statusCode?: number | undefined
}

/** A document that has come this often refreshes itself: the next one is the same. */
const MAX_REFRESHES = 2
/** Browsers follow as many redirects of servers. */
const MAX_DOCUMENTS = 20
const POLL_MS = 10

/** The main frame of a page as DevTools events report it. Create it before the page navigates. */
export class MainFrame {
  readonly #frameId: string
  readonly #signal: AbortSignal
  readonly #activity: NetworkActivity
  readonly #listeners = new Set<() => void>()
  readonly #responses = new Map<string, Pick<LoadedDocument, 'statusCode' | 'headers'>>()
  readonly #loadEvents = new Map<string, Set<string>>()
  #document: LoadedDocument | undefined
  #failure: FailedNavigation | undefined
  #pending: { loaderId: string; url: string } | undefined
  #failedRequest: { loaderId: string; reason: string } | undefined
  #isRedirectScheduled = false
  /** The document whose response has set a cookie. */
  #cookieSetter: string | undefined
  /** How many documents have come from each URL. */
  readonly #documentCounts = new Map<string, number>()
  #documentCount = 0
  /** Bytes of each document's body, after its content coding. */
  readonly #bodyBytes = new Map<string, number>()

  /** @param signal  Ends all waits. */
  constructor({ session, setups, frameId }: OpenPage, signal: AbortSignal) {
    this.#frameId = frameId
    this.#signal = signal
    this.#activity = trackNetworkActivity(setups)
    this.#followRequests(session)
    this.#followDocuments(session)
  }

  /** `undefined` until the first document has arrived. */
  document = (): LoadedDocument | undefined => this.#document
  /** Why the frame has no document. */
  failure = (): FailedNavigation | undefined => this.#failure
  /** Bytes of the current document's body so far, after its content coding. */
  bodyBytes = (): number => this.#bodyBytes.get(this.#document?.loaderId ?? '') ?? 0

  /** The URL of a document that is on its way, and the status of its response once that has arrived. */
  pending(): { url: string; statusCode: number | undefined } | undefined {
    const pending = this.#pending
    return pending && { url: pending.url, statusCode: this.#responses.get(pending.loaderId)?.statusCode }
  }

  /** Whether another document is on its way. */
  isNavigating = (): boolean => this.#pending !== undefined || this.#isRedirectScheduled
  /** What the page, its frames and its workers still load, without streams and polls. */
  requestsInFlight = (): RequestInFlight[] => this.#activity.inFlight()
  /** URLs that the current document has requested in vain, because something of this service blocks them. */
  blockedRequests = (): readonly string[] => this.#activity.blocked()
  /** Documents so far, each of which has replaced the one before. */
  documentCount = (): number => this.#documentCount
  /** Whether documents have replaced each other so often that no further one is worth the wait. */
  isRestless = (): boolean => this.#documentCount >= MAX_DOCUMENTS
  /** Whether no request has been in flight for this long, counted from the document's `load` event at the earliest. */
  isQuietFor = (ms: number): boolean => this.#activity.isQuietFor(ms)

  /** Whether the current document has fired the event. */
  hasFired(event: LoadEvent): boolean {
    const document = this.#document
    return document !== undefined && this.#loadEvents.get(document.loaderId)?.has(event) === true
  }

  /**
   * Checks a condition with each event of the frame, and regularly.
   *
   * @param remainingMs  Until the wait ends; may shrink in the meantime. Default: no limit.
   * @returns            Whether the condition became true within the time. An aborted signal of the frame throws its reason.
   */
  waitUntil(condition: () => boolean, remainingMs: () => number = () => Infinity): Promise<boolean> {
    const signal = this.#signal
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = () => {
        this.#listeners.delete(check)
        clearInterval(poll)
        signal.removeEventListener('abort', onAbort)
      }
      const finish = (isTrue: boolean) => {
        stop()
        resolve(isTrue)
      }
      const check = () => {
        if (condition()) finish(true)
        else if (remainingMs() <= 0) finish(false)
      }
      const onAbort = () => {
        stop()
        reject(signal.reason)
      }
      const poll = setInterval(check, POLL_MS)
      this.#listeners.add(check)
      signal.addEventListener('abort', onAbort, { once: true })
      check()
    })
  }

  #followRequests(session: CDPSession): void {
    session.on('Network.requestWillBeSent', (event) => {
      const { requestId, loaderId, frameId, type, request } = event
      const isDocument = frameId === this.#frameId && type === 'Document' && requestId === loaderId
      if (isDocument) this.#pending = { loaderId, url: request.url }
      this.#notify()
    })
    session.on('Network.responseReceived', (event) => this.#onResponse(event))
    // Only this event has the cookies.
    session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) => {
      const isDocument = requestId === (this.#pending?.loaderId ?? this.#document?.loaderId)
      const setsCookie = Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie')
      if (isDocument && setsCookie) this.#cookieSetter = requestId
    })
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const isDocument = this.#responses.has(requestId)
      if (isDocument) this.#bodyBytes.set(requestId, (this.#bodyBytes.get(requestId) ?? 0) + dataLength)
    })
    session.on('Network.loadingFinished', () => this.#notify())
    session.on('Network.loadingFailed', (event) => {
      this.#onLoadingFailed(event)
      this.#notify()
    })
  }

  #followDocuments(session: CDPSession): void {
    session.on('Page.frameScheduledNavigation', ({ frameId, delay, url }) => {
      if (frameId !== this.#frameId) return
      const { loaderId, url: ownUrl } = this.#document ?? {}
      const isReload = withoutFragment(url) === withoutFragment(ownUrl ?? '') && loaderId !== this.#cookieSetter
      const isRepeated = (this.#documentCounts.get(url) ?? 0) >= MAX_REFRESHES
      this.#isRedirectScheduled = !isRepeated && isFollowedRefresh({ delayS: delay, url, isReload })
    })
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      if (frameId === this.#frameId) this.#isRedirectScheduled = false
      this.#notify()
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#frameId || frame.url === 'about:blank') return
      this.#onNavigated(frame)
      this.#notify()
    })
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#frameId && this.#document) this.#document = { ...this.#document, url }
    })
    session.on('Page.lifecycleEvent', (event) => {
      if (event.frameId !== this.#frameId) return
      this.#onLifecycleEvent(event)
      this.#notify()
    })
    // Comes after `load`; without `load` if the page stops its own loading.
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      const loadEvents = frameId === this.#frameId && this.#document && this.#loadEvents.get(this.#document.loaderId)
      if (loadEvents) loadEvents.add('DOMContentLoaded').add('load')
      this.#notify()
    })
  }

  #onResponse({ requestId, response }: Protocol.Network.ResponseReceivedEvent): void {
    if (requestId !== this.#pending?.loaderId) return
    const entries = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    this.#responses.set(requestId, { statusCode: response.status, headers: Object.fromEntries(entries) })
  }

  #onLoadingFailed({ requestId, errorText }: Protocol.Network.LoadingFailedEvent): void {
    const isAborted = errorText === 'net::ERR_ABORTED'
    if (this.#pending && requestId === this.#pending.loaderId) {
      this.#failedRequest = { loaderId: requestId, reason: errorText }
      if (isAborted) {
        // A download or an empty response: the document before it, if there is one, stays.
        const statusCode = this.#responses.get(requestId)?.statusCode
        if (!this.#document) this.#failure ??= { url: this.#pending.url, reason: errorText, statusCode }
        this.#pending = undefined
      }
    }
    // The document stays, and never reaches `load`; Chromium draws nothing of one that is empty.
    if (this.#document && requestId === this.#document.loaderId && !isAborted) {
      const { url, statusCode } = this.#document
      if (this.bodyBytes() === 0) this.#failure ??= { url, reason: errorText, statusCode }
      this.#document = { ...this.#document, endedEarly: errorText }
      this.#loadEvents.get(requestId)?.add('DOMContentLoaded').add('load')
    }
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    const { loaderId, url, urlFragment = '', unreachableUrl } = frame
    const response = this.#responses.get(loaderId)
    if (this.#pending?.loaderId === loaderId) this.#pending = undefined
    this.#isRedirectScheduled = false
    const { statusCode = 200, headers = {} } = response ?? {}
    this.#document = { loaderId, url: url + urlFragment, statusCode, headers }
    this.#activity.startDocument(loaderId)
    this.#documentCount++
    this.#documentCounts.set(url, (this.#documentCounts.get(url) ?? 0) + 1)
    if (unreachableUrl) this.#failure = { url: unreachableUrl, reason: this.#failureReason(loaderId) }
    else this.#failure = headers[REFUSED_HEADER] ? { url, reason: headers[REFUSED_HEADER] } : undefined
  }

  #failureReason(loaderId: string): string {
    return this.#failedRequest?.loaderId === loaderId ? this.#failedRequest.reason : 'net::ERR_FAILED'
  }

  #onLifecycleEvent({ loaderId, name }: Protocol.Page.LifecycleEventEvent): void {
    if (name === 'init') {
      this.#loadEvents.clear()
      this.#loadEvents.set(loaderId, new Set())
    }
    this.#loadEvents.get(loaderId)?.add(name)
    if (name === 'load') this.#activity.restartQuietPeriod()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const withoutFragment = (url: string) => url.split('#', 1).join()

/** Counts down from `ms`, and is never more than `remainingMs`. */
export function atMost(ms: number, remainingMs: () => number): () => number {
  const endsAt = performance.now() + ms
  return () => {
    const ownMs = endsAt - performance.now()
    // `remainingMs` may be the question of a wait that goes on.
    return ownMs <= 0 ? ownMs : Math.min(ownMs, remainingMs())
  }
}
