import { beforeAll, describe, expect, it } from 'vitest'
import { loadAdBlocker, type AdBlocker } from '../../../src/server/browser/ad-blocker.js'

let adBlocker: AdBlocker
beforeAll(async () => {
  adBlocker = await loadAdBlocker()
})

const blocks = (
  url: string,
  type: Parameters<AdBlocker['blocks']>[0]['type'],
  pageUrl = 'https://news.example/article',
) => adBlocker.blocks({ url, pageUrl, type })

describe('the ad blocker', () => {
  it.each([
    ['https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js', 'Script'],
    ['https://securepubads.g.doubleclick.net/tag/js/gpt.js', 'Script'],
    ['https://googleads.g.doubleclick.net/pagead/ads?client=1', 'Document'],
    ['https://www.google-analytics.com/g/collect?v=2&tid=1', 'Ping'],
    ['https://www.googletagmanager.com/gtm.js?id=GTM-1', 'Script'],
    ['https://static.hotjar.com/c/hotjar-1.js', 'Script'],
    ['https://c.amazon-adsystem.com/aax2/apstag.js', 'Script'],
    ['https://cdn.taboola.com/libtrc/loader.js', 'Script'],
    ['https://www.facebook.com/tr?id=1&ev=PageView', 'Image'],
    ['https://connect.facebook.net/en_US/fbevents.js', 'Script'],
    ['https://bat.bing.com/bat.js', 'Script'],
    ['https://sb.scorecardresearch.com/p?c1=2', 'Image'],
    ['https://cdn.cookielaw.org/scripttemplates/otSDKStub.js', 'Script'],
    ['https://consent.cookiebot.com/uc.js', 'Script'],
    ['https://news.example/ads/banner-300x250.jpg', 'Image'],
    ['https://news.example/js/adsbygoogle.js', 'Script'],
    ['https://news.example/tracking-pixel.gif?u=1', 'Image'],
  ] as const)('blocks %s', (url, type) => expect(blocks(url, type)).toBe(true))

  it.each([
    ['https://news.example/app.js', 'Script'],
    ['https://news.example/uploads/ads-explained.jpg', 'Image'],
    ['https://news.example/downloads.js', 'Script'],
    ['https://cdn.jsdelivr.net/npm/react/index.js', 'Script'],
    ['https://fonts.googleapis.com/css2?family=Inter', 'Script'],
    ['https://images.unsplash.com/photo-1', 'Image'],
    ['https://www.youtube.com/embed/x', 'Document'],
    ['https://platform.twitter.com/widgets.js', 'Script'],
    ['https://js.stripe.com/v3/', 'Script'],
    ['https://www.apple.com/iphone.jpg', 'Image'],
    ['https://s.yimg.com/photo.jpg', 'Image'],
    ['https://media.licdn.com/photo.jpg', 'Image'],
  ] as const)('lets %s through', (url, type) => expect(blocks(url, type)).toBe(false))

  it("does not block an advertiser's resources on its own page", () => {
    expect(blocks('https://static.criteo.com/app.js', 'Script', 'https://www.criteo.com/')).toBe(false)
    expect(blocks('https://static.criteo.com/app.js', 'Script')).toBe(true)
  })

  it('knows consent banners of common products, and of single sites', () => {
    const common = adBlocker.selectorsFor('https://news.example/')
    expect(common).toEqual(expect.arrayContaining(['#onetrust-banner-sdk', '.cc-banner', '#CybotCookiebotDialog']))
    expect(adBlocker.selectorsFor('https://www.abconcerts.be/').length).toBeGreaterThanOrEqual(common.length)
  })
})
