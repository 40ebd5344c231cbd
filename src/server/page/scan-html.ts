import { Parser } from 'htmlparser2'
import { scanBodyTag } from './body-facts.js'
import { iconSize } from './icon-size.js'
import { readJsonLd } from './json-ld.js'
import { emptyFacts, type BodyFact, type BodyFacts, type PageFacts, type PageLink } from './page-facts.js'

type Attributes = Readonly<Record<string, string>>

/** A text that is still being read. */
interface OpenText {
  depth: number
  text: string
  /** Of a thing with parts (microdata): the part that is its name. */
  name?: string
  take(text: string): void
}

interface Found {
  kind: BodyFact
  value: string
  /** Number of the outermost `<article>` around it; 0 outside of any. */
  article: number
}

const MAX_SCAN_CHARS = 1_000_000
const MAX_DECLARED = 500
const MAX_PER_NAME = 30
const MAX_OPEN = 30
const MAX_FOUND = 1_000
const MAX_TEXT_CHARS = 2_000
const MAX_CONTENT_CHARS = 10_000
const MAX_SCRIPT_CHARS = 500_000

/** Elements whose text nobody sees, or whose titles are not the page's. */
const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'svg'])

/** What stands in a head is read by other rules. */
const HEAD_TAGS = new Set(['html', 'base', 'title', 'link', 'meta', 'script'])

/** Reads what a page says about itself, in one pass over its first million characters. */
export function scanHtml(html: string, url: string): PageFacts {
  const collector = new Collector()
  const parser = new Parser({
    onopentag: (name, attributes) => collector.open(name, attributes),
    ontext: (text) => collector.addText(text),
    onclosetag: (name) => collector.close(name),
  })
  parser.end(html.slice(0, MAX_SCAN_CHARS))
  return collector.facts(url)
}

class Collector {
  readonly #metas = new Map<string, string[]>()
  readonly #links: PageLink[] = []
  readonly #scripts: string[] = []
  readonly #found: Found[] = []
  readonly #open: OpenText[] = []
  #depth = 0
  #article = 0
  #articleDepth = 0
  #articles = 0
  #unread = 0
  readonly #items: { depth: number; type: string }[] = []
  #base: string | undefined
  #lang: string | undefined
  #title: string | undefined
  #script: string | undefined
  #scriptCount = 0
  #textChars = 0

  facts(url: string): PageFacts {
    const baseUrl = this.#base !== undefined && URL.canParse(this.#base, url) ? new URL(this.#base, url).href : url
    const canonical = this.#links.filter(({ rels }) => rels.includes('canonical')).map(({ href }) => href)
    return {
      url,
      baseUrl,
      metas: this.#metas,
      links: this.#links,
      lang: this.#lang,
      title: this.#title,
      body: groupFacts(this.#found),
      article: groupFacts(this.#found.filter(({ article }) => article > 0 && article === this.#ownArticle())),
      jsonLd: readJsonLd(this.#scripts, [url, ...canonical, ...(this.#metas.get('og:url') ?? [])]),
      manifestIcons: [],
      oembed: new Map(),
      textChars: Math.max(0, this.#textChars - (this.#title?.trim().length ?? 0)),
      scripts: this.#scriptCount,
    }
  }

  open(name: string, attributes: Attributes): void {
    this.#depth++
    if (UNREAD.has(name)) this.#unread++
    if (name === 'script') this.#openScript(attributes.type ?? '')
    else if (name === 'html') this.#lang ??= attributes.lang ?? attributes['xml:lang']
    else if (name === 'base') this.#base ??= attributes.href
    else if (name === 'title' && this.#title === undefined) this.#read((text) => (this.#title ??= text))
    else if (name === 'link') this.#addLink(attributes)
    else if (name === 'meta') this.#addMeta(attributes)
    else if (name === 'article' && !this.#unread && !this.#article) this.#enterArticle()
    // Microdata makes properties of tags that say something else elsewhere.
    if (!this.#unread && (!HEAD_TAGS.has(name) || (attributes.itemprop && this.#items.length)))
      this.#addFacts(name, attributes)
    if ('itemscope' in attributes) this.#items.push({ depth: this.#depth, type: attributes.itemtype ?? '' })
  }

  addText(text: string): void {
    if (this.#script !== undefined && this.#script.length < MAX_SCRIPT_CHARS) this.#script += text
    if (this.#unread) return
    this.#textChars += text.trim().length
    for (const open of this.#open) if (open.text.length < MAX_TEXT_CHARS) open.text += text
  }

  close(name: string): void {
    if (UNREAD.has(name)) this.#unread--
    if (name === 'script' && this.#script !== undefined) {
      this.#scripts.push(this.#script)
      this.#script = undefined
    }
    while (this.#open.at(-1)?.depth === this.#depth) {
      const open = this.#open.pop()
      open?.take((open.name ?? open.text).slice(0, MAX_TEXT_CHARS))
    }
    if (this.#items.at(-1)?.depth === this.#depth) this.#items.pop()
    if (this.#article && this.#articleDepth === this.#depth) this.#article = 0
    this.#depth--
  }

  #openScript(type: string): void {
    if (/ld\+json/i.test(type)) this.#script = ''
    else this.#scriptCount++
  }

  /** The one with the heading, else the only one. */
  #ownArticle(): number | undefined {
    const headed = this.#found.find(({ kind, article }) => kind === 'heading' && article > 0)
    return headed?.article ?? (this.#articles === 1 ? 1 : undefined)
  }

  #enterArticle(): void {
    this.#article = ++this.#articles
    this.#articleDepth = this.#depth
  }

  #read(take: OpenText['take']): void {
    if (!this.#unread && this.#open.length < MAX_OPEN) this.#open.push({ depth: this.#depth, text: '', take })
  }

  #addFacts(name: string, attributes: Attributes): void {
    if (attributes.itemprop === 'name') this.#read((text) => this.#nameOuter(text))
    const article = this.#article
    for (const fact of scanBodyTag(name, attributes, this.#items.at(-1)?.type)) {
      const { kind } = fact
      if ('value' in fact) this.#find({ kind, value: fact.value, article })
      else this.#read((value) => this.#find({ kind, value, article }))
    }
  }

  #find(found: Found): void {
    if (this.#found.length < MAX_FOUND) this.#found.push(found)
  }

  #nameOuter(name: string): void {
    const outer = this.#open.at(-1)
    if (outer) outer.name ??= name
  }

  #addMeta({ name, property, itemprop, 'http-equiv': httpEquiv, content }: Attributes): void {
    if (!content || this.#metas.size >= MAX_DECLARED) return
    if (itemprop === 'name') this.#nameOuter(content)
    const names = [name, property, itemprop, httpEquiv].flatMap((names) => names?.toLowerCase().split(/\s+/) ?? [])
    for (const name of new Set(names)) {
      const contents = this.#metas.get(name) ?? []
      if (contents.length < MAX_PER_NAME) this.#metas.set(name, [...contents, content.slice(0, MAX_CONTENT_CHARS)])
    }
  }

  #addLink({ rel, href, sizes = '', type = '' }: Attributes): void {
    if (!rel || !href || this.#links.length >= MAX_DECLARED) return
    const rels = rel.toLowerCase().split(/\s+/)
    this.#links.push({ rels, href, type: type.trim().toLowerCase(), ...iconSize(sizes, href) })
  }
}

function groupFacts(found: readonly Found[]): BodyFacts {
  const facts = emptyFacts()
  for (const { kind, value } of found) facts[kind].push(value)
  return facts
}
