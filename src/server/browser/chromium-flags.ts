import { statfs } from 'node:fs/promises'
import { platform } from 'node:os'

/** Where the proxies of pages listen for a browser that is launched here. */
const PROXY_HOST = '127.0.0.1'
/** Nothing listens there. */
const CLOSED_PORT = '127.0.0.1:9'
/** All names lead to the closed port. Not to `~NOTFOUND`: of a name under .local, WebRTC would send a multicast query for that. */
const MAP_ALL = `MAP * ${CLOSED_PORT}`
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024

/** The flags of a browser that is launched here. */
export async function launchFlags({
  userDataDir,
  isSandboxed,
}: {
  userDataDir: string
  isSandboxed: boolean
}): Promise<string[]> {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${userDataDir}`,
    ...(isSandboxed ? [] : ['--no-sandbox']),
    ...((await lacksSharedMemory()) ? ['--disable-dev-shm-usage'] : []),

    // All traffic of pages leaves through their proxies, loopback included.
    ...guardFlags(PROXY_HOST),
    ...COMMON_FLAGS,
  ]
}

/**
 * The command line, without the executable, of a browser that the service accepts although it has not launched it.
 *
 * @param proxyPublicHost  Name or address by which the browser reaches the proxies.
 */
export const recommendedFlags = (proxyPublicHost: string): string[] => [
  '--headless',
  '--remote-debugging-port=9222',
  '--user-data-dir=/tmp/chromium',
  '--enable-automation',
  ...guardFlags(proxyPublicHost),
  ...COMMON_FLAGS,
]

/**
 * The flags that the network guard depends on, and why: without any one of them, Chromium sends packets that bypass the proxies.
 * `HOST` stands for the name or address of the proxies, the only name that Chromium resolves.
 */
const GUARD_FLAGS = {
  // With any value, since each page has its own proxy.
  '--proxy-server': 'requests outside of pages go to this proxy, where nothing listens',
  [`--host-resolver-rules=${MAP_ALL} , EXCLUDE HOST`]: 'looks up no name except the name of the proxies',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp':
    'WebRTC of the headless shell sends no packets that bypass the proxies',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp': 'the same for full Chromium, which ignores the other',
  '--disable-quic': 'no UDP that bypasses the proxies',
  '--dns-prefetch-disable': 'pages cause no DNS queries',
}

/** What a browser that was not launched here must have been started with, and why; `HOST` as in `GUARD_FLAGS`. */
export const requiredFlags: Readonly<Record<string, string>> = {
  '--enable-automation': 'lets the service read the flags of the browser',
  ...GUARD_FLAGS,
}

const guardFlags = (proxyPublicHost: string): string[] =>
  Object.keys(GUARD_FLAGS).flatMap((flag) =>
    flag === '--proxy-server'
      ? [`--proxy-server=http://${CLOSED_PORT}`, '--proxy-bypass-list=<-loopback>']
      : flag.replace('HOST', proxyPublicHost),
  )

const DISABLED_FEATURES = [
  // Every context of full Chromium asks Google whether AI Mode is available, through the proxy of its page.
  'AimEnabled',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'LoadingPredictorUseOptimizationGuide',
  'MediaRouter',
  'NetworkPrediction',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
]

const COMMON_FLAGS: readonly string[] = [
  // Chromium sends only the requests of pages.
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  // The first window of full Chromium loads its start page.
  '--no-startup-window',
  '--password-store=basic',
  '--use-mock-keychain',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,

  // A popup shares the process of its opener, and could block it before the popup is closed.
  '--block-new-web-contents',

  // Pages render completely, and the same way on every machine.
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-checker-imaging',
  '--disable-renderer-backgrounding',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--lang=en-US',
  '--mute-audio',
]

/** Containers often have 64 MB, too little for large pages. */
async function lacksSharedMemory(): Promise<boolean> {
  if (platform() !== 'linux') return false
  try {
    const { blocks, bsize } = await statfs('/dev/shm')
    return blocks * bsize < MIN_SHARED_MEMORY_BYTES
  } catch {
    return true
  }
}

/** Flags with which a page could escape the sandbox, or bypass the proxies. */
export const forbiddenFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-seccomp-filter-sandbox',
  '--single-process',
  '--disable-web-security',
  '--host-rules',
  '--no-proxy-server',
  '--origin-to-force-quic-on',
]

/**
 * Compares the command line of a browser that was not launched here with what the network guard depends on.
 *
 * @param commandLine       With the executable; `undefined` if the browser does not disclose it.
 * @param proxyPublicHost   Name or address by which the browser reaches the proxies.
 * @param allowUnsandboxed  Whether the browser may run without its sandbox.
 * @returns                 What is wrong, one text each: `--flag is missing`, `--flag is set`; none when the browser is acceptable.
 */
export function findFlagMistakes(
  commandLine: readonly string[] | undefined,
  { proxyPublicHost, allowUnsandboxed = false }: { proxyPublicHost: string; allowUnsandboxed?: boolean | undefined },
): string[] {
  if (!commandLine) return ['--enable-automation is missing']
  const switches = readSwitches(commandLine.slice(1))
  const missing = Object.keys(requiredFlags)
    .filter((flag) => !hasFlag(flag, switches, proxyPublicHost))
    .map((flag) => `${flag.replace('HOST', proxyPublicHost)} is missing`)
  const forbidden = forbiddenFlags
    .filter((flag) => switches.has(flag) && !(flag === '--no-sandbox' && allowUnsandboxed))
    .map((flag) => `${flag} is set`)
  return [...missing, ...forbidden]
}

/** Reads switches as Chromium does: also with one dash, the last value of each, and none after `--`. */
function readSwitches(args: readonly string[]): Map<string, string> {
  const end = args.indexOf('--')
  const switches = new Map<string, string>()
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    const [, name, value = ''] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (name) switches.set(`--${name}`, value)
  }
  return switches
}

function hasFlag(flag: string, switches: ReadonlyMap<string, string>, proxyPublicHost: string): boolean {
  const [name, value] = splitFlag(flag)
  const actual = switches.get(name)
  if (actual === undefined) return false
  if (name === '--host-resolver-rules') return resolvesOnly(actual, proxyPublicHost)
  return value === undefined || actual === value
}

function splitFlag(flag: string): [name: string, value: string | undefined] {
  const at = flag.indexOf('=')
  return at < 0 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)]
}

/** Whether rules exclude the host of the proxies, and otherwise plain names only. */
function resolvesOnly(rules: string, proxyPublicHost: string): boolean {
  const [first, ...others] = rules.split(',').map((rule) => rule.trim().replace(/\s+/g, ' '))
  const excluded = others.map((rule) => /^EXCLUDE ([^\s*]+)$/i.exec(rule)?.[1]?.toLowerCase())
  return first === MAP_ALL && !excluded.includes(undefined) && excluded.includes(proxyPublicHost.toLowerCase())
}
