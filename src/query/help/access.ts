import { canParseUrl } from '../written-url.js'
import { PageError, type PageQuery } from '../index.js'
import { MAX_VALUE_CHARS } from '../parameter-values.js'
import { canonicalName } from '../parsed-query.js'
import { hasLongHost } from './has-long-host.js'

/**
 * The hosts that may be previewed by a request; everything else is refused. Callers set them as `allow.targets` of a proxy, with
 * `keys create --allow-host`, or by the header. They only restrict: `--allow-target` of `serve`, which lets the service fetch from
 * private hosts, is another list.
 */
export interface HostList {
  /** The hosts as a header carries them: ASCII, separated by commas. */
  text: string
  /** Whether an absolute URL is at one of the hosts. */
  allows(url: string | URL): boolean
}

/** The request header that restricts a request to the allowed hosts. */
export const ALLOW_HOSTS_HEADER = 'x-page-preview-allow-hosts'

const MAX_HOSTS = 200
/** Longest text of a list. */
export const MAX_HOST_LIST_CHARS = 4_096

/**
 * Parses hosts: `example.com`, `*.example.com` for all subdomains, `example.com:8080` for a non-default port, `*` for every host.
 *
 * @throws  {TypeError} for an entry that is not a host, for more than 200 entries, and for more than 4,096 characters; the message
 *          completes a sentence that begins with the name of the list.
 */
export function parseHostList(hosts: readonly string[]): HostList {
  if (hosts.length > MAX_HOSTS) throw new TypeError(`names more than ${MAX_HOSTS} hosts`)
  const patterns = hosts.map(parsePattern)
  const text = patterns.join(',')
  if (text.length > MAX_HOST_LIST_CHARS) throw new TypeError(`is longer than ${MAX_HOST_LIST_CHARS} characters`)
  return {
    text,
    allows(url) {
      // Chromium requests some URLs that Node's parser refuses.
      if (!canParseUrl(String(url))) return false
      const { host } = new URL(url)
      return patterns.some((pattern) => matches(pattern, host))
    },
  }
}

function parsePattern(text: string): string {
  if (text === '*') return text
  const isWildcard = text.startsWith('*.')
  const url = `https://${isWildcard ? text.slice(2) : text}`
  if (text.length > 300 || /[/\\?#@]/.test(text) || !canParseUrl(url))
    throw new TypeError(`contains "${text.slice(0, 300)}", which is not a host`)
  // The default port of http, which the URL of a page leaves out, as `URL` leaves out that of https here.
  const host = new URL(url).host.replace(/:80$/, '')
  return isWildcard ? `*.${host}` : host
}

const matches = (pattern: string, host: string) =>
  pattern === '*' || (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern)

const NOT_ALLOWED = 'is not allowed here'
/** What CSS loads files with; a backslash can spell each of them differently. */
const CSS_ADDRESS = /(?:url|src|image|image-set|cross-fade)\(|@import|\\/i

/**
 * Checks the addresses in the parameters of a query: the page, the image of `overlay.background`, and `styles`, whose CSS text
 * may name no address at all.
 *
 * @throws  {PageError} `EFORBIDDENURL`, naming the parameter.
 */
export function checkHosts(query: PageQuery, allowedHosts: HostList): void {
  const { url, overlay, screenshot, styles } = query
  if (!allowedHosts.allows(url))
    throw new PageError('EFORBIDDENURL', `Pages of ${new URL(url).host} may not be previewed here.`, {
      data: { url: NOT_ALLOWED },
    })
  const overlays = [overlay, typeof screenshot === 'object' ? screenshot.overlay : undefined]
  if (overlays.some((overlay) => leadsElsewhere(addressIn(overlay?.background), allowedHosts)))
    throw foreignAddressError('overlay.background')
  for (const style of typeof styles === 'string' ? [styles] : (styles ?? [])) {
    const isUrl = /^https?:/i.test(style.trim())
    if (isUrl ? leadsElsewhere(style.trim(), allowedHosts) : CSS_ADDRESS.test(style))
      throw foreignAddressError('styles')
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

/** A value that cannot be parsed is refused as invalid when it is used. */
const leadsElsewhere = (address: string, allowedHosts: HostList) =>
  hasLongHost(address) || (canParseUrl(address) && !allowedHosts.allows(address))

const foreignAddressError = (parameter: string) =>
  new PageError('EFORBIDDENURL', `${parameter} names an address that ${NOT_ALLOWED}; use one of the allowed hosts.`, {
    data: { [parameter]: NOT_ALLOWED },
  })

/**
 * A key within another text, with the exact lengths that `keys create` prints: a looser pattern, such as the service's pattern for whole
 * keys, would refuse texts that only resemble a key.
 */
const API_KEY = /pp_[\da-f]{12}_[\w-]{43}/i
const API_KEY_CHARS = 59
const PERCENT_ENCODED = /%[2-7][\da-f]/gi
/** Base64 as in basic authentication, without the padding: long enough for a key. */
const BASE64 = /[a-z\d+/]{79,}/gi
const CONTAINS_KEY =
  'contains an API key of the service, which the page must not get; send it to the service as the header x-api-key, or as headers.apiKey'

/**
 * Refuses an API key of the service in a parameter other than `headers.apiKey`: they are sent to the page, or are part of a URL
 * or a cache key.
 *
 * @throws  {PageError} `EHEADERS` for a header, `EINVALQUERY` for any other parameter, naming it without its value.
 */
export function refuseApiKeys(search: URLSearchParams): void {
  for (const [writtenName, text] of search) {
    // Longer values are refused as invalid.
    if (text.length < API_KEY_CHARS || text.length > MAX_VALUE_CHARS || !containsApiKey(text)) continue
    const name = canonicalName(writtenName)
    if (!name || name === 'headers.apiKey') continue
    const code = name.startsWith('headers.') ? 'EHEADERS' : 'EINVALQUERY'
    throw new PageError(code, `${name} ${CONTAINS_KEY}.`, { data: { [name]: CONTAINS_KEY } })
  }
}

/** Whether a text contains a key: as it is, percent-encoded or in base64. */
const containsApiKey = (text: string) =>
  [text, text.replace(PERCENT_ENCODED, decodeURIComponent), text.replace(BASE64, decodeBase64)].some((each) =>
    API_KEY.test(each),
  )

/** Base64 encodes bytes in groups of four characters. A last group of one character encodes no byte, so it is dropped. */
const decodeBase64 = (text: string) => atob(text.length % 4 === 1 ? text.slice(0, -1) : text)

/** Parameters and options without the service's key, in each of its spellings: the rest may be sent to browsers. */
export function withoutApiKey<Props extends Pick<PageQuery, 'headers'>>(props: Props): Props {
  const entries = Object.entries(props).filter(([name]) => !isApiKeyName(name))
  const { headers = {} } = props
  const others = Object.entries(headers).filter(([name]) => !isApiKeyName(`headers.${name}`))
  return {
    ...(Object.fromEntries(entries) as Props),
    ...(props.headers && { headers: Object.fromEntries(others) }),
  }
}

/** Whether a name means `headers.apiKey`; an invalid name does not, and stays for the error that it causes. */
function isApiKeyName(written: string): boolean {
  try {
    return canonicalName(written) === 'headers.apiKey'
  } catch {
    return false
  }
}
