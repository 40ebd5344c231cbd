import type { MetadataSources } from '../document/index.js'
import { normaliseLanguage } from '../fields/lang.js'
import { normaliseAuthor } from '../fields/author.js'
import { normaliseDate } from '../fields/parse-date.js'
import { normaliseMarkup, normaliseOrganisation } from './normalise-text.js'
import { resolveIconUrl, resolveUrl } from './resolve-url.js'

type Normaliser = (text: string, sources: MetadataSources) => string | undefined

const MAX_TITLE_CHARS = 500
const MAX_DESCRIPTION_CHARS = 2_000

const normalisers = {
  title: (text) => normaliseMarkup(text, MAX_TITLE_CHARS),
  description: (text) => normaliseMarkup(text, MAX_DESCRIPTION_CHARS),
  lang: normaliseLanguage,
  author: (text, { lang }) => normaliseAuthor(text, { lang }),
  publisher: normaliseOrganisation,
  date: (text, { lang }) => normaliseDate(text, { lang }),
  url: resolveUrl,
  image: resolveUrl,
  logo: resolveIconUrl,
  audio: resolveUrl,
  video: resolveUrl,
} satisfies Record<string, Normaliser>

/** The fields of `data`, without the screenshot. */
export type MetadataField = keyof typeof normalisers

/** Converts the text of a source into a valid value of a field; `undefined` when it is not one. */
export function normaliseValue(field: MetadataField, text: string, sources: MetadataSources): string | undefined {
  const normalise: Normaliser = normalisers[field]
  return normalise(text, sources)
}
