import type { HostList } from '../../query/help/index.js'
import { PageError } from '../../query/index.js'

/** A check that rejects for a URL which must not be requested. */
interface UrlCheck<Options, Target> {
  check(url: string | URL, options?: Options): Promise<Target>
}

/** A guard that also refuses each URL outside of the hosts that a request is restricted to; without `allowedHosts` the guard itself. */
export function restrictGuard<Options, Target>(
  guard: UrlCheck<Options, Target>,
  allowedHosts: HostList | undefined,
): UrlCheck<Options, Target> {
  if (!allowedHosts) return guard
  return {
    async check(url, options) {
      if (URL.canParse(String(url)) && !allowedHosts.allows(url)) throw notAllowedError(new URL(url).host)
      return guard.check(url, options)
    },
  }
}

/** The error for a hop of a restricted request to another host. */
export const notAllowedError = (host: string): PageError =>
  new PageError('EFORBIDDENURL', `${host} is not among the hosts that this request is restricted to.`, {
    data: { url: 'leads to a host that is not allowed' },
  })
