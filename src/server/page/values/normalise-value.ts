import type { MetadataSources } from '../document/index.js'
import { parseUrl } from '../parse-url.js'
import { isPlaceholderUrl } from './is-placeholder.js'
import { normaliseAuthor } from './normalise-author.js'
import { normaliseDate } from './normalise-date.js'
import { normaliseMarkup, normaliseOrganisation } from './normalise-text.js'

type Normaliser = (text: string, sources: MetadataSources) => string | undefined

const MAX_TITLE_CHARS = 500
const MAX_DESCRIPTION_CHARS = 2_000
const MAX_URL_CHARS = 8_192

const normalisers = {
  title: (text) => normaliseMarkup(text, MAX_TITLE_CHARS),
  description: (text) => normaliseMarkup(text, MAX_DESCRIPTION_CHARS),
  lang: languageOf,
  author: (text, { lang }) => normaliseAuthor(text, { lang }),
  publisher: normaliseOrganisation,
  date: (text, { lang }) => normaliseDate(text, { lang }),
  url: resolveUrl,
  image: resolveUrl,
  logo: resolveUrl,
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

/** The primary subtag; of `por` and `ger` the shorter one, as in BCP 47. */
function languageOf(text: string): string | undefined {
  const [, code] = /^\s*([a-z]{2,3})(?![a-z])/i.exec(text) ?? []
  return code && Intl.getCanonicalLocales(code)[0]
}

/** An absolute http(s) URL of at most 8,192 characters; `undefined` for any other text. */
export function resolveUrl(
  text: string,
  { baseUrl, url: pageUrl }: Pick<MetadataSources, 'baseUrl' | 'url'>,
): string | undefined {
  const url = text.trim()
  // A single word or a sentence would resolve as a relative URL too.
  if (url.length > MAX_URL_CHARS || !/[./]/.test(url) || (/\s/.test(url) && !ROOTED.test(url))) return undefined
  const { protocol = '', href = '' } = parseUrl(withHost(url, baseUrl), baseUrl) ?? {}
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_CHARS && !isPlaceholderUrl(href, pageUrl)
    ? href
    : undefined
}

const ROOTED = /^(?:https?:\/)?\//i

/** Some pages leave out the scheme: `www.courier.example/story`. */
function withHost(url: string, baseUrl: string): string {
  const [first = ''] = url.toLowerCase().split(/[/?#]/, 1)
  const isHost = /^www\.[^.]+\.[^.]/.test(first) || first === new URL(baseUrl).host
  return isHost ? `//${url}` : url
}
