import { isPageError, PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { FailedNavigation } from './main-frame.js'

/** The part of the network guard that explains failed navigations. */
export interface NavigationGuard {
  /** @throws {PageError} when the URL must not be requested. */
  check(url: string | URL, options?: { signal?: AbortSignal }): Promise<unknown>
}

const PROXY_ADVICE =
  'The browser cannot reach the egress proxy of its page: set --proxy-host, and --proxy-public-host, to an address that it can reach.'

/**
 * The reason why the main frame has no document: that of the guard for its URL, or else that of Chromium.
 *
 * @returns  `PageError`, or `BrowserUnavailableError` where the browser cannot reach the proxy of its page.
 */
export async function navigationError(
  { url, reason }: FailedNavigation,
  { guard, signal }: { guard: NavigationGuard; signal: AbortSignal },
): Promise<Error> {
  try {
    await guard.check(url, { signal })
  } catch (error) {
    if (isPageError(error)) return error
    throw error
  }
  return chromiumError(url, reason)
}

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
