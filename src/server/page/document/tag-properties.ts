import type { BodyProperty } from './metadata-sources.js'

/** A property that a tag states: with the value of an attribute, or with its text. */
export type TagProperty = { property: BodyProperty; value: string } | { property: BodyProperty; isText: true }

export type Attributes = Readonly<Record<string, string>>

/** Portraits, icons, ads and placeholders do not illustrate the page. */
const DECORATIVE_IMAGE =
  /avatar|gravatar|emoji|smil(ey|ies)|icon|logo|sprite|pixel|blank|spacer|placeholder|portrait|badge|banner|\bads?\b|author|profile|userpic|1x1/i
const MIN_IMAGE_PX = 150

/** Unambiguous extensions only: `.au` may well be Australia. */
const AUDIO_FILE = /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac)([?#]|$)/i
const VIDEO_FILE = /\.(mp4|m4v|webm|mov|ogv|m3u8)([?#]|$)/i

const BYLINE_CLASS = /(^|[-_])(by-?line|author)([-_]?(name|link))?$|^vcard$/i
const DATE_CLASS = /(^|[-_])(date|published|publish|pubdate|posted|time|timestamp)([-_]|$)/i

/** Most tags match neither class: testing the whole attribute first is cheaper than testing each class. */
const BYLINE_HINT = /author|by-?line|vcard/i
const DATE_HINT = /date|publi|posted|time/i

/** Items that describe an author, a seller or a comment rather than the page. */
const SECONDARY_ITEM = /(Person|Organi[sz]ation|Brand|Rating|Comment)$/i

/**
 * Reads the properties that a tag of the body states by microdata, microformats, `rel`, common class names or its element.
 *
 * @param itemType  Type of the microdata item around the tag, `''` when the item has none; `undefined` outside of any item.
 */
export function* readTagProperties(
  name: string,
  attributes: Attributes,
  itemType: string | undefined,
): Iterable<TagProperty> {
  const { itemprop = '' } = attributes
  if (name === 'h1') yield { property: 'heading', isText: true }
  yield* readAuthor(attributes)
  yield* readDate(name, attributes)
  if (hasToken(itemprop, 'publisher')) yield readText('publisher', attributes, ['content'])
  if (hasToken(itemprop, 'logo')) yield* readUrl('logo', attributes, ['content', 'src', 'href'])
  if (itemprop && itemType !== undefined && !SECONDARY_ITEM.test(itemType)) yield* readItemProperties(attributes)
  yield* readMedia(name, attributes)
}

function* readAuthor(attributes: Attributes): Iterable<TagProperty> {
  const { itemprop = '', rel = '', class: classes = '' } = attributes
  if (hasToken(itemprop, 'author') || hasToken(rel, 'author')) yield readText('author', attributes, ['content'])
  else if (BYLINE_HINT.test(classes) && anyToken(classes, BYLINE_CLASS)) yield { property: 'byline', isText: true }
}

function* readDate(name: string, attributes: Attributes): Iterable<TagProperty> {
  const { itemprop = '', class: classes = '' } = attributes
  if (hasToken(itemprop, 'datePublished') || 'pubdate' in attributes)
    yield readText('published', attributes, ['content', 'datetime', 'title'])
  else if (name === 'time' || (DATE_HINT.test(classes) && anyToken(classes, DATE_CLASS)))
    yield readText('dated', attributes, ['datetime'])
}

/** Properties of the microdata item that the page is about. */
function* readItemProperties(attributes: Attributes): Iterable<TagProperty> {
  const { itemprop = '' } = attributes
  if (hasToken(itemprop, 'headline')) yield readText('headline', attributes, ['content'])
  if (hasToken(itemprop, 'description')) yield readText('itemDescription', attributes, ['content'])
  if (hasToken(itemprop, 'dateModified')) yield readText('modified', attributes, ['content', 'datetime'])
  if (hasToken(itemprop, 'duration')) yield readText('duration', attributes, ['content', 'datetime'])
  if (hasToken(itemprop, 'image') || hasToken(itemprop, 'thumbnailUrl'))
    yield* readUrl('itemImage', attributes, ['content', 'src', 'data-src', 'href'])
  if (hasToken(itemprop, 'contentUrl') || hasToken(itemprop, 'contentURL')) {
    const url = attributes.content ?? attributes.href ?? attributes.src ?? ''
    if (AUDIO_FILE.test(url)) yield { property: 'audio', value: url }
    else if (VIDEO_FILE.test(url)) yield { property: 'video', value: url }
  }
}

function* readMedia(name: string, attributes: Attributes): Iterable<TagProperty> {
  if (name === 'img') yield* readImage(attributes)
  else if (name === 'audio' || name === 'video') {
    yield* readUrl(name, attributes, ['src'])
    yield* readUrl('poster', attributes, ['poster'])
  } else if (name === 'source') {
    if (/^audio\//i.test(attributes.type ?? '')) yield* readUrl('audio', attributes, ['src'])
    else if (/^video\//i.test(attributes.type ?? '')) yield* readUrl('video', attributes, ['src'])
  } else if (name === 'a') {
    if (AUDIO_FILE.test(attributes.href ?? '')) yield* readUrl('audioLink', attributes, ['href'])
    else if (VIDEO_FILE.test(attributes.href ?? '')) yield* readUrl('videoLink', attributes, ['href'])
  }
}

function* readImage(attributes: Attributes): Iterable<TagProperty> {
  const { src = '', class: classes = '', id = '', alt = '', width, height } = attributes
  const hints = `${src} ${classes} ${id} ${alt}`
  const isSmall = [width, height].some((length) => Number.parseInt(length ?? '') < MIN_IMAGE_PX)
  if (/logo/i.test(hints)) yield* readUrl('logo', attributes, ['src'])
  else if (!isSmall && !DECORATIVE_IMAGE.test(hints)) yield* readUrl('image', attributes, ['src', 'data-src'])
}

/** The first attribute that is not empty, or else the text of the tag. */
function readText(property: BodyProperty, attributes: Attributes, names: readonly string[]): TagProperty {
  const value = names.map((name) => attributes[name]).find(Boolean)
  return value ? { property, value } : { property, isText: true }
}

/** The first attribute with a URL that can be fetched. */
function* readUrl(property: BodyProperty, attributes: Attributes, names: readonly string[]): Iterable<TagProperty> {
  const value = names.map((name) => attributes[name]).find((value) => value && !/^(data|blob):/i.test(value))
  if (value) yield { property, value }
}

const MAX_TOKENS_CHARS = 2_000

const tokens = (list: string) => list.slice(0, MAX_TOKENS_CHARS).split(/\s+/)
const hasToken = (list: string, token: string) => list.includes(token) && tokens(list).includes(token)
const anyToken = (list: string, pattern: RegExp) => list !== '' && tokens(list).some((token) => pattern.test(token))
