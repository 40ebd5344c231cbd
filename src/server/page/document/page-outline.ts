import type { TokenMeaning } from './token-meaning.js'

/** Where in the page something is. */
export interface Position {
  /** Number of the outermost `<article>` around it, from 1; 0 outside of any. */
  article: number
  /** Number of headings in front of it that link to other pages. */
  section: number
  /** Characters of visible text in front of it. */
  at: number
}

const SECTION_HEADINGS = new Set(['h2', 'h3', 'h4'])
/** Their classes describe the page as a whole. */
const WHOLE_PAGE = new Set(['html', 'body', 'main'])

/** Follows the articles, the headings and the foreign parts of a page while it is parsed. */
export class PageOutline {
  articleCount = 0
  textChars = 0
  #article = 0
  #articleDepth = 0
  #section = 0
  #headingDepth = 0
  #linkDepth = 0
  #otherDepth = 0
  #asideDepth = 0

  openTag(name: string, depth: number, { isOther }: TokenMeaning): void {
    if (name === 'article') this.#enterArticle(depth)
    else if (name === 'aside') this.#asideDepth ||= depth
    else if (name === 'a') this.#openLink(depth)
    else if (SECTION_HEADINGS.has(name)) this.#openHeading(depth)
    if (!this.#otherDepth && isOther && !WHOLE_PAGE.has(name)) this.#otherDepth = depth
  }

  closeTag(depth: number): void {
    if (this.#articleDepth === depth) this.#article = this.#articleDepth = 0
    if (this.#headingDepth === depth) this.#headingDepth = 0
    if (this.#linkDepth === depth) this.#linkDepth = 0
    if (this.#otherDepth === depth) this.#otherDepth = 0
    if (this.#asideDepth === depth) this.#asideDepth = 0
  }

  /** Whether the current element belongs to comments, ads or links to other pages. */
  get isOther(): boolean {
    return this.#otherDepth > 0
  }

  get isAside(): boolean {
    return this.#asideDepth > 0
  }

  position(): Position {
    return { article: this.#article, section: this.#section, at: this.textChars }
  }

  #enterArticle(depth: number): void {
    if (this.#article) return
    this.#article = ++this.articleCount
    this.#articleDepth = depth
  }

  #openLink(depth: number): void {
    if (this.#headingDepth) this.#section++
    this.#linkDepth ||= depth
  }

  #openHeading(depth: number): void {
    if (this.#linkDepth) this.#section++
    this.#headingDepth ||= depth
  }
}
