/** As far as it is needed here. */
export interface ConsentRule {
  name: string
  /** Of what asks for consent, and of what lies under it. */
  prehideSelectors?: string[] | undefined
  runContext?: { main?: boolean; urlPattern?: string } | undefined
}

/** CSS selectors of banners that ask for consent. */
export interface BannerRules {
  /** `url` is the page's own. */
  selectorsFor(url: string): string[]
}

/** Names that sites give their own banners, and products that the rules know only by what they load. */
const COMMON = [
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

/** Where ads stood, or would. */
const AD_PLACES = [
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

export function createBannerRules(rules: readonly ConsentRule[]): BannerRules {
  const usable = rules.filter(({ name, runContext }) => runContext?.main !== false && !name.startsWith('Test page'))
  const everywhere = usable.filter(({ runContext }) => !runContext?.urlPattern)
  const somewhere = usable.flatMap(({ prehideSelectors = [], runContext }) =>
    runContext?.urlPattern ? [{ prehideSelectors, pattern: new RegExp(runContext.urlPattern) }] : [],
  )
  const common = [...COMMON, ...AD_PLACES, ...everywhere.flatMap(({ prehideSelectors = [] }) => prehideSelectors)]
  return {
    selectorsFor: (url) => [
      ...common,
      ...somewhere.flatMap(({ prehideSelectors, pattern }) => (pattern.test(url) ? prehideSelectors : [])),
    ],
  }
}
