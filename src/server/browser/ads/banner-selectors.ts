/** The properties of an autoconsent rule that are used here. */
export interface ConsentRule {
  name: string
  /** Selectors of the banner and its backdrop. */
  prehideSelectors?: string[] | undefined
  runContext?: { main?: boolean; urlPattern?: string } | undefined
}

/** CSS selectors of consent banners and ad slots. */
export interface BannerSelectors {
  /** @param url  URL of the page. */
  selectorsFor(url: string): string[]
}

/** Names that sites commonly use for their own banners, and products that the rules recognize only by their scripts. */
const COMMON_BANNERS = [
  '#cookie-banner',
  '#cookie-bar',
  '#cookie-consent',
  '#cookie-law-info-bar',
  '#cookie-notice',
  '#cookie-policy-banner',
  '#cookie-popup',
  '#cookieConsent',
  '#cookieNotice',
  '#cookiebanner',
  '#cookies-banner',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#consent-banner',
  '#gdpr-banner',
  '#gdpr-consent',
  '#onetrust-banner-sdk',
  '#onetrust-consent-sdk',
  '#truste-consent-track',
  '#usercentrics-root',
  '#usercentrics-cmp-ui',
  '[aria-label="cookieconsent"]',
  '[id^="sp_message_container_"]',
  '.cc-banner',
  '.cc-window',
  '.cookie-alert',
  '.cookie-banner',
  '.cookie-consent',
  '.cookie-consent-banner',
  '.cookie-notice',
  '.cookie-popup',
  '.cookie-warning',
  '.cookiebanner',
  '.cookies-banner',
  '.gdpr-banner',
  '.gdpr-consent',
  '.qc-cmp2-container',
]

const AD_SLOTS = [
  'ins.adsbygoogle',
  '[id^="google_ads_iframe"]',
  '[id^="div-gpt-ad"]',
  '[id^="taboola-"]',
  'iframe[src*="doubleclick.net"]',
  'iframe[src*="googlesyndication.com"]',
  '.OUTBRAIN',
  '.ad-banner',
  '.ad-placeholder',
  '.ad-slot',
  '.adsbox',
  '.advertisement',
  '.google-auto-placed',
]

/** The patterns match host and path only. */
const MAX_URL_CHARS = 4_096

export function createBannerSelectors(rules: readonly ConsentRule[]): BannerSelectors {
  const usable = rules.filter(({ name, runContext }) => runContext?.main !== false && !name.startsWith('Test page'))
  const general = usable.filter(({ runContext }) => !runContext?.urlPattern)
  const siteSpecific = usable.flatMap(({ prehideSelectors = [], runContext }) =>
    runContext?.urlPattern ? [{ prehideSelectors, pattern: new RegExp(runContext.urlPattern) }] : [],
  )
  const everywhere = [
    ...COMMON_BANNERS,
    ...AD_SLOTS,
    ...general.flatMap(({ prehideSelectors = [] }) => prehideSelectors),
  ]
  return {
    selectorsFor: (url) => {
      const start = url.slice(0, MAX_URL_CHARS)
      const forSite = siteSpecific.filter(({ pattern }) => pattern.test(start))
      return [...everywhere, ...forSite.flatMap(({ prehideSelectors }) => prehideSelectors)]
    },
  }
}
