import { statfs } from 'node:fs/promises'
import { platform } from 'node:os'
import { guardFlags } from './guard-flags.js'

export interface ChromiumFlagsOptions {
  userDataDir: string
  isSandboxed: boolean
}

/** Where the proxies of its pages listen. */
const PROXY_HOST = '127.0.0.1'
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024

/** Disables everything that causes Chromium to send requests of its own or bypass the proxy. */
export async function chromiumFlags({ userDataDir, isSandboxed }: ChromiumFlagsOptions): Promise<string[]> {
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

const DISABLED_FEATURES = [
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

/** The flags of a browser that is launched here; recommended for one that is not. */
export const COMMON_FLAGS: readonly string[] = [
  // Chromium sends no requests of its own.
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
