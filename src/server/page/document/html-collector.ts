import {
  afterBylinePrefix,
  bylineAfterDate,
  closingByline,
  datedTextIn,
  hasName,
  isNameWithRole,
  startsLikeName,
} from './byline-words.js'
import { isShadowRoot } from '../../page-state/index.js'
import { addLink, addMeta } from './declarations.js'
import { ImageAlts } from './image-alts.js'
import { isFolderOf, isHomeLink, isLinkToPage, isOfHost } from './known-urls.js'
import { Frames } from './main-frame.js'
import type { Attributes, BodyProperty, PageLink } from './metadata-sources.js'
import { PageOutline, type Position } from './page-outline.js'
import { ScriptSigns } from './script-signs.js'
import { areSimilar } from './similar-texts.js'
import {
  endOfType,
  isHidden,
  isNotDisplayed,
  PLAYERS,
  readItem,
  readTagProperties,
  type AddProperty,
  type MicrodataItem,
  type Player,
} from './tag-properties.js'
import { isLineTag, TextCollector } from './text-collector.js'
import { mergeMeanings, NOTHING, readTokens, TokenReader, type TokenMeaning } from './token-meaning.js'

export interface CollectedProperty extends Position {
  property: BodyProperty
  value: string
  /** Characters of visible text before the end of its text. */
  end: number
}

const MAX_PROPERTIES = 1_000
const MAX_SCRIPT_CHARS = 500_000
/** How far after a headline a byline may be; later in a text, "By …" begins a sentence. */
const MAX_BYLINE_CHARS = 1_000

/** How many paragraphs after a headline are collected. */
const MAX_PARAGRAPHS = 8

/** Classes of the text below a picture: `wp-caption-text`, `image_caption`. */
const CAPTION = /(?:^|[\s_-])caption(?:[_-]text)?(?:\s|$)/i
const MAX_CLASS_CHARS = 500

const MAX_SITE_NAME_CHARS = 60

/** Shorter texts occur in any title. */
const MIN_HEADLINE_CHARS = 8
/** A script without spaces says as much in fewer characters. */
const MIN_EAST_ASIAN_CHARS = 4
const EAST_ASIAN = /^[^A-Za-z]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Elements whose text is not visible, or stands above the text, such as the reading of `<ruby>`, or whose titles do not belong to the
 * page; of `<template>`, those that browsers do not show.
 */
const SKIPPED_TAGS = new Set(['script', 'style', 'noscript', 'noframes', 'template', 'svg', 'rp', 'rt', 'rtc'])

/** Elements whose content is for browsers that do not support them. */
const FALLBACK_TAGS = new Set(['audio', 'canvas', 'video'])
/** Plugins that browsers no longer have: they show the content instead. */
const PLUGIN_TYPE = /^application\/x-/i

/** Whether browsers do not show the content of an element. */
function isContentHidden(name: string, attributes: Attributes): boolean {
  if (name === 'dialog') return attributes.open === undefined
  if (name === 'object') return Boolean(attributes.data) && !PLUGIN_TYPE.test(attributes.type ?? '')
  return FALLBACK_TAGS.has(name) || (name !== 'body' && isNotDisplayed(attributes))
}

const HEAD_TAGS = new Set(['html', 'base', 'title', 'link', 'meta', 'script'])
const HEADLINES = new Set<BodyProperty>(['heading', 'entryTitle', 'subheading'])
const LINE_PROPERTIES = new Set<BodyProperty>(['author', 'byline', 'bylineText', 'dated'])
/** Beside an article, they belong to other articles and to comments. */
export const DATES_AND_AUTHORS = new Set<BodyProperty>([
  'author',
  'byline',
  'bylineText',
  'closingByline',
  'authorLink',
  'roleText',
  'published',
  'modified',
  'dated',
  'datedText',
])
/** Between a headline and a byline in an `<aside>`. */
const MAX_GAP_CHARS = 100
const SITE_PROPERTIES = new Set<BodyProperty>(['homeLink', 'siteHeading', 'logo'])
/** A header deeper in the page may be the one of an article. */
const MAX_PAGE_HEADER_DEPTH = 3
const LOWER_HEADINGS = new Set(['h2', 'h3', 'h4'])
/** `Comments`, `4 comments`, `Kommentare (4)`. */
const COMMENTS_HEADING =
  /^(?:\d{1,5} |leave a |post a |add a )?(?:comments?|responses?|replies|kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties|kommentarer|komentarze|комментарии|コメント|评论|評論|댓글)(?: ?\(\d{1,5}\)|: ?\d{1,5}| \d{1,5})?:?$/i
