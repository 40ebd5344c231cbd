import type { CDPSession, Protocol } from 'puppeteer-core'
import { REFUSED_HEADER } from '../network/index.js'
import type { FailedNavigation, LoadedDocument, MainFrame, LoadEvent } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { trackNetworkActivity, type NetworkActivity } from './track-network-activity.js'
import { waitForCondition } from './wait-for-condition.js'

/** Client-side redirects within this many seconds are waited for. */
const MAX_REDIRECT_DELAY_S = 1

/** Starts to follow the main frame; call it before the page navigates. */
export const trackMainFrame = (page: OpenPage): MainFrame => new MainFrameTracker(page)

class MainFrameTracker implements MainFrame {
  readonly #frameId: string
  readonly #activity: NetworkActivity
  readonly #listeners = new Set<() => void>()
  readonly #responses = new Map<string, Pick<LoadedDocument, 'statusCode' | 'headers'>>()
  readonly #loadEvents = new Map<string, Set<string>>()
  #document: LoadedDocument | undefined
  #failure: FailedNavigation | undefined
  #pending: { loaderId: string; url: string } | undefined
  #failedRequest: { loaderId: string; reason: string } | undefined
  #isRedirectScheduled = false

  constructor({ session, setups, frameId }: OpenPage) {
    this.#frameId = frameId
    this.#activity = trackNetworkActivity(setups)
    this.#followRequests(session)
    this.#followDocuments(session)
  }

  document = () => this.#document
  failure = () => this.#failure
  isNavigating = () => this.#pending !== undefined || this.#isRedirectScheduled
  isQuietFor = (ms: number) => this.#activity.isQuietFor(ms)

  hasFired(event: LoadEvent): boolean {
    const document = this.#document
    return document !== undefined && this.#loadEvents.get(document.loaderId)?.has(event) === true
  }

  waitUntil(condition: () => boolean, options: { remainingMs?: () => number; signal: AbortSignal }): Promise<boolean> {
    return waitForCondition(condition, { ...options, listeners: this.#listeners })
  }

  #followRequests(session: CDPSession): void {
    session.on('Network.requestWillBeSent', (event) => {
      const { requestId, loaderId, frameId, type, request } = event
      const isDocument = frameId === this.#frameId && type === 'Document' && requestId === loaderId
      if (isDocument) this.#pending = { loaderId, url: request.url }
      this.#notify()
    })
    session.on('Network.responseReceived', (event) => this.#onResponse(event))
    session.on('Network.loadingFinished', () => this.#notify())
    session.on('Network.loadingFailed', (event) => {
      this.#onLoadingFailed(event)
      this.#notify()
    })
  }

  #followDocuments(session: CDPSession): void {
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === this.#frameId && delay <= MAX_REDIRECT_DELAY_S) this.#isRedirectScheduled = true
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
    // Comes after `load`; without `load` where the page stops its own loading.
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
        if (!this.#document) this.#failure ??= { url: this.#pending.url, reason: errorText }
        this.#pending = undefined
      }
    }
    // A document whose body breaks off never reaches `load`.
    if (this.#document && requestId === this.#document.loaderId && !isAborted)
      this.#failure = { url: this.#document.url, reason: errorText }
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    const { loaderId, url, urlFragment = '', unreachableUrl } = frame
    const response = this.#responses.get(loaderId)
    if (this.#pending?.loaderId === loaderId) this.#pending = undefined
    this.#isRedirectScheduled = false
    const { statusCode = 200, headers = {} } = response ?? {}
    this.#document = { loaderId, url: url + urlFragment, statusCode, headers }
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
