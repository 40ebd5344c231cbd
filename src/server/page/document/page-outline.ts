import type { TokenMeaning } from './token-meaning.js'

/** Where in the page something is. */
export interface Position {
  /** Number of the outermost `<article>` around it, from 1; 0 outside of any. */
  article: number
  /** Number of headings before it that link to other pages. */
  section: number
  /** Characters of visible text before it. */
  at: number
}

const SECTION_HEADINGS = new Set(['h2', 'h3', 'h4'])
/** A footer deeper in the page may be the one of an article. */
const MAX_PAGE_FOOTER_DEPTH = 3
const TABLE_TAGS = new Set(['table', 'tr', 'th'])
/** Their classes describe the page as a whole. */
const WHOLE_PAGE = new Set(['html', 'body', 'main'])

/** Tracks the articles, the headings and the unrelated parts of a page while it is parsed. */
export class PageOutline {
  articleCount = 0
  textChars = 0
  #article = 0
  #articleDepth = 0
  #section = 0
  #headingDepth = 0
  #linkDepth = 0
  #isOwnLink = false
  #unrelatedDepth = 0
  #asideDepth = 0
  #besideDepth = 0
  #isInComments = false
  #isAfterRelated = false
  #ignoredMediaDepth = 0
  #tableDepth = 0
  #tableAt = 0
  #hasRowHeader = false

  /**
   * @param isOwnLink      Whether the tag links to the page itself.
   * @param isAtHeadline   Whether there is hardly any text between the headline and the tag.
   */
  openTag(
    name: string,
    depth: number,
    {
      meaning,
      role,
      isOwnLink,
      isAtHeadline,
    }: { meaning: TokenMeaning; role: string; isOwnLink: boolean; isAtHeadline: boolean },
  ): void {
    const { isAside, isUnrelated } = meaning
    if (!this.#besideDepth && !WHOLE_PAGE.has(name) && this.#isBeside(name, depth, { meaning, role, isAtHeadline }))
      this.#besideDepth = depth
    if (name === 'aside' || (isAside && !WHOLE_PAGE.has(name))) this.#asideDepth ||= depth
    if (name === 'article') this.#enterArticle(depth)
    else if (name === 'a') this.#openLink(depth, isOwnLink)
    else if (SECTION_HEADINGS.has(name)) this.#openHeading(depth)
    else if (TABLE_TAGS.has(name)) this.#openTablePart(name, depth)
    if (!this.#unrelatedDepth && isUnrelated && !WHOLE_PAGE.has(name)) this.#unrelatedDepth = depth
  }

  closeTag(depth: number): void {
    if (this.#articleDepth === depth) this.#article = this.#articleDepth = 0
    if (this.#headingDepth === depth) this.#headingDepth = 0
    if (this.#linkDepth === depth) this.#linkDepth = 0
    if (this.#unrelatedDepth === depth) this.#unrelatedDepth = 0
    if (this.#asideDepth === depth) this.#asideDepth = 0
    if (this.#besideDepth === depth) this.#besideDepth = 0
    if (this.#ignoredMediaDepth === depth) this.#ignoredMediaDepth = 0
    if (this.#tableDepth === depth) this.#tableDepth = 0
  }

  /** Enters an element whose audio and video are no content: it is hidden, or a video in the background. */
  ignoreMediaWithin(depth: number): void {
    this.#ignoredMediaDepth ||= depth
  }

  get ignoresMedia(): boolean {
    return this.#ignoredMediaDepth > 0
  }

  /** Whether the current element belongs to comments, ads or links to other pages. */
  get isUnrelated(): boolean {
    return this.#unrelatedDepth > 0
  }

  get isLink(): boolean {
    return this.#linkDepth > 0
  }

  get isAside(): boolean {
    return this.#asideDepth > 0
  }

  /** Whether the current element is a sidebar, a menu, the footer of the page, or below the heading of the comments. */
  get isBeside(): boolean {
    return this.#besideDepth > 0 || this.#isInComments
  }

  /** Enters an element that is no content of this page. */
  enterUnrelated(depth: number): void {
    this.#unrelatedDepth ||= depth
  }

  /** Enters the comments, which end with the page. */
  enterComments(): void {
    this.#isInComments ||= !this.#article
  }

  /** Enters links to other pages, after which the page may go on. */
  enterRelated(): void {
    this.#isAfterRelated = true
  }

  /** Whether a heading in front of links to other pages precedes the current element. */
  get isAfterRelated(): boolean {
    return this.#isAfterRelated
  }

  get isTable(): boolean {
    return this.#tableDepth > 0
  }

  /** Whether the current row has a header, in a table that began after `at`: it states a fact about the subject of the page. */
  isFactAfter(at: number): boolean {
    return this.#tableDepth > 0 && this.#hasRowHeader && this.#tableAt >= at
  }

  position(): Position {
    return { article: this.#article, section: this.#section, at: this.textChars }
  }

  #isBeside(
    name: string,
    depth: number,
    { meaning, role, isAtHeadline }: { meaning: TokenMeaning; role: string; isAtHeadline: boolean },
  ): boolean {
    if (name === 'nav' || role === 'navigation' || meaning.isSidebar) return true
    if (this.#article || meaning.isByline || meaning.isDate || meaning.isModified) return false
    if (name === 'aside' || role === 'complementary') return !isAtHeadline
    return role === 'contentinfo' || meaning.isPageFooter || (name === 'footer' && depth <= MAX_PAGE_FOOTER_DEPTH)
  }

  #enterArticle(depth: number): void {
    if (this.#article) return
    this.#article = ++this.articleCount
    this.#articleDepth = depth
  }

  #openTablePart(name: string, depth: number): void {
    if (name !== 'table') this.#hasRowHeader = name === 'th'
    else if (!this.#tableDepth) {
      this.#tableDepth = depth
      this.#tableAt = this.textChars
    }
  }

  #openLink(depth: number, isOwnLink: boolean): void {
    if (this.#headingDepth && !isOwnLink) this.#section++
    this.#linkDepth ||= depth
    this.#isOwnLink = isOwnLink
  }

  #openHeading(depth: number): void {
    if (this.#linkDepth && !this.#isOwnLink) this.#section++
    this.#headingDepth ||= depth
  }
}