/** `Read next`, in front of links to other pages. */
const RELATED_HEADING =
  /^(?:(?:related|similar)(?: (?:articles?|posts?|stories|news|reading|content|pages|products|videos))?|recommended for you|read (?:next|also)|up next|(?:you )?(?:may|might) also (?:like|enjoy)|you (?:may|might) like|(?:das )?könnte (?:sie|dich|euch) auch interessieren|mehr zum thema|(?:ähnliche|verwandte) (?:artikel|beiträge|themen)|(?:à |a )?lire aussi|articles (?:similaires|liés|connexes)|sur le même sujet|(?:artículos|noticias|entradas) relacionad[oa]s|(?:también )?te puede(?: también)? interesar|(?:artigos|notícias|posts) relacionad[oa]s|leia também|(?:articoli|notizie) correlat[ie]|leggi anche|lees ook|gerelateerde (?:artikelen|berichten)|läs också|les også|læs også|(?:zobacz|czytaj|przeczytaj) (?:też|także|również)|читайте также|похожие (?:статьи|записи)|関連記事|相关(?:文章|阅读)|相關(?:文章|閱讀)|관련 ?(?:기사|글))[:…]?$/i
const COMMENT_TYPE = /\/(?:User)?Comments?$/

/** Whether a tag begins a microdata item that is a comment. */
const isCommentItem = ({ itemtype = '', itemprop = '' }: Attributes) =>
  COMMENT_TYPE.test(endOfType(itemtype)) || itemprop === 'comment'

/** Whether a tag begins a microdata item that is a review of what another item is about. */
const isReviewItem = ({ itemscope, itemprop = '' }: Attributes) =>
  itemscope !== undefined && /^reviews?$/.test(itemprop.trim())

const MEDIA = new Set<BodyProperty>(['image', 'background', 'audio', 'video', 'poster', 'audioLink', 'videoLink'])
const PLAYABLE = new Set<BodyProperty>(['audio', 'video'])
const IMAGES = new Set<BodyProperty>(['image', 'background'])
const VOID_TAGS = new Set(['br', 'img', 'hr', 'wbr'])
const INLINE_TAGS = new Set(['span', 'small', 'i', 'em', 'b', 'strong', 'label'])

/** Tags that are read even if they have no attributes. */
const TAGS_WITHOUT_ATTRIBUTES = new Set(['h1', 'h2', 'time'])

/** Whether a video plays by itself, in a loop and without sound: an animation rather than something to watch. */
const playsInBackground = ({ autoplay, loop, muted, controls }: Attributes): boolean =>
  [autoplay, loop, muted].every((flag) => flag !== undefined) && controls === undefined

function isEmpty(attributes: Attributes): boolean {
  for (const _ in attributes) return false
  return true
}

