import { PageError, type PageQuery } from '../index.js'
import type { HostList } from './host-list.js'
import { queryLimits } from './query-limits.js'

const REASON = 'is not allowed here'
/** What CSS loads files with; a backslash can spell each of them differently. */
const CSS_ADDRESS = /(?:url|src|image|image-set|cross-fade)\(|@import|\\/i

/**
 * Checks the addresses in the parameters of a query: the page, the image of `overlay.background`, and `styles`, whose CSS text
 * may name no address at all.
 *
 * @throws  {PageError} `EFORBIDDENURL`, naming the parameter.
 */
export function checkHosts(query: PageQuery, allowHosts: HostList): void {
  const { url, overlay, screenshot, styles } = query
  if (!allowHosts.allows(url))
    throw new PageError('EFORBIDDENURL', `Pages of ${new URL(url).host} may not be previewed here.`, {
      data: { url: REASON },
    })
  const overlays = [overlay, typeof screenshot === 'object' ? screenshot.overlay : undefined]
  if (overlays.some((overlay) => leadsElsewhere(addressIn(overlay?.background), allowHosts)))
    throw foreignAddressError('overlay.background')
  for (const style of typeof styles === 'string' ? [styles] : (styles ?? [])) {
    const isUrl = /^https?:/i.test(style.trim())
    if (isUrl ? leadsElsewhere(style.trim(), allowHosts) : CSS_ADDRESS.test(style)) throw foreignAddressError('styles')
  }
}

/** The address in `https://…` or `url(…)`. */
function addressIn(background = ''): string {
  const start = background.search(/https?:/i)
  return start < 0
    ? ''
    : background
        .slice(start)
        .split(/["')\s]/, 1)
        .join()
}

/** What cannot be parsed is refused as invalid where it is used. */
const leadsElsewhere = (address: string, allowHosts: HostList) =>
  hasLongHost(address) || (URL.canParse(address) && !allowHosts.allows(address))

/** URL parsers sort the combining characters of a host in quadratic time. */
const hasLongHost = (address: string) =>
  (/^https?:[\\/]*([^\\/?#]*)/i.exec(address)?.[1] ?? '').length > queryLimits.hostChars

const foreignAddressError = (parameter: string) =>
  new PageError('EFORBIDDENURL', `${parameter} names an address that ${REASON}; use one of the allowed hosts.`, {
    data: { [parameter]: REASON },
  })
