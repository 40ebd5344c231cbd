import { Parser } from 'htmlparser2'
import { normaliseMarkup } from './values/index.js'

/** What XML says about itself: RSS, Atom and RDF, podcasts, OPML, DocBook, and anything with a title at its top. */
export interface Feed {
  title: string | undefined
  description: string | undefined
  author: string | undefined
  date: string | undefined
  lang: string | undefined
  images: string[]
  items: { title: string; date: string; text: string }[]
  /** Whether it is a page, served as XML. */
  isPage: boolean
  /** Whether the browser shows it as more than its text: it has a style sheet, or is a page or a drawing. */
  isShownByBrowser: boolean
}

/** Their style sheets are often at another name of the site, from where browsers do not load them, and show nothing. */
const SITEMAPS = new Set(['urlset', 'sitemapindex'])
/** Elements of XHTML that begin a line. */
const LINE = /^(?:\w+:)?(?:p|div|br|li|ul|ol|h[1-6]|blockquote)$/
const MAX_ITEMS = 40
const MAX_VALUE_CHARS = 2_000
const MAX_ITEM_TEXT_CHARS = 300
const MAX_DEPTH = 100

/** The containers of the fields of a whole document; below them a field counts. */
const CONTAINERS = new Set(['channel', 'head', 'info', 'metadata'])
const ITEMS = new Set(['item', 'entry'])
/** Elements, with the field that their text is. */
const FIELDS: Readonly<Record<string, 'title' | 'description' | 'author' | 'date' | 'lang' | 'image'>> = {
  title: 'title',
  description: 'description',
  subtitle: 'description',
  tagline: 'description',
  'itunes:summary': 'description',
  'itunes:author': 'author',
  'dc:creator': 'author',
  'author/name': 'author',
  pubDate: 'date',
  lastBuildDate: 'date',
  updated: 'date',
  'dc:date': 'date',
  language: 'lang',
  'dc:language': 'lang',
  'image/url': 'image',
  logo: 'image',
}
const ITEM_FIELDS: Readonly<Record<string, 'title' | 'date' | 'text'>> = {
  title: 'title',
  pubDate: 'date',
  published: 'date',
  updated: 'date',
  'dc:date': 'date',
  description: 'text',
  summary: 'text',
}

/** Reads the top of an XML document and its first items; the rest is not looked at. */
export function readFeed(xml: string): Feed {
  const values: Partial<Record<string, string>> = {}
  const items: Feed['items'] = []
  const images: string[] = []
  const path: string[] = []
  let hasStyleSheet = false
  let root = ''
  let text = ''
  /** Number of open elements around and including a text of Atom that is written as XHTML; 0 outside of any. */
  let xhtmlDepth = 0
  let item: Feed['items'][number] | undefined
  const keep = (field: string | undefined, value: string) => {
    if (field === 'image') images.push(value)
    else if (field && value) values[field] ??= value
  }
  /** Whether elements are those of the whole document: in its root, or in a container there. */
  const isAtTop = (names: number) => {
    const parents = path.slice(0, -names)
    return parents.length > 0 && parents.length <= 2 && parents.slice(1).every((parent) => CONTAINERS.has(parent))
  }
  const parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (name === '?xml-stylesheet') hasStyleSheet = true
      },
      onopentag(name, attributes) {
        path.push(name)
        if (xhtmlDepth) text += LINE.test(name) ? ' ' : ''
        else text = ''
        if (attributes.type === 'xhtml') xhtmlDepth ||= path.length
        if (path.length === 1) {
          root = name.toLowerCase().replace(/^\w+:/, '')
          keep('lang', attributes['xml:lang'] ?? '')
        }
        if (ITEMS.has(name)) item = { title: '', date: '', text: '' }
        else if (!item && name === 'itunes:image') images.push(attributes.href ?? '')
        if (path.length > MAX_DEPTH) parser.pause()
      },
      ontext(part) {
        if (text.length < MAX_VALUE_CHARS) text += part
      },
      onclosetag(name) {
        if (path.length > xhtmlDepth && xhtmlDepth) {
          text += LINE.test(name) ? ' ' : ''
          path.pop()
          return
        }
        xhtmlDepth = 0
        // Feeds have HTML in their texts, escaped or as CDATA.
        const value = normaliseMarkup(text, MAX_VALUE_CHARS) ?? ''
        text = ''
        if (item && ITEMS.has(name)) {
          items.push({ ...item, text: shorten(item.text) })
          item = undefined
          if (items.length === MAX_ITEMS) parser.pause()
        } else if (item) {
          const field = ITEM_FIELDS[name]
          if (field && ITEMS.has(path.at(-2) ?? '') && value) item[field] ||= value
        } else {
          const inParent = `${path.at(-2)}/${name}`
          if (Object.hasOwn(FIELDS, inParent) && isAtTop(2)) keep(FIELDS[inParent], value)
          else if (Object.hasOwn(FIELDS, name) && isAtTop(1)) keep(FIELDS[name], value)
        }
        path.pop()
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  const { title, description, author, date, lang } = values
  const isPage = root === 'html'
  const isStyled = hasStyleSheet && items.length === 0 && !SITEMAPS.has(root)
  const isShownByBrowser = isStyled || isPage || root === 'svg' || root === 'math'
  return { title, description, author, date, lang, images: images.slice(0, 3), items, isPage, isShownByBrowser }
}

const shorten = (text: string) =>
  text.length > MAX_ITEM_TEXT_CHARS ? `${text.slice(0, MAX_ITEM_TEXT_CHARS).trimEnd()}…` : text
