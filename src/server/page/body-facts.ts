import type { BodyFact } from './page-facts.js'

/** What one tag of a body says: a value of its own, or that its text is one. */
export type TagFact = { kind: BodyFact; value: string } | { kind: BodyFact; isText: true }

type Attributes = Readonly<Record<string, string>>

/** Portraits, signs and placeholders are no pictures of the page. */
const NO_PICTURE =
  /avatar|gravatar|emoji|smil(ey|ies)|icon|logo|sprite|pixel|blank|spacer|placeholder|portrait|badge|banner|\bads?\b|author|profile|userpic|1x1/i
const MIN_PICTURE_PX = 150

/** Extensions that mean nothing else; `.au` may well be Australia. */
const AUDIO_FILE = /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac)([?#]|$)/i
const VIDEO_FILE = /\.(mp4|m4v|webm|mov|ogv|m3u8)([?#]|$)/i

const BYLINE = /(^|[-_])(by-?line|author)([-_]?(name|link))?$|^vcard$/i
const DATED = /(^|[-_])(date|published|publish|pubdate|posted|time|timestamp)([-_]|$)/i

/** Most tags have neither: a look at the whole attribute is cheaper than one at its words. */
const BYLINE_HINT = /author|by-?line|vcard/i
const DATED_HINT = /date|publi|posted|time/i

/** Who made or sells the thing; their pictures and descriptions are not the page's. */
const PARTY = /(Person|Organi[sz]ation|Brand|Rating|Comment)$/i

/**
 * Reads what a tag of the body says by microdata, microformats, `rel` and the names that classes commonly have.
 *
 * @param item  The type of the microdata item that the tag stands in, `''` when it has none; `undefined` outside of any.
 */
export function* scanBodyTag(name: string, attributes: Attributes, item: string | undefined): Iterable<TagFact> {
  const { itemprop = '', rel = '', class: classes = '' } = attributes
  if (name === 'h1') yield { kind: 'heading', isText: true }
  if (hasWord(itemprop, 'author') || hasWord(rel, 'author')) yield readTag('author', attributes, ['content'])
  else if (BYLINE_HINT.test(classes) && anyWord(classes, BYLINE)) yield { kind: 'byline', isText: true }

  if (hasWord(itemprop, 'datePublished') || 'pubdate' in attributes)
    yield readTag('published', attributes, ['content', 'datetime', 'title'])
  else if (name === 'time' || (DATED_HINT.test(classes) && anyWord(classes, DATED)))
    yield readTag('dated', attributes, ['datetime'])

  if (hasWord(itemprop, 'publisher')) yield readTag('publisher', attributes, ['content'])
  if (hasWord(itemprop, 'logo')) yield* readAddress('logo', attributes, ['content', 'src', 'href'])
  if (itemprop && item !== undefined && !PARTY.test(item)) yield* scanProperty(itemprop, attributes)
  if (name === 'img') yield* scanPicture(attributes)
  else if (name === 'audio' || name === 'video') {
    yield* readAddress(name, attributes, ['src'])
    yield* readAddress('poster', attributes, ['poster'])
  } else if (name === 'source') {
    const kind = mediaKind(attributes.type ?? '')
    if (kind) yield* readAddress(kind, attributes, ['src'])
  } else if (name === 'a') {
    if (AUDIO_FILE.test(attributes.href ?? '')) yield* readAddress('audioLink', attributes, ['href'])
    else if (VIDEO_FILE.test(attributes.href ?? '')) yield* readAddress('videoLink', attributes, ['href'])
  }
}

/** A property of the thing that the page describes by microdata. */
function* scanProperty(itemprop: string, attributes: Attributes): Iterable<TagFact> {
  if (hasWord(itemprop, 'headline')) yield readTag('headline', attributes, ['content'])
  if (hasWord(itemprop, 'description')) yield readTag('itemDescription', attributes, ['content'])
  if (hasWord(itemprop, 'dateModified')) yield readTag('modified', attributes, ['content', 'datetime'])
  if (hasWord(itemprop, 'duration')) yield readTag('duration', attributes, ['content', 'datetime'])
  if (hasWord(itemprop, 'image') || hasWord(itemprop, 'thumbnailUrl'))
    yield* readAddress('itemImage', attributes, ['content', 'src', 'data-src', 'href'])
  if (hasWord(itemprop, 'contentUrl') || hasWord(itemprop, 'contentURL')) {
    const address = attributes.content ?? attributes.href ?? attributes.src ?? ''
    if (AUDIO_FILE.test(address)) yield { kind: 'audio', value: address }
    else if (VIDEO_FILE.test(address)) yield { kind: 'video', value: address }
  }
}

function mediaKind(type: string): 'audio' | 'video' | undefined {
  if (/^audio\//i.test(type)) return 'audio'
  return /^video\//i.test(type) ? 'video' : undefined
}

function* scanPicture(attributes: Attributes): Iterable<TagFact> {
  const { src = '', class: classes = '', id = '', alt = '', width, height } = attributes
  const about = `${src} ${classes} ${id} ${alt}`
  const isSmall = [width, height].some((length) => Number.parseInt(length ?? '') < MIN_PICTURE_PX)
  if (/logo/i.test(about)) yield* readAddress('logo', attributes, ['src'])
  else if (!isSmall && !NO_PICTURE.test(about)) yield* readAddress('image', attributes, ['src', 'data-src'])
}

function readTag(kind: BodyFact, attributes: Attributes, names: readonly string[]): TagFact {
  const value = names.map((name) => attributes[name]).find(Boolean)
  return value ? { kind, value } : { kind, isText: true }
}

function* readAddress(kind: BodyFact, attributes: Attributes, names: readonly string[]): Iterable<TagFact> {
  const value = names.map((name) => attributes[name]).find((value) => value && !/^(data|blob):/i.test(value))
  if (value) yield { kind, value }
}

const hasWord = (text: string, word: string) => text.includes(word) && text.split(/\s+/).includes(word)
const anyWord = (text: string, pattern: RegExp) => text !== '' && text.split(/\s+/).some((word) => pattern.test(word))
