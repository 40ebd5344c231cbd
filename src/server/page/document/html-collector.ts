import { readTagProperties, type Attributes } from './tag-properties.js'
import { iconSize } from './icon-size.js'
import type { BodyProperty, PageLink } from './metadata-sources.js'

export interface CollectedProperty {
  property: BodyProperty
  value: string
  /** Number of the outermost `<article>` around it, from 1; 0 outside of any. */
  article: number
}

/** An open element whose text is being collected. */
interface OpenText {
  depth: number
  text: string
  /** The name within a microdata item; replaces the text of the whole item. */
  itemName?: string
  onClose(text: string): void
}

const MAX_DECLARATIONS = 500
const MAX_VALUES_PER_META = 30
const MAX_OPEN_TEXTS = 30
const MAX_PROPERTIES = 1_000
const MAX_TEXT_CHARS = 2_000
/** Of an attribute that is a list of tokens. */
const MAX_TOKENS_CHARS = 2_000
const MAX_CONTENT_CHARS = 10_000
const MAX_SCRIPT_CHARS = 500_000

/** Elements whose text is not visible, or whose titles are not those of the page. */
const SKIPPED_TAGS = new Set(['script', 'style', 'noscript', 'template', 'svg'])

const HEAD_TAGS = new Set(['html', 'base', 'title', 'link', 'meta', 'script'])

/** Collects the metadata sources of a document from the events of an HTML parser. */
export class HtmlCollector {
  readonly metas = new Map<string, string[]>()
  readonly links: PageLink[] = []
  readonly jsonLdScripts: string[] = []
  readonly properties: CollectedProperty[] = []
  base: string | undefined
  lang: string | undefined
  title: string | undefined
  articleCount = 0
  scriptCount = 0
  textChars = 0
  readonly #openTexts: OpenText[] = []
  readonly #openItems: { depth: number; type: string }[] = []
  #depth = 0
  #skippedDepth = 0
  #openArticle = 0
  #openArticleDepth = 0
  #openScript: string | undefined

  openTag(name: string, attributes: Attributes): void {
    this.#depth++
    if (SKIPPED_TAGS.has(name)) this.#skippedDepth++
    if (name === 'script') this.#openScriptTag(attributes.type ?? '')
    else if (name === 'html') this.lang ??= attributes.lang ?? attributes['xml:lang']
    else if (name === 'base') this.base ??= attributes.href
    else if (name === 'title' && this.title === undefined) this.#collectText((text) => (this.title ??= text))
    else if (name === 'link') this.#addLink(attributes)
    else if (name === 'meta') this.#addMeta(attributes)
    else if (name === 'article' && !this.#skippedDepth && !this.#openArticle) this.#enterArticle()
    // Within a microdata item, `<meta>` and `<link>` state properties of that item.
    if (!this.#skippedDepth && (!HEAD_TAGS.has(name) || (attributes.itemprop && this.#openItems.length)))
      this.#addProperties(name, attributes)
    if ('itemscope' in attributes) this.#openItems.push({ depth: this.#depth, type: attributes.itemtype ?? '' })
  }

  addText(text: string): void {
    if (this.#openScript !== undefined && this.#openScript.length < MAX_SCRIPT_CHARS) this.#openScript += text
    if (this.#skippedDepth) return
    this.textChars += text.trim().length
    for (const open of this.#openTexts) if (open.text.length < MAX_TEXT_CHARS) open.text += text
  }

  /** Number of open elements. */
  get depth(): number {
    return this.#depth
  }

  closeTag(name: string): void {
    if (SKIPPED_TAGS.has(name)) this.#skippedDepth--
    if (name === 'script' && this.#openScript !== undefined) {
      this.jsonLdScripts.push(this.#openScript)
      this.#openScript = undefined
    }
    while (this.#openTexts.at(-1)?.depth === this.#depth) this.#closeText()
    if (this.#openItems.at(-1)?.depth === this.#depth) this.#openItems.pop()
    if (this.#openArticle && this.#openArticleDepth === this.#depth) this.#openArticle = 0
    this.#depth--
  }

  /** Keeps the texts of elements that are still open, where reading stopped before the end of the document. */
  end(): void {
    while (this.#openTexts.length) this.#closeText()
  }

  #closeText(): void {
    const closed = this.#openTexts.pop()
    closed?.onClose((closed.itemName ?? closed.text).slice(0, MAX_TEXT_CHARS))
  }

  #openScriptTag(type: string): void {
    if (/ld\+json/i.test(type)) this.#openScript = ''
    else this.scriptCount++
  }

  #enterArticle(): void {
    this.#openArticle = ++this.articleCount
    this.#openArticleDepth = this.#depth
  }

  #collectText(onClose: OpenText['onClose']): void {
    if (!this.#skippedDepth && this.#openTexts.length < MAX_OPEN_TEXTS)
      this.#openTexts.push({ depth: this.#depth, text: '', onClose })
  }

  #addProperties(name: string, attributes: Attributes): void {
    if (attributes.itemprop === 'name') this.#collectText((text) => this.#nameOpenItem(text))
    const article = this.#openArticle
    for (const tagProperty of readTagProperties(name, attributes, this.#openItems.at(-1)?.type)) {
      const { property } = tagProperty
      if ('value' in tagProperty) this.#addProperty({ property, value: tagProperty.value, article })
      else this.#collectText((value) => this.#addProperty({ property, value, article }))
    }
  }

  #addProperty(property: CollectedProperty): void {
    if (this.properties.length < MAX_PROPERTIES) this.properties.push(property)
  }

  #nameOpenItem(name: string): void {
    const open = this.#openTexts.at(-1)
    if (open) open.itemName ??= name
  }

  #addMeta({ name, property, itemprop, 'http-equiv': httpEquiv, content }: Attributes): void {
    if (!content || this.metas.size >= MAX_DECLARATIONS) return
    if (itemprop === 'name') this.#nameOpenItem(content)
    const names = [name, property, itemprop, httpEquiv].flatMap(
      (names) => names?.slice(0, MAX_TOKENS_CHARS).toLowerCase().split(/\s+/) ?? [],
    )
    for (const name of new Set(names)) {
      const values = this.metas.get(name) ?? []
      if (values.length < MAX_VALUES_PER_META) this.metas.set(name, [...values, content.slice(0, MAX_CONTENT_CHARS)])
    }
  }

  #addLink({ rel, href, sizes = '', type = '' }: Attributes): void {
    if (!rel || !href || this.links.length >= MAX_DECLARATIONS) return
    const rels = rel.slice(0, MAX_TOKENS_CHARS).toLowerCase().split(/\s+/)
    this.links.push({ rels, href, type: type.trim().toLowerCase(), ...iconSize(sizes, href) })
  }
}
