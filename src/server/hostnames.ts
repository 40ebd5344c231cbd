import { isIP } from 'node:net'

/** The longest name and label: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
const MAX_NAME_CHARS = 253
const LABEL = /^[^.]{1,63}$/

/** Without brackets and without the dot that may end a name, so that equal hosts compare equal. */
export const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/**
 * Whether a host can exist, which `new URL` does not check: some resolvers drop the empty label of `evil.example..`, which would
 * then be another spelling of a host that is denied.
 *
 * @param hostname  As `hostnameOf` returns it.
 */
export const isHostname = (hostname: string): boolean =>
  isIP(hostname) > 0 || (hostname.length <= MAX_NAME_CHARS && hostname.split('.').every((label) => LABEL.test(label)))
