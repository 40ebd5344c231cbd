import { findCandidates } from './find-candidates.js'
import type { PageFacts } from './page-facts.js'

/** "Loading…", and the links of a footer. */
const MAX_SHELL_CHARS = 200

const TITLES = ['og:title', 'twitter:title', 'headline', 'dc.title', 'dcterms.title']

/**
 * Says whether a page has nothing to say before its scripts have run: no title but the bare `<title>`, no description, no image,
 * hardly any text, and scripts that may bring all that. A bot check and a file say nothing else later.
 */
export function lacksMetadata({ facts }: { facts: PageFacts }): boolean {
  const { scripts, textChars, metas, body, jsonLd } = facts
  if (!scripts || textChars > MAX_SHELL_CHARS || body.heading.some((text) => text.trim())) return false
  if (TITLES.some((name) => metas.has(name)) || jsonLd.subjects.length) return false
  const { description, image } = findCandidates(facts)
  return !description.length && !image.length
}
