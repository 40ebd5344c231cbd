import { isPageError, PageError, type PageState } from '../../query/index.js'
import type { Images, ImageType } from '../images/index.js'
import { TransientError } from '../jobs/index.js'
import { notAllowedError } from '../network/index.js'
import type { RequestScope } from '../request-scope.js'
import type { AdBlocker } from './ad-blocker.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { FailedNavigation, MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import type { Overlay } from './overlay.js'
import type { Deadline } from './start-deadline.js'

/**
 * A request whose page is open in the browser. Its `allowedHosts` are those of the page, its navigations, `styles` and the image of
 * `overlay.background`; its `signal` also aborts when the time of the visit is up, or the page is gone.
 */
export interface Visit extends RequestScope {
  page: OpenPage
  frame: MainFrame
  device: Device
  /** User agent of desktop devices. */
  userAgent: string
  guard: NavigationGuard
  /** `undefined` with `adblock=false`. */
  adBlocker: AdBlocker | undefined
  images: Images
  /** Prepared at the same time as the page; its failure ends the capture. `undefined`: the screenshot has none. */
  overlay: Promise<Overlay> | undefined
  /** Whether images, fonts and media are skipped, because the page is not captured. */
  isTextOnly: boolean
  deadline: Deadline
  /** Sentences for the response; a set, because a second attempt with the same document repeats those of the first. */
  warnings: Set<string>
  /** Opens the page of the next visit; best called while this one waits for the network. */
  openSparePage: () => void
}

/** How a visit went. */
export interface VisitReport {
  /** Whether its waits were cut short because others waited for the browser; another time it may show more. */
  isProvisional: boolean
  /** Sentences for the `warnings` of the response. */
  warnings: string[]
  /** Milliseconds per stage, and in `total`. */
  timings: Record<string, number>
}

/** What a visit found out about a page. */
export interface PageVisit extends VisitReport {
  /** Final URL of the main frame, after redirects and client-side navigation. */
  url: string
  /** HTTP status of the document in the main frame. */
  statusCode: number
  /** What the page showed instead of its content; `undefined`: its content. */
  state: PageState | undefined
  /** Whether the time to wait for the page was used up before it was complete. */
  isCutShort: boolean
}

/** The document of a page after its scripts have run. */
export interface RenderedPage extends PageVisit {
  /** Serialized; at most the first two million characters. */
  html: string
}

/** The screenshot of a page. */
export interface Capture extends PageVisit {
  bytes: Uint8Array
  type: ImageType
  /** The image's own pixels. */
  width: number
  height: number
  /** `#rrggbb`: the most frequent colour along the edges of the image. */
  backgroundColor: string
  /** `#rrggbb`, most frequent first; only with `palette`. */
  palette?: string[]
  /** The document too, if it was needed. */
  html: string | undefined
}

/** The device that a page is shown on. */
export interface Device {
  /** CSS pixels. */
  width: number
  height: number
  deviceScaleFactor: number
  isMobile: boolean
  hasTouch: boolean
  /** `undefined`: that of the browser. */
  userAgent: string | undefined
}

/** The part of the network guard that explains failed navigations. */
export interface NavigationGuard {
  /** @throws {PageError} when the URL must not be requested. */
  check(url: string | URL, options?: { signal?: AbortSignal }): Promise<unknown>
}

/** @throws {PageError} the reason why the main frame has no document, or `EFORBIDDENURL` if the host of its document is not allowed. */
export async function assertLoaded({ frame, guard, allowedHosts, signal }: Visit): Promise<void> {
  const failure = frame.failure()
  if (failure) throw await navigationError(failure, { guard, signal })
  const { protocol, host, href } = new URL(frame.document()?.url ?? 'about:blank')
  if (protocol.startsWith('http') && allowedHosts?.allows(href) === false) throw notAllowedError(host)
}

/**
 * The reason why the main frame has no document: that of the guard for its URL, or else that of Chromium.
 *
 * @returns  `PageError`, or `BrowserUnavailableError` if the browser cannot reach the proxy of its page.
 */
async function navigationError(
  { url, reason }: FailedNavigation,
  { guard, signal }: Pick<Visit, 'guard' | 'signal'>,
): Promise<Error> {
  try {
    await guard.check(url, { signal })
  } catch (error) {
    if (isPageError(error)) return error
    throw error
  }
  return chromiumError(url, reason)
}

const PROXY_ADVICE =
  'The browser cannot reach the egress proxy of its page: set --proxy-host, and --proxy-public-host, to an address that it can reach.'

function chromiumError(url: string, reason: string): Error {
  // The guard has just resolved the name that the proxy could not resolve.
  const isTransient = /^(ETIMEOUT|EINVALURL|EBUSY)$/.test(reason)
  const cause = new (isTransient ? TransientError : Error)(`${reason} at ${url}`)
  const { host } = new URL(url)
  switch (reason) {
    case 'EFORBIDDENURL':
      return new PageError('EFORBIDDENURL', `${host} may not be fetched. Use the URL of a public page.`, { cause })
    case 'ETIMEOUT':
    case 'net::ERR_TIMED_OUT':
    case 'net::ERR_CONNECTION_TIMED_OUT':
      return new PageError('ETIMEOUT', `${host} did not respond in time. Try again later.`, { cause })
    case 'net::ERR_PROXY_CONNECTION_FAILED':
      return new BrowserUnavailableError(PROXY_ADVICE, 0, { cause })
    case 'net::ERR_TOO_MANY_REDIRECTS':
      return new PageError('EMAXREDIRECTS', `${host} redirects too often. Use the URL that it should lead to.`, {
        cause,
      })
    case 'net::ERR_ABORTED':
      return unreachable(`${host} responds with a download or nothing instead of a page. Use the URL of a page.`, cause)
    default:
      if (/^net::ERR_(CERT|SSL|BAD_SSL)/.test(reason))
        return unreachable(`The connection to ${host} is not secure (${reason}). Check its certificate.`, cause)
      return unreachable(`${host} cannot be reached (${reason}). Check the URL, or try again later.`, cause)
  }
}

const unreachable = (message: string, cause: Error) => new PageError('EUNREACHABLE', message, { cause })

/** @param parameter  The one whose value is not a selector. */
export function invalidSelectorError(parameter: string): PageError {
  const reason = 'is not a CSS selector'
  return new PageError('EINVALQUERY', `${parameter} ${reason}.`, { data: { [parameter]: reason } })
}
