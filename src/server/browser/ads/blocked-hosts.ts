import type { IEntity } from 'third-party-web'

const CATEGORIES = new Set(['ad', 'analytics', 'tag-manager', 'consent-provider'])

/** They advertise or measure, and serve much else that other sites show; `adRules` names the part of them that is meant. */
const MORE_THAN_ADVERTISERS = new Set([
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

/** One filter per host of everyone whose trade is ads, measuring, tags or consent; only for what other sites load of them. */
export function blockedHosts(entities: readonly IEntity[]): string[] {
  return entities
    .filter(({ category, name }) => CATEGORIES.has(category) && !MORE_THAN_ADVERTISERS.has(name))
    .flatMap(({ domains }) => domains.map((domain) => `||${domain.replace(/^\*\./, '')}^$third-party`))
}
