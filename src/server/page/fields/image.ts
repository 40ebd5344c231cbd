import { PENALTY, SEVERE_PENALTY, UNUSABLE, type CandidateCheck } from '../candidate-check.js'
import { isTracker, type MetadataSources } from '../document/index.js'
import type { VerifiedUrl } from '../ping.js'
import {
  articleProperty,
  bodyProperty,
  link,
  mainEntity,
  mainEntityOfType,
  meta,
  oembed,
  pageNode,
  rule,
  uniqueBodyProperty,
  type Rule,
} from './rule.js'
import { isPlaceholder, normaliseText, resolveUrl } from '../values/index.js'
import { isLocal } from './url.js'
import {
  AVATAR,
  BADGE_FILE,
  BADGE_HOSTS,
  DEFAULT_FILE,
  ICON_FILE,
  LOGO_FILE,
  PIXEL_FILE,
  PLACEHOLDER_FILE,
} from './image-words.js'

/** Sites that do not know their own address when they are built state the one of the machine that builds them. */
export function normaliseImageUrl(text: string, sources: MetadataSources): string | undefined {
  const href = resolveUrl(text, sources)
  if (href === undefined || !isLocal(href) || isLocal(sources.url)) return href
  const { pathname, search } = new URL(href)
  return new URL(pathname + search, sources.url).href
}

const PAGE = /Page$/

/** The images of a page in JSON-LD, by their files or as strings. */
function imagesOfPage(...path: string[]): Rule[] {
  return [['url'], ['contentUrl'], []].map((end) => pageNode(PAGE, ...path, ...end))
}

export const imageRules: readonly Rule[] = [
  meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
  mainEntity('image', 'url'),
  mainEntity('image', 'contentUrl'),
  mainEntity('image'),
  mainEntity('thumbnailUrl'),
  mainEntityOfType(/Image|Photo/, 'contentUrl'),
  meta('image', 'thumbnail', 'sailthru.image.full', 'parsely-image-url'),
  link('image_src'),
  ...imagesOfPage('primaryImageOfPage'),
  ...imagesOfPage('image'),
  pageNode(PAGE, 'thumbnailUrl'),
  // What the page is about may be of a type that is none of an entity, such as a person.
  ...imagesOfPage('mainEntity', 'image'),
  articleProperty('itemImage'),
  uniqueBodyProperty('itemImage'),
  bodyProperty('poster'),
  articleProperty('image'),
  rule('headline image', ({ nearHeadline }) => nearHeadline.image),
  rule('headline background', ({ nearHeadline }) => nearHeadline.background),
  bodyProperty('image'),
  bodyProperty('background'),
  oembed('thumbnail_url'),
]

