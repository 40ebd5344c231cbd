import type { MetadataSources } from './document/index.js'
import type { Candidates } from './find-candidates.js'

/** Enough for "Loading…" and the links of a footer. */
const MAX_SHELL_CHARS = 200

const TITLE_METAS = ['og:title', 'twitter:title', 'headline', 'dc.title', 'dcterms.title']

/**
 * Whether a page is an empty shell before its scripts have run: no title but the plain `<title>`, no description, no image, hardly
 * any text, and scripts that may add them. Never true for a bot check or a file, which rendering would not change.
 */
export function lacksMetadata(
  { scriptCount, textChars, metas, body, jsonLd }: MetadataSources,
  { description, image }: Candidates,
): boolean {
  if (!scriptCount || textChars > MAX_SHELL_CHARS || body.heading.some((text) => text.trim())) return false
  if (TITLE_METAS.some((name) => metas.has(name)) || jsonLd.mainEntities.length) return false
  return !description.length && !image.length
}
