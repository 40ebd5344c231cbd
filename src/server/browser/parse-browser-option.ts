import { isRemoteBrowser } from './is-remote-browser.js'

const MAX_BROWSERS = 32

/**
 * Reads `--browser`: the path of one Chromium, or the addresses of browsers that run already.
 *
 * @param values  Each may contain several addresses, separated by commas.
 * @throws        {Error} with the end of a sentence that begins with the name of the option.
 */
export function parseBrowserOption(values: readonly string[]): string[] {
  const browsers = [...new Set(values.flatMap((value) => (isRemoteBrowser(value) ? value.split(/[\s,]+/) : [value])))]
  const addresses = browsers.filter(isRemoteBrowser)
  if (!addresses.length && browsers.length === 1) return browsers
  if (addresses.length !== browsers.length)
    throw new Error('must be the path of one Chromium, or addresses like http://HOST:PORT, and not both')
  if (addresses.length > MAX_BROWSERS) throw new Error(`must be at most ${MAX_BROWSERS} addresses`)
  const webSocket = addresses.find((address) => /^wss?:/i.test(address))
  if (webSocket && addresses.length > 1)
    throw new Error(
      'must be http://HOST:PORT for each of several browsers, because a ws:// URL names one process and is void when that restarts',
    )
  if (!webSocket && !addresses.every(isBrowserAddress))
    throw new Error('must be http://HOST:PORT, without a path and a password')
  return addresses
}

function isBrowserAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(address)
  return protocol === 'http:' && pathname === '/' && !(search || hash || username || password)
}
