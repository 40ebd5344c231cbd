import { COMMON_FLAGS } from './chromium-flags.js'
import { guardFlags } from './guard-flags.js'

/** What a browser that was not launched here must have been started with, and why. `HOST` stands for the host of the proxies. */
export const requiredFlags: Readonly<Record<string, string>> = {
  '--enable-automation': 'lets the service read the flags of the browser',
  '--proxy-server': 'requests outside of pages go to this proxy, where nothing listens',
  '--host-resolver-rules=MAP * 127.0.0.1:9 , EXCLUDE HOST': 'looks up no name but that of the proxies',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp':
    'WebRTC of the headless shell sends no packets that bypass the proxies',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp': 'the same for full Chromium, which ignores the other',
  '--disable-quic': 'no UDP that bypasses the proxies',
  '--dns-prefetch-disable': 'pages cause no DNS queries',
}

/** With one of these a page could escape the sandbox, or bypass the proxies. */
export const forbiddenFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-seccomp-filter-sandbox',
  '--single-process',
  '--disable-web-security',
  '--host-rules',
  '--no-proxy-server',
  '--origin-to-force-quic-on',
]

export interface RemoteFlagsOptions {
  /** Name or address by which the browser reaches the proxies. */
  proxyHost: string
  /** Whether the browser may run without its sandbox. Default: false. */
  allowUnsandboxed?: boolean | undefined
}

/** The command line, without the executable, of a browser that the service accepts. */
export const recommendedFlags = ({ proxyHost }: RemoteFlagsOptions): string[] => [
  '--headless',
  '--remote-debugging-port=9222',
  '--user-data-dir=/tmp/chromium',
  '--enable-automation',
  ...guardFlags(proxyHost),
  ...COMMON_FLAGS,
]

/**
 * Compares the command line of a browser with what the network guard depends on.
 *
 * @param commandLine  With the executable; `undefined` where the browser does not disclose it.
 * @returns            What is wrong, one text each: `--flag is missing`, `--flag is set`; none when the browser is acceptable.
 */
export function findFlagMistakes(
  commandLine: readonly string[] | undefined,
  { proxyHost, allowUnsandboxed = false }: RemoteFlagsOptions,
): string[] {
  if (!commandLine) return ['--enable-automation is missing']
  const switches = readSwitches(commandLine.slice(1))
  const missing = Object.keys(requiredFlags)
    .filter((flag) => !hasFlag(flag, switches, proxyHost))
    .map((flag) => `${flag.replace('HOST', proxyHost)} is missing`)
  const forbidden = forbiddenFlags
    .filter((flag) => switches.has(flag) && !(flag === '--no-sandbox' && allowUnsandboxed))
    .map((flag) => `${flag} is set`)
  return [...missing, ...forbidden]
}

/** As Chromium reads them: also with one dash, the last value of each, and none after `--`. */
function readSwitches(args: readonly string[]): Map<string, string> {
  const end = args.indexOf('--')
  const switches = new Map<string, string>()
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    const [, name, value = ''] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (name) switches.set(`--${name}`, value)
  }
  return switches
}

function hasFlag(flag: string, switches: ReadonlyMap<string, string>, proxyHost: string): boolean {
  const [name, value] = splitFlag(flag)
  const actual = switches.get(name)
  if (actual === undefined) return false
  if (name === '--host-resolver-rules') return resolvesOnly(actual, proxyHost)
  return value === undefined || actual === value
}

function splitFlag(flag: string): [name: string, value: string | undefined] {
  const at = flag.indexOf('=')
  return at < 0 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)]
}

/** Whether rules exclude the host of the proxies, and otherwise plain names only. */
function resolvesOnly(rules: string, proxyHost: string): boolean {
  const [first, ...others] = rules.split(',').map((rule) => rule.trim().replace(/\s+/g, ' '))
  const excluded = others.map((rule) => /^EXCLUDE ([^\s*]+)$/i.exec(rule)?.[1]?.toLowerCase())
  return first === 'MAP * 127.0.0.1:9' && !excluded.includes(undefined) && excluded.includes(proxyHost.toLowerCase())
}
