import { createRequire } from 'node:module'
import type { IEntity } from 'third-party-web'
import { adFilters, adSlots, blockedCategories, commonBanners, commonOverlays, mixedCompanies } from './ad-lists.js'

const require = createRequire(import.meta.url)

/** Decides which requests and elements are blocked in screenshots. */
export interface AdBlocker {
  /**
   * Whether a request loads an ad, a tracker, or a consent banner.
   *
   * @param type  The resource type of DevTools: `Script`, `Image`, …
   */
  blocks(request: { url: string; pageUrl: string; type: BlockableType }): boolean
  /** CSS selectors of consent banners, other overlays and ad slots. @param url  URL of the page. */
  selectorsFor(url: string): string[]
}

export const BLOCKABLE_TYPES = ['Document', 'Script', 'Image', 'XHR', 'Fetch', 'Ping'] as const
export type BlockableType = (typeof BLOCKABLE_TYPES)[number]

/** Matching takes time for each part of a URL. What filters match is near its beginning; rules match its host and path. */
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
    selectorsFor: createBannerSelectors(autoconsent),
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

/** One filter for each host of companies in advertising, analytics, tag management or consent; it applies on other sites only. */
function hostFilters(entities: readonly IEntity[]): string[] {
  return entities
    .filter(({ category, name }) => blockedCategories.has(category) && !mixedCompanies.has(name))
    .flatMap(({ domains }) => domains.map((domain) => `||${domain.replace(/^\*\./, '')}^$third-party`))
}

/** The properties of an autoconsent rule that are used here. */
interface ConsentRule {
  name: string
  /** Selectors of the banner and its backdrop. */
  prehideSelectors?: string[] | undefined
  runContext?: { main?: boolean; urlPattern?: string } | undefined
}

function createBannerSelectors(rules: readonly ConsentRule[]): AdBlocker['selectorsFor'] {
  const usable = rules.filter(({ name, runContext }) => runContext?.main !== false && !name.startsWith('Test page'))
  const general = usable.filter(({ runContext }) => !runContext?.urlPattern)
  const siteSpecific = usable.flatMap(({ prehideSelectors = [], runContext }) =>
    runContext?.urlPattern ? [{ prehideSelectors, pattern: new RegExp(runContext.urlPattern) }] : [],
  )
  const everywhere = [
    ...commonBanners,
    ...commonOverlays,
    ...adSlots,
    ...general.flatMap(({ prehideSelectors = [] }) => prehideSelectors),
  ]
  return (url) => {
    const start = url.slice(0, MAX_URL_CHARS)
    const forSite = siteSpecific.filter(({ pattern }) => pattern.test(start))
    return [...everywhere, ...forSite.flatMap(({ prehideSelectors }) => prehideSelectors)]
  }
}