/** Collects the metadata sources of a document from the events of an HTML parser. */
export class HtmlCollector {
  readonly metas = new Map<string, string[]>()
  readonly links: PageLink[] = []
  readonly jsonLdScripts: string[] = []
  readonly properties: CollectedProperty[] = []
  readonly outline = new PageOutline()
  readonly imageAlts = new ImageAlts()
  readonly scriptSigns = new ScriptSigns()
  readonly frames = new Frames()
  base: string | undefined
  lang: string | undefined
  title: string | undefined
  scriptCount = 0
  readonly #texts = new TextCollector()
  readonly #tokens = new TokenReader()
  /** Page headers, with the number of properties in front of each. */
  readonly #openHeaders: { depth: number; start: number }[] = []
  readonly #openItems: (MicrodataItem & { depth: number })[] = []
  #depth = 0
  /** Depth of the outermost open element that is skipped; 0 outside of any. */
  #skippedDepth = 0
  /** Depth of the outermost open `<noscript>`; 0 outside of any. */
  #noscriptDepth = 0
  #openScript: string | undefined
  /** Whether the next text is that of a script that browsers run. */
  #isInScript = false
  /** Name of the open element that has no text yet. */
  #openTagName = ''
  /** Whether the next text begins a line. */
  #isLineStart = true
  #hasHeading = false
  /** Depth of the open link to the home page; 0 outside of any. */
  #homeLinkDepth = 0
  /** The same for the home page of the same host. */
  #ownHomeLinkDepth = 0
  #openHeadings = 0
  /** The text of the last link to the home page, or to a folder of the page, within the open heading. */
  #siteLink = ''
  #headlineEnd = -Infinity
  /** Characters of visible text after the headline, without those of tables. */
  #leadChars = Infinity
  /** Depth of the outermost open element that is not displayed; 0 outside of any. */
  #hiddenDepth = 0
  /** Whether the headline is in such an element, which scripts display later. */
  #isHeadlineHidden = false
  /** Depth of the outermost open `<template>`, which declares nothing for the document; 0 outside of any. */
  #templateDepth = 0
  #paragraphCount = 0
  /** Depth of the open `<figcaption>`; 0 outside of any. */
  #captionDepth = 0
  /** Whether the tag that is being opened is a `<p>`, which ends the paragraph before it, whatever else is open. */
  #opensParagraph = false
  /** Characters of visible text before the last `<img>`, if it only keeps the place of an image that a script loads later. */
  #placeholderAt = -1
  /** `srcset` of the first `<source>` of the open `<picture>`. */
  #pictureSet: string | undefined
  /** The open element that plays its `<source>`. */
  #player: Player | undefined
  /** Host and path of the URL of the page. */
  readonly #host: string
  readonly #path: string

  constructor(url: string) {
    const { host, pathname } = new URL(url)
    this.#host = host
    this.#path = pathname
  }

