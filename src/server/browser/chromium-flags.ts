import { statfs } from 'node:fs/promises'
import { platform } from 'node:os'

/** Where the proxies of pages listen. */
const PROXY_HOST = '127.0.0.1'
/** Nothing listens there. */
const CLOSED_PORT = '127.0.0.1:9'
/** All names lead to the closed port. Not to `~NOTFOUND`: of a name under .local, WebRTC would send a multicast query for that. */
const MAP_ALL = `MAP * ${CLOSED_PORT}`
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024

/** The command line of a browser without its executable. */
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
    ...GUARD_FLAGS,
    ...COMMON_FLAGS,
  ]
}

/** The flags that the network guard depends on: without any one of them, Chromium sends packets that bypass the proxies. */
const GUARD_FLAGS: readonly string[] = [
  // Requests outside of pages go to a proxy where nothing listens; each page has its own.
  `--proxy-server=http://${CLOSED_PORT}`,
  '--proxy-bypass-list=<-loopback>',
  // No name is looked up except the address of the proxies.
  `--host-resolver-rules=${MAP_ALL} , EXCLUDE ${PROXY_HOST}`,
  // WebRTC sends no packets that bypass the proxies: the first is for the headless shell, the second for full Chromium.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // No other UDP, and no DNS queries of pages.
  '--disable-quic',
  '--dns-prefetch-disable',
]

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

  // Pages render completely, and the same way on every machine. A server has no mouse, but the visitor at a desktop has one; devices
  // with a touch screen replace it.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
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
