import type { CollectedProperty } from './html-collector.js'
import { areSimilar } from './similar-texts.js'

const MAX_HEADINGS = 30
/** Bylines stand above a headline, below it, or below a summary. */
const MAX_CHARS_BEFORE = 300
const MAX_CHARS_AFTER = 1_500

/**
 * The properties that stand near the headline, with no link to another page between. On a list of teasers this excludes those of
 * the teasers.
 *
 * @param titles  What the page declares as its title; the headline repeats it.
 */
export function nearHeadline(
  properties: readonly CollectedProperty[],
  { titles, articleCount }: { titles: readonly string[]; articleCount: number },
): CollectedProperty[] {
  const headline = findHeadline(properties, titles)
  if (!headline) return []
  return properties.filter(
    ({ at, section, article }) =>
      section === headline.section &&
      (article === headline.article || articleCount <= 1) &&
      at >= headline.at - MAX_CHARS_BEFORE &&
      at <= headline.end + MAX_CHARS_AFTER,
  )
}

function findHeadline(
  properties: readonly CollectedProperty[],
  titles: readonly string[],
): CollectedProperty | undefined {
  const ofProperty = (name: CollectedProperty['property']) =>
    properties.filter(({ property, value }) => property === name && value.trim()).slice(0, MAX_HEADINGS)
  const headings = [...ofProperty('heading'), ...ofProperty('entryTitle')]
  const isTitle = ({ value }: CollectedProperty) => titles.some((title) => areSimilar(title, value))
  return headings.find(isTitle) ?? headings[0] ?? ofProperty('subheading').find(isTitle)
}
