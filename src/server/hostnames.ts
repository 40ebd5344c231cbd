import { canParseUrl } from '../query/written-url.js'
import { isIP } from 'node:net'

/** The longest name and label: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
const MAX_NAME_CHARS = 253
/** Longer than any host, to be checked before `new URL` parses it. */
const MAX_HOST_CHARS = 255
const LABEL = /^[^.]{1,63}$/

/** The host name of a URL without brackets, and without the dot that may end it, so that equal hosts compare equal. */
export const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/**
 * Whether a host can exist, which `new URL` does not check: some resolvers drop the empty label of `evil.example..`, which would
 * then be another spelling of a host that is denied.
 *
 * @param hostname  What `hostnameOf` returns.
 */
export const isHostname = (hostname: string): boolean =>
  isIP(hostname) > 0 || (hostname.length <= MAX_NAME_CHARS && hostname.split('.').every((label) => LABEL.test(label)))

/**
 * Parses the name or IP address of a host as an operator writes it.
 *
 * @returns  The host in the form of `hostnameOf`; `undefined` for other text, and for a host with a port.
 */
export function parseHost(text: string): string | undefined {
  const url = `http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`
  if (text.length > MAX_HOST_CHARS || !/^[^\s/?#@\\*]+$/.test(text) || !canParseUrl(url)) return undefined
  const parsed = new URL(url)
  const hostname = hostnameOf(parsed)
  return parsed.port === '' && isHostname(hostname) ? hostname : undefined
}
