import { Parser } from 'htmlparser2'
import type { Attributes } from './metadata-sources.js'

const words = (list: string) => new Set(list.split(' '))

/** Attributes that may stand behind the content of a `<meta>`. */
const KNOWN = words(
  'name property itemprop http-equiv id class lang dir scheme charset media about typeof resource datatype prefix key hid vmid',
)
/** Attributes without a value that frameworks add to their tags. */
const MARKS = words('inertia hidden slot hid vmid itemscope crossorigin async defer')
const MAX_TAG_CHARS = 20_000
const MAX_SWALLOWED_TAGS = 20
/** Names of attributes begin with these, not words. */
const PREFIXES = /^(?:data|aria|v|x|ng)-/
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}.,;:!?%()–—-]*$/u

/**
 * The attributes of a `<meta>` as its author meant them: the whole content if it has quotes within quotes or no quotes at all, and
 * the tags that follow a missing quote one by one. Browsers read what comes before the first wrong quote.
 *
 * @param source  The tag in the page.
 * @returns       Nothing if the whole content cannot be known, as in a document that a browser serialised.
 */
export function repairMeta(attributes: Attributes, source: string): Attributes[] {
  if (attributes.content === undefined || source.length > MAX_TAG_CHARS) return [attributes]
  const names = Object.keys(attributes)
  const hasStrayQuote = names.some((name) => /["'<]/.test(name))
  // Where the tags are entities, they are words of the content.
  const tags = hasStrayQuote ? source.split(BETWEEN_TAGS, MAX_SWALLOWED_TAGS) : []
  if (tags.length > 1) return tags.flatMap((tag, at) => readTag(at < tags.length - 1 ? `${tag}>` : tag))
  if (hasStrayQuote) return readQuoted(attributes, source)
  const isStrayWord = (name: string) =>
    attributes[name] === '' && !KNOWN.has(name) && !MARKS.has(name) && !PREFIXES.test(name) && WORD.test(name)
  return names.some(isStrayWord) ? readUnquoted(attributes, source) : [attributes]
}

const BETWEEN_TAGS = />\s{0,100}(?=<(?:meta|link|script|title|style)\b)/i

/** The attributes of a tag that lacks a quote before its end, or whose content has quotes within quotes. */
function readTag(tag: string): Attributes[] {
  const parsed =
    parseMeta(tag) ?? parseMeta(`${tag.replace(/\/?>$/, '')}">`) ?? parseMeta(`${tag.replace(/\/?>$/, '')}'>`)
  return parsed ? repairMeta(parsed, tag) : []
}

function parseMeta(html: string): Attributes | undefined {
  let found: Attributes | undefined
  const parser = new Parser({ onopentag: (name, attributes) => void (name === 'meta' && (found ??= attributes)) })
  parser.end(html)
  return found
}

const CONTENT = /[\s"']content\s{0,5}=\s{0,5}/i
const SERIALISED = /[^\s=]=""/

function readQuoted(attributes: Attributes, source: string): Attributes[] {
  const text = textOfContent(source)
  const quote = text?.charAt(0)
  if (text === undefined || (quote !== '"' && quote !== "'")) return [attributes]
  const rest = withoutOtherAttributes(text.slice(1))
  const value = rest.endsWith(quote) ? rest.slice(0, -1) : rest
  return SERIALISED.test(value) || value.includes('<') ? [] : [withContent(attributes, value)]
}

function readUnquoted(attributes: Attributes, source: string): Attributes[] {
  const text = textOfContent(source)
  if (text === undefined || /^["']/.test(text)) return [attributes]
  const end = text.search(NEXT_ATTRIBUTE)
  return [withContent(attributes, end < 0 ? text : text.slice(0, end))]
}

const NEXT_ATTRIBUTE = /\s(?:name|property|itemprop|http-equiv|id|class|lang|data-[a-z-]{1,40})\s{0,5}=/i

/** What follows `content=` up to the end of the tag. */
function textOfContent(source: string): string | undefined {
  const start = CONTENT.exec(source)
  const end = source.endsWith('/>') ? -2 : source.endsWith('>') ? -1 : undefined
  return start ? source.slice(start.index + start[0].length, end).trim() : undefined
}

/** Leaves out the attributes with quotes that follow the content. */
function withoutOtherAttributes(text: string): string {
  const quote = text.at(-1)
  if (quote !== '"' && quote !== "'") return text
  const before = text.slice(0, Math.max(0, text.lastIndexOf(quote, text.length - 2)))
  const [attribute, name = ''] = OTHER_ATTRIBUTE.exec(before.slice(-MAX_NAME_CHARS)) ?? []
  const isOther = attribute !== undefined && (KNOWN.has(name.toLowerCase()) || name.startsWith('data-'))
  return isOther ? withoutOtherAttributes(before.slice(0, before.length - attribute.length).trimEnd()) : text
}

const MAX_NAME_CHARS = 60
const OTHER_ATTRIBUTE = /["'\s]([\w:-]{1,40})=$/

/** With the entities of the content decoded. */
const withContent = (attributes: Attributes, value: string): Attributes => ({
  ...attributes,
  content: parseMeta(`<meta content="${value.trim().replaceAll('"', '&quot;')}">`)?.content ?? '',
})
