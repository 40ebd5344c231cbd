import { ALLOW_HOSTS_HEADER, checkHosts, parseHostList, type HostList } from '../../query/help/index.js'
import { PageError, type PageQuery } from '../../query/index.js'

/**
 * The hosts that the header of a request restricts it to; `undefined` without the header.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid header; `EFORBIDDENURL` for an address in the query at another host.
 */
export function allowedHosts(headers: Headers, query: PageQuery): HostList | undefined {
  const text = headers.get(ALLOW_HOSTS_HEADER)
  if (text === null) return undefined
  const hosts = parseHeader(text)
  checkHosts(query, hosts)
  return hosts
}

function parseHeader(text: string): HostList {
  try {
    return parseHostList(text.split(',', 1_000).map((host) => host.trim()))
  } catch (cause) {
    const reason = cause instanceof TypeError ? cause.message : 'is invalid'
    throw new PageError('EINVALQUERY', `The header ${ALLOW_HOSTS_HEADER} ${reason}.`, {
      data: { [ALLOW_HOSTS_HEADER]: reason },
      cause,
    })
  }
}