const fileOf = (url: string) => url.split(/[?#]/, 1).join()
const hostOf = (url: string) => new URL(url).hostname

/** Checks that do not apply to an image that is the page itself. */
const checksOfPages: readonly CandidateCheck[] = [
  { reason: 'is an icon', weight: UNUSABLE, applies: ({ value }) => ICON_FILE.test(fileOf(value)) },
  {
    reason: 'is a badge',
    weight: UNUSABLE,
    applies: ({ value }) => BADGE_HOSTS.has(hostOf(value)) || BADGE_FILE.test(fileOf(value)),
  },
  {
    reason: 'counts visitors',
    weight: UNUSABLE,
    applies: ({ value }) => isTracker(value) || PIXEL_FILE.test(fileOf(value)),
  },
  {
    reason: 'is declared as an icon',
    weight: PENALTY,
    applies: ({ value }, { sources }) =>
      sources.links.some(({ rels, href }) => rels.includes('icon') && resolveUrl(href, sources) === value),
  },
  {
    reason: 'is declared as small',
    weight: PENALTY,
    applies: ({ value }, { sources }) => isDeclaredSmall(value, sources),
  },
  { reason: 'is a portrait', weight: PENALTY, applies: ({ value }) => AVATAR.test(fileOf(value)) },
  { reason: 'is a placeholder', weight: UNUSABLE, applies: ({ value }) => PLACEHOLDER_FILE.test(fileOf(value)) },
  { reason: 'is for all pages', weight: PENALTY, applies: ({ value }) => DEFAULT_FILE.test(fileOf(value)) },
  { reason: 'is a logo', weight: PENALTY, applies: ({ value }) => LOGO_FILE.test(fileOf(value)) },
  { reason: 'is a home page', weight: SEVERE_PENALTY, applies: ({ value }) => /^https?:\/\/[^/]+\/$/.test(value) },
  {
    reason: 'is somewhere in the page',
    weight: PENALTY * 2,
    applies: ({ sources }) => isAnywhere(sources),
  },
  {
    reason: 'is somewhere in a page that declares to have none',
    weight: UNUSABLE,
    applies: ({ sources }, context) => isAnywhere(sources) && declaresNone(context.sources),
  },
]

const isAnywhere = (sources: readonly string[]) =>
  sources.every((source) => source === 'image' || source === 'background')

const declaresNone = ({ metas }: MetadataSources): boolean =>
  (metas.get('og:image') ?? []).some((url) => PLACEHOLDER_FILE.test(fileOf(url)))

/** Networks do not show a smaller image. */
const MIN_DECLARED_PX = 200

/** Whether a page that declares several images, each with its width, has larger ones. */
function isDeclaredSmall(value: string, sources: MetadataSources): boolean {
  const { metas } = sources
  const urls = metas.get('og:image') ?? []
  const widths = (metas.get('og:image:width') ?? []).map(Number)
  if (urls.length < 2 || urls.length !== widths.length) return false
  const at = urls.findIndex((url) => normaliseImageUrl(url, sources) === value)
  return at >= 0 && widths[at]! < MIN_DECLARED_PX && widths.some((width) => width >= 2 * MIN_DECLARED_PX)
}

export const imageChecks: readonly CandidateCheck[] = checksOfPages.map((check) => ({
  ...check,
  applies: (found, context) => found.value !== context.sources.url && check.applies(found, context),
}))

/** A card enlarges a smaller image beyond recognition. */
const MIN_PX = 64

/** Whether an image is large enough for a card, and not an icon. Unknown sizes count as large. */
export const isCardImage = ({ type, width, height }: VerifiedUrl): boolean =>
  type !== 'ico' && type !== 'cur' && (width ?? MIN_PX) >= MIN_PX && (height ?? MIN_PX) >= MIN_PX

const MAX_ALT_CHARS = 420
/** Names of files, and words that only say that there is an image. */
const EMPTY_ALT =
  /^(?:(?:the |an? )?(?:featured |cover |header |preview |share |social |og |main |hero )?(?:image|img|picture|photo|thumbnail|logo|banner|cover|bild|foto|photo de couverture|imagen|imagem|immagine)|alt(?:ernative)? text|\S+\.(?:jpe?g|png|gif|webp|avif|svg)|(?:IMG|DSC|DSCN|DSCF|PXL|P|Screenshot)[-_ ]?\d[\d\s._-]*|\d+)$/i

/**
 * The alternative texts that a page states for images, by URL: `og:image:alt`, `twitter:image:alt`, captions of JSON-LD, `alt`.
 *
 * @param urls  The images whose texts are needed.
 */
export function imageAlts(sources: MetadataSources, urls: readonly string[]): Record<string, string> {
  const wanted = new Set(urls)
  const alts: Record<string, string> = {}
  for (const [text, alt] of statedAlts(sources)) {
    const url = resolveUrl(text, sources)
    const normalised =
      url !== undefined && wanted.has(url) && !alts[url] ? normaliseText(alt, MAX_ALT_CHARS) : undefined
    if (url !== undefined && normalised && !EMPTY_ALT.test(normalised) && !isPlaceholder(normalised))
      alts[url] = normalised
  }
  return alts
}

function* statedAlts({ imageAlts, jsonLd }: MetadataSources): Iterable<readonly [url: string, alt: string]> {
  yield* imageAlts
  for (const node of jsonLd.mainEntities)
    for (const image of node.objects('image')) {
      const [alt] = [...image.texts('caption'), ...image.texts('description')]
      if (alt) for (const url of [...image.texts('url'), ...image.texts('contentUrl')]) yield [url, alt]
    }
}