  openTag(name: string, attributes: Attributes): void {
    this.#depth++
    if (!VOID_TAGS.has(name)) this.#openTagName = name
    this.#isLineStart ||= isLineTag(name)
    if (SKIPPED_TAGS.has(name) && !isShadowRoot(name, attributes)) this.#skippedDepth ||= this.#depth
    if (name === 'noscript') this.#noscriptDepth ||= this.#depth
    if (!this.#skippedDepth) this.scriptSigns.openTag(name, attributes, this.#extent())
    if (!this.#skippedDepth) this.frames.openTag(name, attributes, this.#depth)
    if (name === 'template') this.#templateDepth ||= this.#depth
    if (!this.#templateDepth) this.#openHeadTag(name, attributes)
    // Within a microdata item, `<meta>` and `<link>` state properties of that item.
    if (!this.#skippedDepth && (!HEAD_TAGS.has(name) || (attributes.itemprop && this.#openItems.length)))
      this.#openBodyTag(name, attributes)
    else if (this.#noscriptDepth && this.#noscriptDepth === this.#skippedDepth) this.#openNoscriptTag(name, attributes)
    if ('itemscope' in attributes) this.#openItem(name, attributes)
  }

  #openHeadTag(name: string, attributes: Attributes): void {
    if (name === 'script') this.#openScriptTag(attributes)
    else if (name === 'html' || name === 'body') this.lang ||= attributes.lang ?? attributes['xml:lang']
    else if (name === 'base') this.#openBase(attributes)
    else if (name === 'title' && !this.#skippedDepth) this.#openTitle()
    else if (name === 'link') addLink(this.links, attributes)
    else if (name === 'meta') this.#openMeta(attributes)
  }

  addText(text: string): void {
    if (this.#openScript !== undefined && this.#openScript.length < MAX_SCRIPT_CHARS) this.#openScript += text
    if (this.#noscriptDepth) this.scriptSigns.addNoscriptText(text)
    if (this.#isInScript) this.scriptSigns.addScriptText(text)
    if (this.#skippedDepth) return
    const trimmed = text.trim()
    if (trimmed) this.#findPlainTexts(trimmed)
    this.outline.textChars += trimmed.length
    if (!this.outline.isTable) this.#leadChars += trimmed.length
    this.#texts.addText(text)
  }

  /** Number of open elements. */
  get depth(): number {
    return this.#depth
  }

  closeTag(name: string): void {
    if (!this.#skippedDepth) this.scriptSigns.closeTag(this.#extent())
    if (this.#skippedDepth === this.#depth) this.#skippedDepth = 0
    if (this.#noscriptDepth === this.#depth) this.#noscriptDepth = 0
    if (name === 'script') this.#isInScript = false
    if (name === 'script' && this.#openScript !== undefined) {
      this.jsonLdScripts.push(this.#openScript)
      this.#openScript = undefined
    }
    this.#texts.close(this.#depth)
    this.#texts.addEdge(name)
    if (this.#openItems.at(-1)?.depth === this.#depth) this.#openItems.pop()
    this.outline.closeTag(this.#depth)
    this.frames.closeTag(this.#depth)
    if (this.#openHeaders.at(-1)?.depth === this.#depth) this.#closeHeader(this.#openHeaders.pop()!)
    if (this.#homeLinkDepth === this.#depth) this.#homeLinkDepth = 0
    if (this.#ownHomeLinkDepth === this.#depth) this.#ownHomeLinkDepth = 0
    if (this.#hiddenDepth === this.#depth) this.#hiddenDepth = 0
    if (this.#templateDepth === this.#depth) this.#templateDepth = 0
    if (this.#captionDepth === this.#depth) this.#captionDepth = 0
    if (name === 'picture') this.#pictureSet = undefined
    if (PLAYERS.has(name)) this.#player = undefined
    if (!VOID_TAGS.has(name)) this.#openTagName = ''
    this.#isLineStart ||= isLineTag(name)
    this.#depth--
  }

  readonly #extent = () => ({ depth: this.#depth, textChars: this.outline.textChars })

  /** Keeps the texts of elements that are still open if reading stopped before the end of the document. */
  end(): void {
    this.#texts.close(0)
  }

  /** https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url */
  #openBase({ href }: Attributes): void {
    if (!this.#skippedDepth) this.base ??= href
  }

  /** The first title that is not empty: some programs fill another one. */
  #openTitle(): void {
    if (this.title?.trim()) return
    this.#texts.open(this.#depth, (text) => {
      if (!this.title?.trim()) this.title = text
    })
  }

  #openMeta({ itemprop, ...attributes }: Attributes): void {
    const { isUnrelated, isBeside } = this.outline
    const isOfPage = itemprop && !isUnrelated && !isBeside && !this.#openItems.at(-1)?.isSecondary
    addMeta(this.metas, isOfPage ? { ...attributes, itemprop } : attributes)
    this.imageAlts.readMeta(attributes)
  }

  #openItem(name: string, attributes: Attributes): void {
    const item = readItem(name, attributes, this.#openItems.at(-1))
    const isSecondary = item.isSecondary || this.outline.isAside || this.outline.isBeside
    this.#openItems.push({ ...item, isSecondary, depth: this.#depth })
  }

  #openScriptTag(attributes: Attributes): void {
    if (/ld\+json/i.test(attributes.type ?? '')) this.#openScript = ''
    else {
      this.scriptCount++
      this.scriptSigns.openScript(attributes)
      this.#isInScript = !this.#noscriptDepth
    }
  }

  #openBodyTag(name: string, attributes: Attributes): void {
    const { itemprop } = attributes
    const meaning = this.#readMeaning(attributes)
    if (name === 'header') this.#openHeaders.push({ depth: this.#depth, start: this.properties.length })
    this.#opensParagraph = name === 'p'
    this.#texts.addEdge(name)
    this.#opensParagraph = false
    const isOwnLink = name === 'a' && isLinkToPage(attributes.href ?? '', this.#path)
    const isAtHeadline = this.outline.textChars <= this.#headlineEnd + MAX_GAP_CHARS
    const role = attributes.role ?? ''
    this.outline.openTag(name, this.#depth, { meaning, role, isOwnLink, isAtHeadline })
    // Customers write reviews below the heading; a review with the heading in it is the page.
    if (isCommentItem(attributes) || (this.#hasHeading && isReviewItem(attributes)))
      this.outline.enterUnrelated(this.#depth)
    if (isContentHidden(name, attributes)) this.#hiddenDepth ||= this.#depth
    if (isHidden(attributes) || (name === 'video' && playsInBackground(attributes)))
      this.outline.ignoreMediaWithin(this.#depth)
    if (name === 'figcaption') this.#captionDepth ||= this.#depth
    if (name === 'picture') this.#pictureSet = undefined
    else if (name === 'source') this.#pictureSet ??= attributes.srcset ?? attributes['data-srcset']
    else if (name === 'p') this.#openParagraph(attributes)
    this.#player = PLAYERS.get(name) ?? this.#player
    if (isEmpty(attributes) && !TAGS_WITHOUT_ATTRIBUTES.has(name)) return
    if (itemprop === 'name') {
      if (attributes.content) this.#texts.nameItem(attributes.content)
      else this.#texts.open(this.#depth, (text) => this.#texts.nameItem(text))
    }
    if (this.outline.isUnrelated) return
    if (name === 'a' && attributes.href) this.#openLink(attributes)
    else if (name === 'img' && this.#homeLinkDepth && attributes.alt) this.#addHomeLink(attributes.alt)
    const propertyCount = this.properties.length
    this.#readTag(name, attributes, meaning)
    if (name === 'img') this.#placeholderAt = this.properties.length === propertyCount ? this.outline.textChars : -1
  }

  /** The image in a `<noscript>` behind the placeholder of that image. Alone, it counts visitors. */
  #openNoscriptTag(name: string, attributes: Attributes): void {
    if (name === 'source') this.#pictureSet ??= attributes.srcset
    if (name !== 'img' || this.#placeholderAt !== this.outline.textChars || this.outline.isUnrelated) return
    this.#readTag(name, attributes, NOTHING)
    this.#placeholderAt = -1
  }

  #readTag(name: string, attributes: Attributes, meaning: TokenMeaning): void {
    readTagProperties(name, attributes, {
      meaning,
      item: this.#openItems.at(-1),
      hasHeading: this.#hasHeading,
      isNearHeading: this.outline.textChars <= this.#headlineEnd + MAX_BYLINE_CHARS,
      pictureSet: this.#pictureSet,
      player: this.#player,
      imageAlts: this.imageAlts,
      add: this.#add,
    })
  }

  /** Forgets the dates and names in the header of the whole page, which may state today's date. */
  #closeHeader({ depth, start }: { depth: number; start: number }): void {
    const properties = this.properties.splice(start)
    const has = (names: ReadonlySet<BodyProperty>) => properties.some(({ property }) => names.has(property))
    const isOfSite = this.outline.position().article === 0 && (depth <= MAX_PAGE_HEADER_DEPTH || has(SITE_PROPERTIES))
    const isOfPage = isOfSite && !this.#hasHeading && !has(HEADLINES)
    this.properties.push(...properties.filter(({ property }) => !isOfPage || !DATES_AND_AUTHORS.has(property)))
  }

  /** Collects the first paragraphs after the headline. */
  #openParagraph(attributes: Attributes): void {
    const { isUnrelated, isAside, isBeside, isLink, isTable, textChars } = this.outline
    if (isUnrelated || isAside || isBeside || isLink || isHidden(attributes)) return
    if (this.#captionDepth || CAPTION.test(attributes.class?.slice(0, MAX_CLASS_CHARS) ?? '')) return
    if (this.#hiddenDepth && !this.#isHeadlineHidden) return
    // Encyclopedias have a table of facts in front of the text.
    const distance = isTable ? textChars - this.#headlineEnd : this.#leadChars
    if (distance > MAX_BYLINE_CHARS || this.#paragraphCount++ >= MAX_PARAGRAPHS) return
    this.#openText(isTable ? 'tableParagraph' : 'paragraph', this.#depth)
  }

  #openLink({ href = '', title, 'aria-label': label }: Attributes): void {
    const isHome = isHomeLink(href)
    if (isHome) this.#homeLinkDepth ||= this.#depth
    if (isHome && isOfHost(href, this.#host)) this.#ownHomeLinkDepth ||= this.#depth
    if (!isHome && !(this.#openHeadings && isFolderOf(href, this.#path))) return
    this.#texts.open(this.#depth, (text) => {
      this.#siteLink = text.trim()
      if (isHome) this.#addHomeLink(text.trim() || (title ?? label ?? ''))
    })
  }

  #addHomeLink(text: string): void {
    const name = text.trim()
    if (name && name.length <= MAX_SITE_NAME_CHARS) this.#addProperty('homeLink', name, this.outline.position())
  }

  readonly #add: AddProperty = (property, value) => {
    if (this.outline.isAside && MEDIA.has(property)) return
    if (this.outline.ignoresMedia && PLAYABLE.has(property)) return
    if (IMAGES.has(property) && this.#isImageOfSite()) return
    if (this.outline.isBeside && DATES_AND_AUTHORS.has(property)) return
    if (value === undefined) this.#openText(property, this.#depth)
    else this.#addProperty(property, value, this.outline.position())
  }

  /** Whether an image belongs to the menu, the banner or the footer of the site, to a comment, or to another page. */
  #isImageOfSite(): boolean {
    const { isBeside, isLink, isAfterRelated } = this.outline
    return isBeside || this.#ownHomeLinkDepth > 0 || (isLink && isAfterRelated)
  }

  #readMeaning({ class: classes, id, 'data-testid': testId }: Attributes): TokenMeaning {
    let meaning = classes ? this.#tokens.read(classes) : NOTHING
    for (const list of [id, testId]) {
      const other = list ? readTokens(list) : NOTHING
      if (other !== NOTHING) meaning = mergeMeanings(meaning, other)
    }
    return meaning
  }

  #openText(property: BodyProperty, depth: number): void {
    const position = this.outline.position()
    const isInHomeLink = this.#homeLinkDepth > 0
    const isDisplayed = !this.#hiddenDepth
    if (property === 'heading') this.#siteLink = ''
    const add = (value: string) => {
      if (property === 'heading') this.#openHeadings--
      const trimmed = value.trim()
      const isSite = isInHomeLink || (trimmed !== '' && trimmed === this.#siteLink)
      if (property === 'heading' && isSite) return this.#addProperty('siteHeading', value, position)
      // Scripts display a message when they fail, and sometimes the whole page.
      if (HEADLINES.has(property) && !isDisplayed && !(this.title?.trim() && this.#isAboutPage(trimmed))) return
      if (HEADLINES.has(property)) {
        this.#headlineEnd = this.outline.textChars
        this.#leadChars = 0
        this.#isHeadlineHidden ||= !isDisplayed
      }
      this.#hasHeading ||= (property === 'heading' || property === 'entryTitle') && this.#isAboutPage(trimmed)
      const { section } = HEADLINES.has(property) ? this.outline.position() : position
      this.#addProperty(property, value, { ...position, section })
    }
    const isParagraph = property === 'paragraph' || property === 'tableParagraph'
    const isComplete = property === 'bylineText' ? hasName : isParagraph ? () => this.#opensParagraph : undefined
    const isOpen = this.#texts.open(depth, add, { hasLines: LINE_PROPERTIES.has(property), isComplete })
    if (isOpen && property === 'heading') this.#openHeadings++
  }

  /** Whether a heading may be the headline: some pages put the name of their section into the first one. */
  #isAboutPage(heading: string): boolean {
    const titles = [this.title, this.metas.get('og:title')?.[0]].filter((title) => title?.trim())
    return heading !== '' && (!titles.length || titles.some((title) => areSimilar(title!, heading)))
  }

  /** Finds headline, date and bylines in elements without meaningful attributes. */
  #findPlainTexts(text: string): void {
    if (!this.#hasHeading) this.#findPlainHeadline(text)
    if (LOWER_HEADINGS.has(this.#openTagName)) {
      if (COMMENTS_HEADING.test(text)) this.outline.enterComments()
      else if (RELATED_HEADING.test(text)) this.outline.enterRelated()
    }
    if (!this.outline.isUnrelated && !this.outline.isBeside) {
      if (this.outline.textChars <= this.#headlineEnd + MAX_BYLINE_CHARS) this.#findTextsNearHeadline(text)
      else this.#findClosingByline(text)
    }
    this.#openTagName = ''
    this.#isLineStart = false
  }

  #findTextsNearHeadline(text: string): void {
    const dateText = datedTextIn(text)
    if (dateText !== undefined && !this.outline.isFactAfter(this.#headlineEnd)) {
      this.#addProperty('datedText', dateText, this.outline.position())
      if (bylineAfterDate(text)) this.#openBylineAfterDate()
    }
    if (this.#openTagName || this.#isLineStart) this.#findBylineText(text)
  }

  /** Finds "Written by Jane Doe" at the end of an article. */
  #findClosingByline(text: string): void {
    if (this.#headlineEnd < 0 || !(this.#openTagName || this.#isLineStart)) return
    const names = closingByline(text)
    if (names) this.#addProperty('closingByline', names, this.outline.position())
  }

  /** Finds the title of a page without headings. */
  #findPlainHeadline(text: string): void {
    const minChars = EAST_ASIAN.test(text.slice(0, MIN_HEADLINE_CHARS)) ? MIN_EAST_ASIAN_CHARS : MIN_HEADLINE_CHARS
    if (text.length < minChars || this.outline.isLink || !this.title?.includes(text)) return
    this.#addProperty('subheading', text, this.outline.position())
    this.#headlineEnd = this.outline.textChars + text.length
    this.#leadChars = -text.length
  }

  /** Finds "By Jane Doe", and "Jane Doe, Reporter". */
  #findBylineText(text: string): void {
    if (isNameWithRole(text)) this.#addProperty('roleText', text, this.outline.position())
    const rest = afterBylinePrefix(text)?.trim()
    if (rest === undefined || (rest && !startsLikeName(rest))) return
    // "By" may be in a separate element before the name.
    const isAlone = !rest && INLINE_TAGS.has(this.#openTagName)
    this.#openText('bylineText', isAlone ? this.#depth - 1 : this.#depth)
  }

  /** Opens the line of "March 12, 2024 by Jane Doe", in which the name may be a separate element. */
  #openBylineAfterDate(): void {
    const position = this.outline.position()
    const add = (line: string) => this.#addProperty('bylineText', bylineAfterDate(line) ?? '', position)
    const isComplete = (line: string) => hasName(bylineAfterDate(line) ?? '')
    this.#texts.open(this.#depth, add, { hasLines: true, isComplete })
  }

  #addProperty(property: BodyProperty, value: string, position: Position): void {
    if (this.properties.length < MAX_PROPERTIES)
      this.properties.push({ property, value, ...position, end: this.outline.textChars })
  }
}
