import { ALLOW_HOSTS_HEADER, checkHosts, parseHostList, type HostList } from '../../query/help/index.js'
import { PageError, type PageQuery } from '../../query/index.js'
import type { ApiKeyLimits } from '../store/index.js'

/**
 * The hosts that the header of a request and its API key restrict it to; `undefined` without either.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid header; `EFORBIDDENURL` for a URL in the query at another host.
 */
export function allowedHosts(headers: Headers, query: PageQuery, key?: ApiKeyLimits): HostList | undefined {
  const text = headers.get(ALLOW_HOSTS_HEADER)
  const ofHeader = text === null ? undefined : parseHeader(text)
  const ofKey = key?.allowHosts && parseHostList(key.allowHosts)
  const hosts = ofHeader && ofKey ? inBoth(ofHeader, ofKey) : (ofHeader ?? ofKey)
  if (hosts) checkHosts(query, hosts)
  return hosts
}

const inBoth = (one: HostList, other: HostList): HostList => ({
  text: `${one.text} ${other.text}`,
  allows: (url) => one.allows(url) && other.allows(url),
})

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
