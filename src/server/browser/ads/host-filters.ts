import type { IEntity } from 'third-party-web'

const BLOCKED_CATEGORIES = new Set(['ad', 'analytics', 'tag-manager', 'consent-provider'])

/** These also serve content that other sites show, so `adFilters` lists the parts of them to block. */
const MIXED_COMPANIES = new Set([
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

/** One filter for each host of companies in advertising, analytics, tag management or consent; it applies on other sites only. */
export function hostFilters(entities: readonly IEntity[]): string[] {
  return entities
    .filter(({ category, name }) => BLOCKED_CATEGORIES.has(category) && !MIXED_COMPANIES.has(name))
    .flatMap(({ domains }) => domains.map((domain) => `||${domain.replace(/^\*\./, '')}^$third-party`))
}
