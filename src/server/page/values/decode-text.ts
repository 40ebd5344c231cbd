import { Parser } from 'htmlparser2'

/** Programs that pass a text on escape it again and again. */
const MAX_LEVELS = 4
const MAX_MARKUP_CHARS = 10_000

const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]+);/i

/** Decodes the entities that are left in a text because it was escaped several times; not those that the text is about. */
export function decodeEntities(text: string): string {
  let decoded = text
  for (let level = 0; level < MAX_LEVELS && ENTITY.test(decoded) && !isAboutEntities(decoded); level++)
    decoded = decodeOnce(decoded)
  return decoded
}

/** The text of what may be HTML, escaped any number of times; tags that the text is about stay. */
export function decodeMarkup(text: string): string {
  let decoded = text.slice(0, MAX_MARKUP_CHARS)
  for (let level = 0; level < MAX_LEVELS; level++) {
    const plain = withoutTags(decoded)
    // What is escaped within HTML is no HTML.
    if (plain !== decoded) return isAboutEntities(plain) ? plain : decodeOnce(plain)
    if (!ENTITY.test(decoded) || isAboutEntities(decoded)) return decoded
    decoded = decodeOnce(decoded)
  }
  return decoded
}

function decodeOnce(text: string): string {
  if (!ENTITY.test(text)) return text
  let decoded = ''
  const parser = new Parser({ ontext: (part) => (decoded += part) })
  parser.end(text.replaceAll('<', '&lt;'))
  return decoded
}

const ABOUT_ENTITIES =
  /\b(?:html5?|xhtml|xml|sgml|entity|entities|escap(?:e|es|ed|ing)|unescape|ampersands?|encod(?:e|es|ed|ing)|decod(?:e|es|ed|ing)|character references?)\b/i
/** In front of an entity that is named, not used. */
const NAMED_AFTER =
  /(?:^|["'`“‘(]|\b(?:write|writes|writing|type|types|typing|use|uses|using|the|an?|as|like|is|of|to|entity|character) )&(?:amp;)*(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/i
const NAMED_BEFORE =
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});(?:$|["'`”’),.?!:]| (?:entity|in|for|as|is|means|to|with|vs\.?|versus|sign|character|symbol|and|or|instead)(?![\w-]))/i
/** An apostrophe or an accent within a word, or the sign in `R&D`, names nothing. */
const WITHIN_WORD = /\p{L}&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});\p{L}/iu
const ESCAPED_BRACKET = /&[lg]t;/i
const BARE_TAG = /<\/?[a-z]/i

/** Whether a text is about entities: `How to write &amp; in HTML`, but not `HTML &amp; CSS`. */
function isAboutEntities(text: string): boolean {
  if (BARE_TAG.test(text) && ESCAPED_BRACKET.test(text)) return true
  if (!ABOUT_ENTITIES.test(text) || WITHIN_WORD.test(text)) return false
  return NAMED_AFTER.test(text) || NAMED_BEFORE.test(text)
}

const words = (list: string) => new Set(list.split(' '))

const BLOCKS = words(
  'p div ul ol li h1 h2 h3 h4 h5 h6 blockquote pre section article table tbody tr td th figure figcaption center dl dt dd br hr img wbr address aside audio details embed footer header iframe main nav noscript object picture source summary svg video',
)
const INLINE = words(
  'b i em strong span a u s sub sup small mark q cite code font abbr time strike ins del big tt label',
)
const VOID = words('br hr img wbr')

const TAG = /<(\/?)([a-z][a-z\d]{0,12})(\s{1,5}[a-z:-]{1,30}=[^<>]{0,500})?\s{0,5}\/?>/gi
/** A text with one of these words may name tags. */
const ABOUT_TAGS = /\b(?:x?html5?|elements?|tags?|markup|css|jsx)\b/i
/** In front of a tag that is named, not used. */
const NAMED_TAG = /(?:^|\s)(?:use|uses|using|insert|add|type|write|the|an?|with|like) $/i
const MAX_WORD_CHARS = 10
/** Between tags that are named, not used: `<br>, <wbr> or <hr>`. */
const JOINED_BEFORE = /<[a-z]{2,8} {0,2}\/?>(?:,(?: (?:and|or))?| (?:and|or|vs\.?|versus)) $/i
const JOINED_AFTER = /^(?:,(?: (?:and|or))?| (?:and|or|vs\.?|versus)) <[a-z]/i
const MAX_JOINED_CHARS = 24
const MAX_TAGS = 500

