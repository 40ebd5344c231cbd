import { createRequire } from 'node:module'
import { adRules } from './ad-rules.js'
import { createBannerRules, type BannerRules, type ConsentRule } from './banner-rules.js'
import { blockedHosts } from './blocked-hosts.js'

/** What is kept out of pictures. */
export interface AdBlocker extends BannerRules {
  /**
   * Whether a request is for an ad, a tracker, or what asks for consent.
   *
   * @param type  As DevTools calls it: `Script`, `Image`, …
   */
  blocks(request: { url: string; pageUrl: string; type: BlockableType }): boolean
}

export const BLOCKABLE_TYPES = ['Document', 'Script', 'Image', 'XHR', 'Fetch', 'Ping'] as const
export type BlockableType = (typeof BLOCKABLE_TYPES)[number]

const TYPES = {
  Document: 'sub_frame',
  Script: 'script',
  Image: 'image',
  XHR: 'xmlhttprequest',
  Fetch: 'xmlhttprequest',
  Ping: 'ping',
} as const

/**
 * Reads the lists, all of which are files of installed packages: about 150 ms of work and 30 MB, so only once, and only when a
 * picture is wanted.
 */
export async function loadAdBlocker(): Promise<AdBlocker> {
  const [{ FiltersEngine, Request }, { default: thirdParties }] = await Promise.all([
    import('@ghostery/adblocker'),
    import('third-party-web'),
  ])
  const engine = FiltersEngine.parse([...blockedHosts(thirdParties.entities), adRules].join('\n'), {
    loadCosmeticFilters: false,
  })
  const { autoconsent } = createRequire(import.meta.url)('@duckduckgo/autoconsent/rules/rules.json') as {
    autoconsent: ConsentRule[]
  }
  return {
    ...createBannerRules(autoconsent),
    blocks: ({ url, pageUrl, type }) =>
      engine.match(Request.fromRawDetails({ url, sourceUrl: pageUrl, type: TYPES[type] })).match,
  }
}
