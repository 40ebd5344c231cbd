/**
 * Filters that complement the list of hosts, in the syntax of filter lists: parts of companies that do more than advertise, and
 * common paths on a site's own host.
 *
 * @see https://help.adblockplus.org/hc/en-us/articles/360062733293
 */
export const adFilters = `
||ads.linkedin.com^
||px.ads.linkedin.com^
||snap.licdn.com^
||bat.bing.com^
||clarity.ms^$third-party
||ads.yahoo.com^
||advertising.com^$third-party
||line.me/lt.gif
||smartadserver.com^$third-party
||tiqcdn.com^$third-party
||tealiumiq.com^$third-party
||q.quora.com^
||a.quora.com^
||yads.c.yimg.jp^
||jwpltx.com^
||analytics.yahoo.com^
||gemini.yahoo.com^
||connect.facebook.net^*/fbevents.js
||facebook.com/tr^
||facebook.com/tr?
||analytics.tiktok.com^
||ads-twitter.com^
||analytics.twitter.com^
||tr.snapchat.com^
||sc-static.net/scevent.min.js
||ct.pinterest.com^
||fundingchoicesmessages.google.com^
||google.com/pagead/
||google.com/ads/
||cdn-cookieyes.com^$third-party
||cookiebot.com^$third-party
||cookiebot.eu^$third-party
||cookie-script.com^$third-party
||cdn.cookiehub.eu^
||consentmanager.net^$third-party
||usercentrics.eu^$third-party
||trustarc.com^$third-party
||sp-prod.net^$third-party
||quantcast.mgr.consensu.org^
/adsbygoogle.js
/pagead/js/
/pagead/conversion
/pagead2.
/show_ads.js
/show_ads_impl
/securepubads.
/tag/js/gpt.js
/gampad/ads?
/adframe.$subdocument
/adserver/$third-party
/adserver.$script
/ad-server/
/adservice.
/banner-ads/
/banner_ads/
/bannerads/
/ads/banner
/ads/ads.js
/ads.js$script
/ads.min.js$script
/ads-min.js$script
/advertising.js$script
/advertisement.js$script
/advert.js$script
/prebid.js$script
/prebid-$script
/prebid/$script
/doubleclick/$script
/google-analytics.js$script
/gtag/js?
/gtm.js?id=
/analytics.js$script,third-party
/ga.js$script
/piwik.js$script
/matomo.js$script
/matomo.php?
/piwik.php?
/fbevents.js$script
/hotjar-$script
/cookieconsent.min.js$script
/cookieconsent.js$script
/tracking-pixel.
/tracking_pixel.
/trackingpixel.
/tracking/pixel
/tracker/pixel
/pixel/track
/pixel.gif?
/track.gif?
/tracking.gif?
/__utm.gif
/beacon.gif?
/collect?v=1&
/collect?v=2&
-ad-banner.$image
_ad_banner.$image
-160x600.$third-party,image
-300x250.$third-party,image
-728x90.$third-party,image
`

/** Categories of companies all of whose hosts are blocked, except those below. */
export const blockedCategories = new Set(['ad', 'analytics', 'tag-manager', 'consent-provider'])

/** These also serve content that other sites show, so `adFilters` lists the parts of them to block. */
export const mixedCompanies = new Set([
  'AOL / Oath / Verizon Media',
  'Answers',
  'Apester',
  'Auto Link Maker',
  'Bazaarvoice',
  'Better Business Bureau',
  'Bing Ads',
  'Channel 5 Media',
  'Everyday Health',
  'Flixmedia',
  'Gigya',
  'HERE',
  'Hootsuite',
  'HotUKDeals',
  'IBM Tealeaf',
  'LINE Corporation',
  'LinkedIn Ads',
  'LongTail Ad Solutions',
  'Quora Ads',
  'Reviews.io',
  'Smart AdServer',
  'Snapchat',
  'Spiceworks',
  'Stamped.io',
  'Tealium',
  'Trust Pilot',
  'Unbounce',
  'Yahoo! JAPAN Ads',
  'Yahoo!',
])

/** Names that sites commonly use for their own banners, and products that the rules recognise only by their scripts. */
export const commonBanners = [
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

/** Overlays of common products, which often appear late: buttons of chats, banners of apps, logins, newsletters. */
export const commonOverlays = [
  '.intercom-lightweight-app',
  '#intercom-container',
  '#hubspot-messages-iframe-container',
  '#drift-frame-controller',
  '#drift-widget-container',
  '#crisp-chatbox',
  '.crisp-client',
  '#tidio-chat',
  '#chat-widget-container',
  '#gorgias-chat-container',
  '#freshworks-container',
  '#fc_frame',
  '#beacon-container',
  '#helpcrunch-container',
  '#olark-wrapper',
  '.woot-widget-holder',
  '.woot-widget-bubble',
  '#ada-button-frame',
  '#kustomer-ui-sdk-iframe',
  '.zsiq_floatmain',
  'iframe#webWidget',
  'iframe#launcher',
  'iframe[title="chat widget"]',
  '.fb_dialog',
  '#credential_picker_container',
  '#credential_picker_iframe',
  '#branch-banner-iframe',
  '.smartbanner',
  '#smartbanner',
  '.smart-app-banner',
  '.pum-overlay.pum-active',
  '#PopupSignupForm_0',
  '#attentive_overlay',
  '.wisepops-root',
  '.leadinModal',
]

export const adSlots = [
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