interface Tag {
  start: number
  end: number
  name: string
  isEnd: boolean
  hasAttributes: boolean
}

/** A text without the tags that mark it up; `The <p> element is a paragraph` stays as it is. */
function withoutTags(whole: string): string {
  if (!whole.includes('<')) return whole
  const text = ABOUT_TAGS.test(whole) ? whole : withoutComments(whole)
  const tags = Array.from(text.matchAll(TAG), toTag)
    .filter(({ name }) => BLOCKS.has(name) || INLINE.has(name))
    .slice(0, MAX_TAGS)
  const pairs = findPairs(tags, text)
  const isMarkup = (tag: Tag) => pairs.has(tag) || isMarkupAlone(tag, text, pairs.size > 0)
  let plain = ''
  let at = 0
  for (const tag of tags.filter(isMarkup)) {
    plain += text.slice(at, tag.start) + (BLOCKS.has(tag.name) ? ' ' : '')
    at = tag.end
  }
  return plain + text.slice(at)
}

function withoutComments(text: string): string {
  const [start = '', ...rest] = text.split('<!--')
  // What has no end is no comment.
  const after = (part: string) => (part.includes('-->') ? ` ${part.slice(part.indexOf('-->') + 3)}` : `<!--${part}`)
  return start + rest.map(after).join('')
}

const toTag = ({ 0: all, 1: slash = '', 2: name = '', 3: attributes, index }: RegExpExecArray): Tag => ({
  start: index,
  end: index + all.length,
  name: name.toLowerCase(),
  isEnd: slash !== '',
  hasAttributes: attributes !== undefined,
})

/** The tags that open and close an element with text in it, which is more than the `and` of `<b> and </b>`. */
function findPairs(tags: readonly Tag[], text: string): ReadonlySet<Tag> {
  const pairs = new Set<Tag>()
  const open = new Map<string, Tag[]>()
  for (const tag of tags) {
    const sameName = open.get(tag.name) ?? []
    open.set(tag.name, sameName)
    if (!tag.isEnd) {
      sameName.push(tag)
      continue
    }
    const start = sameName.pop()
    const content = start && text.slice(start.end, tag.start).trim()
    if (start && content && !/^(?:and|or|und|et|y|…|\.{3}|[,/–-])$/.test(content)) pairs.add(start).add(tag)
  }
  return pairs
}

const isJoined = (text: string, start: number, end: number) =>
  JOINED_BEFORE.test(text.slice(Math.max(0, start - MAX_JOINED_CHARS), start)) ||
  JOINED_AFTER.test(text.slice(end, end + MAX_JOINED_CHARS))

/** Whether a tag without its counterpart is one: the text may be cut off. */
function isMarkupAlone({ start, end, name, isEnd, hasAttributes }: Tag, text: string, hasPairs: boolean): boolean {
  if (hasAttributes) return true
  const before = text.charAt(start - 1)
  const after = text.slice(end, end + 2)
  if (/["'`“‘]/.test(before) && /^["'`”’]/.test(after)) return false
  const isGlued = isEnd ? /[^\s"'`“‘(]/.test(before) : /^[\p{L}\p{N}]/u.test(after)
  if (isGlued) return true
  const beginsSentence =
    /(?:^|[.!?…:;,>]\s?)$/.test(text.slice(Math.max(0, start - 2), start)) && /^\s?[\p{Lu}\p{Lo}\p{N}]/u.test(after)
  if (VOID.has(name) && NAMED_TAG.test(text.slice(Math.max(0, start - MAX_WORD_CHARS), start))) return false
  if (VOID.has(name) && isJoined(text, start, end)) return false
  // Without attributes it is no image.
  if (name === 'img' && !beginsSentence) return false
  if (VOID.has(name)) return !ABOUT_TAGS.test(text) || beginsSentence
  return hasPairs ? !ABOUT_TAGS.test(text) : !isEnd && beginsSentence
}
