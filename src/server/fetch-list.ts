// Apart from the parser of lists, which a worker loads without everything that fetches.

import { PageError } from '../query/index.js'
import { fetchFile, type FetchFileOptions } from './page/index.js'
import { MAX_LIST_BYTES } from './url-list.js'

/**
 * Fetches a whole file of a list, through the network guard.
 *
 * @throws  {PageError} as `fetchFile` does; `EUNREACHABLE` for the status of an error.
 */
export const fetchList = (
  url: string,
  parts: Pick<FetchFileOptions, 'guard' | 'dispatcher' | 'memory' | 'signal'>,
): Promise<Uint8Array> =>
  fetchFile(url, {
    ...parts,
    maxBytes: MAX_LIST_BYTES,
    accept: 'application/xml,text/xml,text/plain,*/*;q=0.8',
    checkResponse({ statusCode }) {
      if (statusCode >= 400) throw new PageError('EUNREACHABLE', `${url} responds with HTTP ${statusCode}.`)
    },
  })
