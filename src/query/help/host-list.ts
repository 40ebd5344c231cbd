/** The hosts that a request may lead to. */
export interface HostList {
  /** The hosts as a header carries them: ASCII, separated by commas. */
  text: string
  /** Whether an absolute URL is at one of the hosts. */
  allows(url: string | URL): boolean
}

/** The request header that restricts a request to a list of hosts. */
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
      const { host } = new URL(url)
      return patterns.some((pattern) => matches(pattern, host))
    },
  }
}

function parsePattern(text: string): string {
  if (text === '*') return text
  const isWildcard = text.startsWith('*.')
  const url = `https://${isWildcard ? text.slice(2) : text}`
  if (text.length > 300 || !URL.canParse(url) || new URL(url).pathname !== '/' || text.endsWith('/'))
    throw new TypeError(`contains "${text.slice(0, 300)}", which is not a host`)
  const { host } = new URL(url)
  return isWildcard ? `*.${host}` : host
}

const matches = (pattern: string, host: string) =>
  pattern === '*' || (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern)
