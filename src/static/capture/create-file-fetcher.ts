import { PageError } from '../../query/index.js'
import { createDispatcher, createGuard } from '../../server/network/index.js'
import { fetchFile } from '../../server/page/index.js'
import type { ReadUrlsOptions } from './read-urls.js'

const ACCEPT = 'application/xml,text/xml,text/plain,*/*;q=0.8'

/** Fetches lists and sitemaps through the network guard. */
export function createFileFetcher(allowTargets: readonly string[]) {
  const guard = createGuard({ allowTargets })
  const dispatcher = createDispatcher(guard)
  const fetch: ReadUrlsOptions['fetchFile'] = (url, { maxBytes, signal }) =>
    fetchFile(url, {
      guard,
      dispatcher,
      signal,
      accept: ACCEPT,
      maxBytes,
      checkResponse({ statusCode }) {
        if (statusCode >= 400) throw new PageError('EUNREACHABLE', `${url} responds with HTTP ${statusCode}.`)
      },
    })
  return { fetch, close: () => dispatcher.destroy() }
}
