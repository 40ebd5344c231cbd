import { isAuthorPage, isFileOf, isTracker } from './known-urls.js'
import type { ImageAlts } from './image-alts.js'
import type { Attributes, BodyProperty } from './metadata-sources.js'
import { readBackground, readImage, readPicture } from './tag-image.js'
import type { TokenMeaning } from './token-meaning.js'

/** Takes a property that a tag states: with the value of an attribute, or else with its text. */
export type AddProperty = (property: BodyProperty, value?: string) => void

const TITLE_TAGS = new Set(['h2', 'h3', 'div', 'p', 'span', 'a'])

/** The kinds of elements that play media; AMP has its own. */
export const PLAYERS: ReadonlyMap<string, Player> = new Map([
  ['audio', 'audio'],
  ['video', 'video'],
  ['amp-audio', 'audio'],
  ['amp-video', 'video'],
])
const IMAGE_TAGS = new Set(['img', 'amp-img', 'amp-anim'])
const MEDIA_TAGS = new Set([...IMAGE_TAGS, ...PLAYERS.keys(), 'source', 'a'])

export type Player = 'audio' | 'video'

/** A microdata item that is open. */
export interface MicrodataItem {
  /** Whether it is only a part of what the page is about, such as its author: what it states is no metadata of the page. */
  isSecondary: boolean
  /** What its URL is, if it is an image. */
  image: 'itemImage' | 'logo' | undefined
}

/** Items that describe an author, a seller or a comment rather than the page. */
const SECONDARY_TYPE = /(?:Person|Organi[sz]ation|Brand|Rating|Comment)$/i
/** Properties whose value is what the page is about. */
const MAIN_PROPERTY =
  /^(?:mainEntity|mainEntityOfPage|mainContentOfPage|mainContent|articleBody|blogPosts?|hasPart|itemListElement|item)$/
const MAX_TYPE_CHARS = 100

/** The end of the type of an item, which is its name. */
export const endOfType = (itemtype: string): string => itemtype.slice(-MAX_TYPE_CHARS).trimEnd()

/** @param parent  The innermost item around the tag. */
export function readItem(name: string, attributes: Attributes, parent: MicrodataItem | undefined): MicrodataItem {
  const { itemprop = '', itemtype = '' } = attributes
  const isOfSecondary = parent?.isSecondary ?? false
  const isLogo = itemprop !== '' && hasToken(itemprop, 'logo')
  const isImage = itemprop !== '' && hasToken(itemprop, 'image') && !isOfSecondary
  // A company or a person that the whole document is about.
  const isDocument = name === 'html' || name === 'body'
  const isSecondary = itemprop
    ? isOfSecondary || !MAIN_PROPERTY.test(itemprop.trim())
    : !isDocument && SECONDARY_TYPE.test(endOfType(itemtype))
  return { isSecondary, image: isLogo ? 'logo' : isImage ? 'itemImage' : undefined }
}

export interface TagContext {
  /** What its `class`, `id` and `data-testid` mean. */
  meaning: TokenMeaning
  /** The microdata item around the tag; `undefined` outside of any. */
  item: MicrodataItem | undefined
  /** Whether a heading of the page precedes it. */
  hasHeading: boolean
  /** Whether a heading is close before it. */
  isNearHeading: boolean
  /** `srcset` of the `<source>` before an `<img>`. */
  pictureSet: string | undefined
  /** What plays a `<source>`; `undefined` outside of any player. */
  player: Player | undefined
  imageAlts: ImageAlts
  add: AddProperty
}

/** Reads the properties that a tag of the body states by microdata, microformats, `rel`, common class names or its element. */
export function readTagProperties(name: string, attributes: Attributes, context: TagContext): void {
  const { item, add } = context
  const { itemprop } = attributes
  readHeading(name, attributes, context)
  readAuthor(name, attributes, context)
  readDate(name, attributes, context)
  if (itemprop) {
    if (hasToken(itemprop, 'publisher')) add('publisher', attributes.content || undefined)
    if (hasToken(itemprop, 'logo')) addUrl('logo', [attributes.content, attributes.src, attributes.href], add)
    if (item && !item.isSecondary) readItemProperties(itemprop, attributes, add)
    if (item) readMediaProperties(itemprop, attributes, item, add)
  }
  if (attributes.class && hasToken(attributes.class, 'p-summary')) add('itemDescription')
  readMedia(name, attributes, context)
}

function readHeading(name: string, { size = '' }: Attributes, context: TagContext): void {
  if (name === 'h1') context.add('heading')
  else if (TITLE_TAGS.has(name) && context.meaning.isTitle) context.add('entryTitle')
  else if ((name === 'h2' || (name === 'font' && LARGE.test(size))) && !context.hasHeading) context.add('subheading')
}

/** Sizes of `<font>` that old pages give to their headlines. */
const LARGE = /^\s*(?:[5-7]|\+[2-6])\s*$/

function readAuthor(name: string, { itemprop, rel, content, href }: Attributes, context: TagContext): void {
  const isProperty = itemprop && hasToken(itemprop, 'author')
  if (isProperty && context.item?.isSecondary) return
  if (isProperty || (rel && hasToken(rel, 'author'))) context.add('author', content || undefined)
  // A table with such a class describes a person.
  else if (name !== 'table' && context.meaning.isByline) context.add('byline')
  else if (name === 'a' && href && context.isNearHeading && isAuthorPage(href)) context.add('authorLink')
}

