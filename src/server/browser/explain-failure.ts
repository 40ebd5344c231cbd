import { isPageError, PageError } from '../../query/index.js'
import type { FailedNavigation } from './main-frame.js'

/** The part of the network guard that is needed to tell why a navigation failed. */
export interface Explainer {
  check(url: string | URL, options?: { signal?: AbortSignal }): Promise<unknown>
}

/** Why the main frame shows nothing: what the guard says of its address, or else what Chromium says. */
export async function explainFailure(
  { url, reason }: FailedNavigation,
  { guard, signal }: { guard: Explainer; signal: AbortSignal },
): Promise<PageError> {
  try {
    await guard.check(url, { signal })
  } catch (error) {
    if (isPageError(error)) return error
    throw error
  }
  const cause = new Error(`${reason} at ${url}`)
  const { host } = new URL(url)
  switch (reason) {
    case 'EFORBIDDENURL':
      return new PageError('EFORBIDDENURL', `${host} may not be asked for. Give the address of a public page.`, {
        cause,
      })
    case 'ETIMEOUT':
    case 'net::ERR_TIMED_OUT':
    case 'net::ERR_CONNECTION_TIMED_OUT':
      return new PageError('ETIMEOUT', `${host} did not answer in time. Try again later.`, { cause })
    case 'net::ERR_TOO_MANY_REDIRECTS':
      return new PageError('EMAXREDIRECTS', `${host} redirects without end. Give the address it should lead to.`, {
        cause,
      })
    case 'net::ERR_ABORTED':
      return unreachable(`${host} gives a download, or nothing, in place of a page. Give the address of a page.`, cause)
    default:
      if (/^net::ERR_(CERT|SSL|BAD_SSL)/.test(reason))
        return unreachable(`The connection to ${host} is not secure (${reason}). Check its certificate.`, cause)
      return unreachable(`${host} cannot be reached (${reason}). Check the address, or try again later.`, cause)
  }
}

const unreachable = (message: string, cause: Error) => new PageError('EUNREACHABLE', message, { cause })
