import { statfs } from 'node:fs/promises'
import { platform } from 'node:os'

export interface ChromiumFlagsOptions {
  proxyUrl: string
  userDataDir: string
  isSandboxed: boolean
}

const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024

/** Whatever would make Chromium ask for something that no page asked for, or go around the proxy, is off. */
export async function chromiumFlags({ proxyUrl, userDataDir, isSandboxed }: ChromiumFlagsOptions): Promise<string[]> {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${userDataDir}`,
    ...(isSandboxed ? [] : ['--no-sandbox']),
    ...((await hasLittleSharedMemory()) ? ['--disable-dev-shm-usage'] : []),

    // The way out. Loopback too goes through the proxy, and no name is resolved but the proxy's own.
    `--proxy-server=${proxyUrl}`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${new URL(proxyUrl).hostname}`,
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',

    // Of its own accord it does nothing.
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
    '--password-store=basic',
    '--use-mock-keychain',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,

    // Pages are drawn the same way everywhere, and wholly.
    // A popup runs in the process of its opener, and may keep it busy before it can be closed.
    '--block-new-web-contents',
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
}

const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'LoadingPredictorUseOptimizationGuide',
  'MediaRouter',
  'NetworkPrediction',
  'OptimizationHints',
  'PreconnectToSearch',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
]

/** Containers often have 64 MB, which is not enough for large pages. */
async function hasLittleSharedMemory(): Promise<boolean> {
  if (platform() !== 'linux') return false
  try {
    const { blocks, bsize } = await statfs('/dev/shm')
    return blocks * bsize < MIN_SHARED_MEMORY_BYTES
  } catch {
    return true
  }
}