/** Scripts replace elements such as `<relative-time datetime>` by a text like "2 days ago". */
function readDate(name: string, attributes: Attributes, context: TagContext): void {
  const { itemprop = '', content, datetime, title } = attributes
  const isDate = context.meaning.isDate
  if (itemprop && context.item?.isSecondary) return
  if ((itemprop && hasToken(itemprop, 'datePublished')) || 'pubdate' in attributes)
    context.add('published', content || datetime || title || undefined)
  else if ((itemprop && hasToken(itemprop, 'dateModified')) || (!isDate && context.meaning.isModified))
    context.add('modified', content || datetime || undefined)
  else if (itemprop && OTHER_DATE.test(itemprop)) return
  else if (name === 'abbr' && title && (isDate || ISO_DATE.test(title))) context.add('dated', title)
  // The text may be an age: "2 days ago".
  else if (title && !datetime && ((name === 'time' && YEAR.test(title)) || (isDate && ISO_DATE.test(title))))
    context.add('dated', title)
  else if (name === 'time' || isDate || (datetime && name.includes('-'))) context.add('dated', datetime || undefined)
}

/** Other dates of microdata, such as when an event takes place or an offer ends. */
const OTHER_DATE = /start|end|valid|birth|death|founding|availab/i
const YEAR = /\d{4}/
const ISO_DATE = /^\d{4}-\d\d-\d\d[T ]\d\d:/

/** Properties of the microdata item that the page is about. */
function readItemProperties(itemprop: string, attributes: Attributes, add: AddProperty): void {
  const { content, src, href } = attributes
  if (hasToken(itemprop, 'headline')) add('headline', content || undefined)
  if (hasToken(itemprop, 'description')) add('itemDescription', content || undefined)
  if (hasToken(itemprop, 'image') || hasToken(itemprop, 'thumbnailUrl'))
    addUrl('itemImage', [content, src, attributes['data-src'], href], add)
}

/** Properties of a microdata item that is an image, audio or video, or contains them. */
function readMediaProperties(
  itemprop: string,
  attributes: Attributes,
  { image, isSecondary }: MicrodataItem,
  add: AddProperty,
): void {
  const { content, datetime, src, href } = attributes
  const isContent = hasToken(itemprop, 'contentUrl') || hasToken(itemprop, 'contentURL')
  if (image && (isContent || hasToken(itemprop, 'url'))) addUrl(image, [content, src, href], add)
  if (isSecondary && hasToken(itemprop, 'thumbnailUrl')) addUrl('poster', [content, src, href], add)
  if (hasToken(itemprop, 'duration')) add('duration', content || datetime || undefined)
  if (isContent) {
    const url = content ?? href ?? src ?? ''
    if (isFileOf('audio', url)) add('audio', url)
    else if (isFileOf('video', url)) add('video', url)
  }
}

function readMedia(name: string, attributes: Attributes, { pictureSet, player, imageAlts, add }: TagContext): void {
  if (!MEDIA_TAGS.has(name)) addUrl('background', [readBackground(attributes)], add)
  if (!MEDIA_TAGS.has(name) || isHidden(attributes)) return
  const { src, href = '', poster, type = '' } = attributes
  const kind = PLAYERS.get(name)
  if (IMAGE_TAGS.has(name)) {
    const image = readImage(attributes, pictureSet)
    if (!image) return
    imageAlts.readImage(image.url, attributes.alt)
    addUrl(image.kind, [image.url], add)
    const other = readPicture(attributes, pictureSet)
    if (other && other.url !== image.url) addUrl(other.kind, [other.url], add)
  } else if (kind) {
    addUrl(kind, [src], add)
    addUrl('poster', [poster], add)
  } else if (name === 'source') {
    const played = /^audio\//i.test(type) ? 'audio' : /^video\//i.test(type) ? 'video' : player
    if (played) addUrl(played, [src], add)
  } else if (name === 'a' && href) {
    if (isFileOf('audio', href)) addUrl('audioLink', [href], add)
    else if (isFileOf('video', href)) addUrl('videoLink', [href], add)
  }
}

const NOT_DISPLAYED = /display\s*:\s*none/i
const NOT_VISIBLE = /visibility\s*:\s*hidden/i
const MAX_STYLE_CHARS = 500

/** Whether the style of an element takes it out of the page; the attribute `hidden` also marks what a server sends in parts. */
export const isNotDisplayed = ({ style = '' }: Attributes): boolean =>
  style !== '' && NOT_DISPLAYED.test(style.slice(0, MAX_STYLE_CHARS))

/** Whether an element hides itself by its own attributes. */
export const isHidden = ({ style = '', hidden }: Attributes): boolean =>
  hidden !== undefined ||
  isNotDisplayed({ style }) ||
  (style !== '' && NOT_VISIBLE.test(style.slice(0, MAX_STYLE_CHARS)))

/** Adds the first URL that can be fetched. */
function addUrl(property: BodyProperty, urls: readonly (string | undefined)[], add: AddProperty): void {
  const url = urls.find((url) => url && !/^(data|blob):/i.test(url))
  if (url && !isTracker(url)) add(property, url)
}

const MAX_TOKENS_CHARS = 2_000

const hasToken = (list: string, token: string) =>
  list.includes(token) && list.slice(0, MAX_TOKENS_CHARS).split(/\s+/).includes(token)
