import { createHash } from 'node:crypto'
import { canonicalLocale, chooseImage, isParameter, layoutOf, previewRequest, type Layout } from '../../card/index.js'
import { parseQuery, type PageData, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { ImageField } from '../preview-source.js'

/** The request of one preview, read from its own attributes, the attributes of its link, and the defaults. */
export interface CardRequest {
  /**
   * Identifies the result and its images, in a run and in the lock file: the cache key of the query, and what else changes the
   * images. Requests with the same key share one preview, such as a card and a row.
   */
  key: string
  /** The query without `embed`, `filter` and API key. */
  query: PageQuery
  /** The same in the dark colour scheme, if the preview requests both: then `query` is in the light one. */
  darkQuery?: PageQuery | undefined
  /** The layout of the card. */
  layout: Layout
  /** The theme of the card. */
  theme: 'auto' | 'light' | 'dark'
  /** The image that `embed` selects, in place of the screenshot or else the page's own image. */
  embed?: ImageField | undefined
  /** The fields of the data that the card shows; default: all. */
  filter?: string | undefined
  /** Alternative text of the image; default: the page's own. */
  alt?: string | undefined
  /** Whether the card shows dimensions, type and size of the image. */
  imageDetails: boolean
  /** BCP 47, for numbers and dates. */
  locale?: string | undefined
  loading?: 'lazy' | 'eager' | undefined
  priority?: boolean | undefined
}

/**
 * Turns parameters and options by name, as attributes and flags have them, into the request of a preview.
 *
 * @throws  {PageError} as `parseQuery`.
 */
export function toCardRequest({ colorSchemes, ...options }: Record<string, unknown>): CardRequest {
  const { layout, theme, alt, imageDetails, locale, loading, priority } = options
  const parameters = Object.entries(options).filter(([name, value]) => isParameter(name) && value !== undefined)
  const query = {
    ...Object.fromEntries(parameters),
    ...(typeof locale === 'string' && { locale: canonicalLocale(locale) }),
  } as PageQuery
  const { jsonQuery, embed, filter } = previewRequest(query, {})
  // An invalid query has no `jsonQuery`; parsing it again throws the error.
  const parsed = (jsonQuery ?? parseQuery(query)).withoutApiKey()
  const isDual = Boolean(parsed.query.screenshot) && theme !== 'light' && theme !== 'dark' && includesBoth(colorSchemes)
  const light = isDual ? parsed.with({ colorScheme: 'light' }) : parsed
  return {
    key: keyOf(light, { isDual, embed: embed?.field, layout: layoutOf(layout) }),
    query: light.query,
    darkQuery: isDual ? parsed.with({ colorScheme: 'dark' }).query : undefined,
    layout: layoutOf(layout),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    embed: embed?.field,
    filter,
    alt: typeof alt === 'string' ? alt : undefined,
    imageDetails: imageDetails !== false,
    locale: query.locale,
    loading: loading === 'eager' ? 'eager' : undefined,
    priority: priority === true || undefined,
  }
}

/** Images as wide as their column need files that cards do not. */
function keyOf(
  { cacheKey }: ParsedQuery,
  { isDual, embed, layout }: { isDual: boolean; embed: ImageField | undefined; layout: Layout },
): string {
  const schemes = isDual ? '&colorSchemes=light,dark' : ''
  return withHashedHeaders(
    cacheKey + schemes + (embed ? `&embed=${embed}` : '') + (layout === 'image' ? '&layout=image' : ''),
  )
}

const HEADER = 'headers.'

/** The lock file is public, and headers may be credentials, so it contains hashes of their values. */
function withHashedHeaders(key: string): string {
  if (!key.includes(HEADER)) return key
  const parameters = new URLSearchParams(key)
  for (const [name, value] of parameters)
    if (name.startsWith(HEADER)) parameters.set(name, createHash('sha256').update(value).digest('hex').slice(0, 16))
  return String(parameters)
}

const includesBoth = (colorSchemes: unknown) => /light/.test(String(colorSchemes)) && /dark/.test(String(colorSchemes))

/** The field whose image the card of a request shows; `undefined` if the page has none. */
export function imageFieldOf({ embed }: Pick<CardRequest, 'embed'>, data: PageData): ImageField | undefined {
  const field = embed && { field: embed, url: data[embed]?.url ?? '' }
  const image = chooseImage(data, field?.url ? field : undefined)
  if (image?.isScreenshot) return 'screenshot'
  return image && (image.media === data.logo ? 'logo' : 'image')
}
