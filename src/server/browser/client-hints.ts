import type { Protocol } from 'puppeteer-core'

/** The other brands that Chromium sends are invented, so that sites do not rely on the list. */
const GREASE = { brand: 'Not.A/Brand', version: '24' }

const BRANDS: readonly (readonly [pattern: RegExp, brand: string])[] = [
  [/\bEdgA?\/(\d+)/, 'Microsoft Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\bHeadlessChrome\/(\d+)/, 'HeadlessChrome'],
  [/\bChrome\/(\d+)/, 'Google Chrome'],
]

const PLATFORMS: readonly (readonly [pattern: RegExp, platform: string, version: string])[] = [
  [/\bAndroid ?([\d.]*)/, 'Android', ''],
  [/\bWindows NT/, 'Windows', '15.0.0'],
  [/\bMacintosh\b/, 'macOS', '15.0.0'],
  [/\bCrOS\b/, 'Chrome OS', ''],
  [/\bLinux\b/, 'Linux', ''],
]

/**
 * The client hints of the browser that a user agent names, for the headers `sec-ch-ua…` and `navigator.userAgentData`. Without them,
 * Chromium sends none, and a Chrome without client hints looks like a bot.
 *
 * @returns  `undefined` for a browser that has none, such as Safari and Firefox, and for anything that is no browser.
 * @see      https://wicg.github.io/ua-client-hints/
 */
export function clientHintsOf(userAgent: string): Protocol.Emulation.UserAgentMetadata | undefined {
  const chromium = /\bChrome\/(\d+)([\d.]*)/.exec(userAgent)
  if (!chromium || /bot\b|\+https?:/i.test(userAgent)) return undefined
  const [, major = '', rest = ''] = chromium
  const [brandPattern, brand = ''] = BRANDS.find(([pattern]) => pattern.test(userAgent)) ?? []
  const brandVersion = brandPattern?.exec(userAgent)?.[1] ?? major
  const [pattern, platform = 'Unknown', version = ''] = PLATFORMS.find(([each]) => each.test(userAgent)) ?? []
  const isAndroid = platform === 'Android'
  const brands = [{ brand: 'Chromium', version: major }, { brand, version: brandVersion }, GREASE]
  const fullVersion = `${major}${rest || '.0.0.0'}`
  return {
    brands,
    fullVersionList: brands.map((each) => ({
      ...each,
      version: each.version === major ? fullVersion : `${each.version}.0.0.0`,
    })),
    platform,
    platformVersion: pattern?.exec(userAgent)?.[1] || version,
    architecture: isAndroid ? '' : /\b(arm|aarch)64\b/i.test(userAgent) ? 'arm' : 'x86',
    bitness: isAndroid ? '' : '64',
    model: isAndroid
      ? (/\bAndroid [\d.]*; ?([^;)]+)/
          .exec(userAgent)?.[1]
          ?.replace(/ Build\/.*/, '')
          .trim() ?? '')
      : '',
    mobile: /\bMobile\b/.test(userAgent),
    wow64: false,
  }
}
