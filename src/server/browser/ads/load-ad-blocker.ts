import { createRequire } from 'node:module'
import { adFilters } from './ad-filters.js'
import { createBannerSelectors, type BannerSelectors, type ConsentRule } from './banner-selectors.js'
import { hostFilters } from './host-filters.js'

const require = createRequire(import.meta.url)

/** Decides which requests and elements are blocked in screenshots. */
export interface AdBlocker extends BannerSelectors {
  /**
   * Whether a request loads an ad, a tracker, or a consent banner.
   *
   * @param type  The resource type of DevTools: `Script`, `Image`, …
   */
  blocks(request: { url: string; pageUrl: string; type: BlockableType }): boolean
}

export const BLOCKABLE_TYPES = ['Document', 'Script', 'Image', 'XHR', 'Fetch', 'Ping'] as const
export type BlockableType = (typeof BLOCKABLE_TYPES)[number]

/** Matching takes time for each part of a URL, and what filters match is near its beginning. */
const MAX_URL_CHARS = 4_096

const FILTER_TYPES = {
  Document: 'sub_frame',
  Script: 'script',
  Image: 'image',
  XHR: 'xmlhttprequest',
  Fetch: 'xmlhttprequest',
  Ping: 'ping',
} as const

/**
 * Loads the lists from installed packages. That takes about 150 ms and 30 MB, so it should happen once, and only when a
 * screenshot is requested.
 */
export async function loadAdBlocker(): Promise<AdBlocker> {
  const [{ FiltersEngine, Request }, { default: thirdParties }] = await Promise.all([
    import('@ghostery/adblocker'),
    import('third-party-web'),
  ])
  const engine = FiltersEngine.parse([...hostFilters(thirdParties.entities), adFilters].join('\n'), {
    loadCosmeticFilters: false,
  })
  const { autoconsent } = require('@duckduckgo/autoconsent/rules/rules.json') as {
    autoconsent: ConsentRule[]
  }
  return {
    ...createBannerSelectors(autoconsent),
    blocks: ({ url, pageUrl, type }) =>
      engine.match(
        Request.fromRawDetails({
          url: url.slice(0, MAX_URL_CHARS),
          sourceUrl: pageUrl.slice(0, MAX_URL_CHARS),
          type: FILTER_TYPES[type],
        }),
      ).match,
  }
}
