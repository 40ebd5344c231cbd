import { DATES_AND_AUTHORS, type CollectedProperty } from './html-collector.js'
import { areSimilar } from './similar-texts.js'

const MAX_HEADINGS = 30
/** Bylines are above a headline, below it, or below a summary. */
const MAX_CHARS_BEFORE = 300
const MAX_CHARS_AFTER = 1_500

/**
 * The properties near the headline, with no link to another page between: first the ones after it, because the head of a page may
 * have its own date. On a list of teasers this excludes the properties of the teasers.
 *
 * @param titles  What the page declares as its title; the headline repeats it.
 */
export function nearHeadline(
  properties: readonly CollectedProperty[],
  { titles, articleCount }: { titles: readonly string[]; articleCount: number },
): CollectedProperty[] {
  const headline = findHeadline(properties, titles)
  if (!headline) return []
  const near = properties.filter(
    ({ at, section, article }) =>
      section === headline.section &&
      (article === headline.article || articleCount <= 1) &&
      at >= headline.at - MAX_CHARS_BEFORE &&
      at <= headline.end + MAX_CHARS_AFTER,
  )
  // An image has no text, so it may be at the same position as the headline that follows.
  const before = new Set(properties.slice(0, properties.indexOf(headline)).filter(({ end }) => end <= headline.at))
  return [...near.filter((property) => !before.has(property)), ...near.filter((property) => before.has(property))]
}

/** The properties without those of other articles than the one with the headline, behind a heading that links to another page. */
export function withoutOtherArticles(
  properties: readonly CollectedProperty[],
  titles: readonly string[],
): readonly CollectedProperty[] {
  const headline = findHeadline(properties, titles)
  if (!headline) return properties
  return properties.filter(
    ({ property, article, section }) =>
      !DATES_AND_AUTHORS.has(property) || article === headline.article || section <= headline.section,
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
  const lower = ofProperty('subheading')
  return headings.find(isTitle) ?? longestPartOfTitle(lower, titles) ?? headings[0] ?? lower.find(isTitle)
}

/** The longest text that is part of a title, since the name of the site may be one too. */
function longestPartOfTitle(
  texts: readonly CollectedProperty[],
  titles: readonly string[],
): CollectedProperty | undefined {
  const parts = texts.filter(({ value }) => titles.some((title) => title.includes(value.trim())))
  return parts.toSorted((one, other) => other.value.trim().length - one.value.trim().length)[0]
}
