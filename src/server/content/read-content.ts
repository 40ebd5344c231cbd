import { Readability } from '@mozilla/readability'
import type { Element as HastElement, ElementContent, Root as HastRoot } from 'hast'
import { toMdast } from 'hast-util-to-mdast'
import { parseHTML } from 'linkedom'
import type { Image, Link, Nodes, Root } from 'mdast'
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item'
import { toMarkdown } from 'mdast-util-to-markdown'
import type { PageText } from '../../query/index.js'
import { removeInvisible } from './invisible-characters.js'
import type { VisibleContent } from '../browser/index.js'

/** What a page shows, and in which forms its main content is needed. */
export interface ContentTask extends VisibleContent {
  markdown: boolean
  text: boolean
}

export interface ContentReading {
  /** `undefined` if it is not needed. */
  markdown: PageText | undefined
  text: PageText | undefined
}

/** What is used of the DOM, whose types the service does not have. */
interface DomNode {
  nodeType: number
  textContent: string | null
  childNodes: Iterable<DomNode>
}

interface DomElement extends DomNode {
  localName: string
  children: Iterable<DomElement>
  nextElementSibling: DomElement | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  parentElement: DomElement | null
  matches(selector: string): boolean
  closest(selector: string): DomElement | null
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): Iterable<DomElement>
  cloneNode(isDeep: boolean): DomElement
  prepend(child: DomElement): void
  replaceWith(...nodes: DomNode[]): void
  remove(): void
}

interface DomDocument extends DomElement {
  body: DomElement
}

const parse = (html: string): DomDocument => parseHTML(html).document

/** Characters of a result. */
const MAX_CHARS = 100_000

/** Finds the main content of a page, and writes it. Its time depends on the document alone, so it runs in a worker. */
export function readContent({ html, omittedCharacters, isCut, ...needs }: ContentTask): ContentReading {
  const { text: visible, removed } = removeInvisible(html)
  const { root, isLong } = hastOf(findMain(visible))
  const tree = toMdast(root, { document: true }) as Root
  tree.children = tidy(tree.children)
  const write = (written: string): PageText => {
    const content = written.trim()
    const untrustedContent = cut(content)
    const isTruncated = isCut || isLong || untrustedContent.length < content.length
    return { untrustedContent, omittedCharacters: omittedCharacters + removed, isTruncated }
  }
  return {
    markdown: needs.markdown ? write(markdownOf(tree)) : undefined,
    text: needs.text ? write(textOf(tree)) : undefined,
  }
}

/** What says nothing without a content. */
const EMPTY: ReadonlySet<string> = new Set(['listItem', 'list', 'blockquote', 'paragraph'])
const MARKS: ReadonlySet<string> = new Set(['strong', 'emphasis', 'delete', 'link'])

/** Moves spaces out of marks, which Markdown has no way to write there, and removes marks and headings around nothing. */
function tidy<Node extends Nodes>(nodes: readonly Node[], ancestors: ReadonlySet<string> = new Set()): Node[] {
  const tidied = nodes.flatMap((node) => {
    if (!('children' in node)) return [node]
    const children: Nodes[] = tidy<Nodes>(node.children, new Set([...ancestors, node.type]))
    node.children = children as never
    if (node.type === 'heading' && !/\S/.test(textOf(node)))
      return children.some(({ type }) => type === 'image') ? [node] : []
    if (children.length === 0 && EMPTY.has(node.type)) return []
    if (node.type === 'paragraph' && children.every((child) => child.type === 'text' && !/\S/.test(child.value)))
      return []
    if (!MARKS.has(node.type)) return [node]
    // A mark inside of the same mark says nothing.
    if (ancestors.has(node.type)) return children as Node[]
    const before = takeSpace(children, 0)
    const after = takeSpace(children, -1)
    return [...before, ...(children.length > 0 ? [node] : []), ...after] as Node[]
  })
  return withFreeMarks(tidied)
}

const LETTER = /[^\s\p{P}\p{S}]/u

/** Beside a letter, Markdown does not see the end of a mark that is punctuation. Such punctuation moves out of it. */
function withFreeMarks<Node extends Nodes>(nodes: readonly Node[]): Node[] {
  const textAt = (node: Nodes | undefined) => (node?.type === 'text' ? node.value : '')
  return nodes.flatMap((node, index) => {
    if (node.type !== 'strong' && node.type !== 'emphasis' && node.type !== 'delete') return [node]
    const isAfterLetter = LETTER.test(textAt(nodes[index - 1]).slice(-1))
    const isBeforeLetter = LETTER.test(textAt(nodes[index + 1]).slice(0, 1))
    const before = isAfterLetter ? takePunctuation(node.children, 0) : ''
    const after = isBeforeLetter ? takePunctuation(node.children, -1) : ''
    const [first, last] = [textAt(node.children[0]), textAt(node.children.at(-1))]
    const isMark = (!isAfterLetter || first !== '') && (!isBeforeLetter || last !== '')
    const texts = (value: string): Nodes[] => (value ? [{ type: 'text', value }] : [])
    return [...texts(before), ...(isMark ? [node] : node.children), ...texts(after)] as Node[]
  })
}

/** Removes what is not a letter at one end, and returns it. */
function takePunctuation(children: readonly Nodes[], at: 0 | -1): string {
  const text = children.at(at)
  if (text?.type !== 'text') return ''
  const chars = Array.from(text.value)
  let count = 0
  while (count < chars.length && !LETTER.test(chars.at(at === 0 ? count : -1 - count)!)) count++
  const cutAt = at === 0 ? count : chars.length - count
  const [start, end] = [chars.slice(0, cutAt).join(''), chars.slice(cutAt).join('')]
  text.value = at === 0 ? end : start
  return at === 0 ? start : end
}

/** Removes the space and the breaks at one end, and returns them. */
function takeSpace(children: Nodes[], at: 0 | -1): Nodes[] {
  const taken: Nodes[] = []
  for (;;) {
    const node = children.at(at)
    const isSpace = node?.type === 'break' || (node?.type === 'text' && !/\S/.test(node.value))
    if (!isSpace) break
    children.splice(at, 1)
    if (node.type === 'break') taken.push(node)
    else if (node.value) taken.push({ type: 'text', value: ' ' })
  }
  const text = children.at(at)
  if (text?.type === 'text') {
    const trimmed = at === 0 ? text.value.trimStart() : text.value.trimEnd()
    if (trimmed !== text.value) taken.push({ type: 'text', value: ' ' })
    text.value = trimmed
  }
  return at === 0 ? taken : taken.toReversed()
}

/** At the end of a paragraph, or else of a line. */
function cut(content: string): string {
  if (content.length <= MAX_CHARS) return content
  const start = content.slice(0, MAX_CHARS)
  const end = Math.max(start.lastIndexOf('\n\n'), start.lastIndexOf('\n', MAX_CHARS - 2_000))
  return start.slice(0, end > MAX_CHARS / 2 ? end : MAX_CHARS).trimEnd()
}

/** Around the content of most pages. */
const AROUND =
  'nav,aside,body>header,body>footer,form,button,fieldset,[role=navigation],[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=dialog],[role=menu],#comments,.comments,.comment-list'
/** The share of the prose of a page that its article has. Other pages are lists of several, or have none. */
const MIN_ARTICLE_SHARE = 0.25
const MIN_ARTICLE_CHARS = 600
const MAX_ELEMENTS = 50_000

const TOP_LEVEL = 'data-top-level'

/** The article of a page, or everything but what is around its content. */
function findMain(html: string): DomElement {
  const document = open(html)
  const chars = proseChars(document.body, new Set(document.body.querySelectorAll(AROUND)))
  const heading = findHeading(document)
  // Readability changes the document, and the level of its first headings.
  for (const each of document.querySelectorAll('h1')) each.setAttribute(TOP_LEVEL, '')
  const copy = heading?.cloneNode(true)
  const article = findArticle(document)
  const articleChars = article ? proseChars(article) : 0
  const isArticle =
    article && !isList(article, articleChars) && articleChars >= Math.max(MIN_ARTICLE_CHARS, MIN_ARTICLE_SHARE * chars)
  const main = (isArticle && (findLongerArticle(html, articleChars) ?? article)) || withoutAround(html)
  removeAnchors(main)
  addHeading(main, copy)
  return main
}

/** The heading of the page: the one below the name of its site, if that links to the site alone. */
function findHeading(document: DomDocument): DomElement | undefined {
  const [first, ...others] = document.querySelectorAll('h1')
  const isSiteName = /^https?:\/\/[^/]+\/?$/.test(first?.querySelector('a')?.getAttribute('href') ?? '')
  if (!first || others.length > 0 || !isSiteName || proseOf(first).trim() !== '') return first
  const [second, ...further] = [...document.querySelectorAll('h2')].filter((each) => each.querySelector('a') !== null)
  // Several are those of a list of articles.
  if (!second || further.length > 0) return first
  second.setAttribute(TOP_LEVEL, '')
  return second
}

/** For Readability, which returns the title and the author apart: it leaves them in the text of pages that have others. */
const HEAD = '<head><title>A page that is read for its content</title><meta name="author" content="Nobody"></head>'

function open(html: string): DomDocument {
  const document = parse(html.replace('<head></head>', HEAD))
  openForms(document.body)
  return document
}

/** What a form has that shows a content, such as a product that can be bought. */
const CONTENT = 'h1,article,[itemprop],[class*="price" i]'

/** Takes forms away, with their headings, but for those around the content of the page. */
function openForms(body: DomElement): void {
  const controls = new Set(body.querySelectorAll('button,fieldset,label'))
  const chars = proseChars(body, controls)
  for (const form of body.querySelectorAll('form')) {
    const formChars = proseChars(form, controls)
    const isContent = form.querySelector(CONTENT) !== null || formChars > chars / 2
    if (isContent) for (const label of form.querySelectorAll('label')) if (!label.closest('li')) label.remove()
    if (isContent) form.replaceWith(...form.childNodes)
    else if (formChars < chars) removeWithHeading(form)
  }
}

function removeWithHeading(form: DomElement): void {
  const parent = form.parentElement
  form.remove()
  if (!parent || parent.localName === 'body' || parent.querySelector('h1,img,a')) return
  const headings = [...parent.querySelectorAll('h2,h3,h4,h5,h6')]
  if (headings.length === 1 && wordsOf(parent) === wordsOf(headings[0]!)) parent.remove()
}

/** Whether most of an article is several others, such as posts. */
function isList(article: DomElement, chars: number): boolean {
  const items = [...article.querySelectorAll('article')].filter((each) => !each.querySelector('article'))
  return items.length >= 3 && items.reduce((sum, each) => sum + proseChars(each), 0) > chars / 2
}

/** The only article that the page declares, if the one that was found is a part of it. */
function findLongerArticle(html: string, chars: number): DomElement | undefined {
  const MIN_LONGER = 1.05
  const { body } = open(html)
  for (const element of body.querySelectorAll(AROUND)) element.remove()
  const [article, ...others] = body.querySelectorAll('article')
  return article && others.length === 0 && proseChars(article) > chars * MIN_LONGER ? article : undefined
}

/** Characters outside of links, and of some elements. */
function proseChars(root: DomElement, left?: ReadonlySet<DomElement>): number {
  return textsOf(root, left).reduce((sum, text) => sum + text.trim().length, 0)
}

const proseOf = (root: DomElement) => textsOf(root).join(' ')

function textsOf(root: DomNode, left: ReadonlySet<DomElement> = new Set()): string[] {
  if (root.nodeType === 3) return [root.textContent ?? '']
  if (root.nodeType !== 1 || left.has(root as DomElement) || (root as DomElement).localName === 'a') return []
  return [...root.childNodes].flatMap((child) => textsOf(child, left))
}

function findArticle(document: DomDocument): DomElement | undefined {
  const options = {
    serializer: (node: unknown) => node as DomElement,
    keepClasses: true,
    maxElemsToParse: MAX_ELEMENTS,
  }
  try {
    return new Readability(document, options).parse()?.content ?? undefined
  } catch {
    // It throws for documents with too many elements.
    return undefined
  }
}

function withoutAround(html: string): DomElement {
  const { body } = open(html)
  const charsOf = ({ textContent }: DomElement) => textContent?.length ?? 0
  const mains = [...body.querySelectorAll('main,[role=main]')]
  const [main] = mains
  const root = mains.length === 1 && charsOf(main!) >= charsOf(body) / 4 ? main! : body
  const around = [...root.querySelectorAll(AROUND)]
  // A page may be nothing but a form.
  if (proseChars(root, new Set(around)) > 0) for (const element of around) element.remove()
  removeMenus(root)
  return root
}

/** Removes the links in front of the heading, if they are nothing but links. */
function removeMenus(root: DomElement): void {
  const MAX_CHARS = 200
  const heading = root.querySelector('h1')
  if (!heading) return
  const before: DomElement[] = []
  // The elements beside the heading, and beside the elements around it.
  for (let at: DomElement | null = heading; at && at !== root; at = at.parentElement)
    for (const sibling of at.parentElement?.children ?? []) {
      if (sibling === at) break
      before.push(sibling)
    }
  if (before.reduce((sum, each) => sum + proseChars(each), 0) > MAX_CHARS) return
  for (const element of before) {
    const isLink = element.localName === 'a' || element.querySelector('a') !== null
    if (isLink && !/[\p{L}\p{N}]/u.test(proseOf(element)) && !element.querySelector('img')) element.remove()
  }
}

/** Links of headings to themselves, and of footnotes to where they are mentioned. */
function removeAnchors(main: DomElement): void {
  for (const link of main.querySelectorAll('a')) {
    const words = (link.textContent ?? '').trim()
    const heading = link.closest('h1,h2,h3,h4,h5,h6')
    const isBacklink = link.matches('[role=doc-backlink]') || /^[↩↑⤴⏎^]\ufe0e?\ufe0f?$/u.test(words)
    if (isBacklink && /#/.test(link.getAttribute('href') ?? '')) link.remove()
    if (!heading || link.querySelector('img')) continue
    if (/^[\s#¶§🔗]*$/u.test(words)) link.remove()
    else if (isOwnAnchor(link, heading)) link.replaceWith(...link.childNodes)
  }
}

function isOwnAnchor(link: DomElement, heading: DomElement): boolean {
  const [, id] = (link.getAttribute('href') ?? '').split('#')
  const ids = [link, heading, heading.parentElement, ...heading.querySelectorAll('[id]')].map((each) =>
    each?.getAttribute('id'),
  )
  return id !== undefined && ids.some((each) => each && (each === id || encodeURIComponent(each) === id))
}

const wordsOf = (element: DomElement) => (element.textContent ?? '').replace(/\s+/g, ' ').trim()

/** An article is found without the heading in front of it. */
function addHeading(main: DomElement, heading: DomElement | undefined): void {
  const words = heading ? wordsOf(heading) : ''
  const headings = [...main.querySelectorAll('h1,h2')].map(wordsOf)
  if (heading && words && !headings.includes(words)) main.prepend(heading)
}

const BLOCKS = /^(?:p|div|ul|ol|dl|dd|section|article|blockquote|figure|h[1-6]|header|footer|address)$/
/** What no cell of Markdown contains. */
const LAYOUT = 'table,h1,h2,h3,h4,h5,h6,pre,article,section'

/** The same tree in the form that converters read, up to the length of a result. */
function hastOf(main: DomElement): { root: HastRoot; isLong: boolean } {
  let chars = 0
  const convert = (node: DomNode, place: Place): ElementContent[] => {
    if (chars > MAX_CHARS) return []
    if (node.nodeType === 3) {
      const value = (node.textContent ?? '').replaceAll('\u00a0', ' ')
      chars += value.length
      return [text(place.figures ? Array.from(value, (each) => place.figures!.get(each) ?? each).join('') : value)]
    }
    if (node.nodeType !== 1) return []
    const element = node as DomElement
    const tagName = element.hasAttribute(TOP_LEVEL) ? 'h1' : element.localName
    if (tagName === 'table') return tableOf(element, place)
    const { inCell } = place
    const children = childrenOf(element, placeIn(element, tagName, place))
    // Markdown has no lists of terms.
    if (!inCell && (tagName === 'dl' || tagName === 'dd')) return [block(children)]
    const isTerm = tagName === 'dt' || (tagName === 'summary' && !element.querySelector('h1,h2,h3,h4,h5,h6'))
    if (!inCell && isTerm) return [block([{ type: 'element', tagName: 'strong', properties: {}, children }])]
    // A cell is one line, and so is a heading.
    if (place.isLine && tagName === 'br') return [text(' ')]
    if (inCell && tagName === 'li') return [...children, ...(element.nextElementSibling ? [text(', ')] : [])]
    if (inCell && BLOCKS.test(tagName)) return [text(' '), ...children, text(' ')]
    // The reading of a word, which is above it.
    if (tagName === 'rt') return [text('('), ...children, text(')')]
    if (MATHS[tagName]) return formulaOf(element, MATHS[tagName], place)
    if (tagName === 'a' && !element.hasAttribute('href')) return children
    return [{ type: 'element', tagName, properties: propertiesOf(element), children }]
  }
  const childrenOf = (element: DomElement, place: Place) =>
    [...element.childNodes].flatMap((child) => convert(child, place))
  const tableOf = (table: DomElement, place: Place): ElementContent[] => {
    const ownOf = (selector: string) =>
      [...table.querySelectorAll(selector)].filter((each) => each.closest('table') === table)
    const captions = ownOf('caption').map((caption) => block(childrenOf(caption, place)))
    if (isLayout(table)) return [...captions, ...ownOf('tr').flatMap(rowOf)]
    const children = [...table.childNodes].filter((child) => (child as DomElement).localName !== 'caption')
    const content = children.flatMap((child) => convert(child, place))
    return [...captions, { type: 'element', tagName: 'table', properties: {}, children: content }]
  }
  const rowOf = (row: DomElement): ElementContent[] => {
    const isCode = row.querySelector('pre') !== null
    return [...row.children]
      .filter((cell) => !isCode || !/^\d+(?:\s+\d+)*$/.test(wordsOf(cell)))
      .map((cell) => block(childrenOf(cell, {})))
  }
  const formulaOf = (element: DomElement, [sign, isBetween]: Formula, place: Place): ElementContent[] => {
    if (!isBetween) return [text(sign), text('('), ...childrenOf(element, place), text(')')]
    return [...element.children].flatMap((child, index) => {
      const isLong = Array.from(wordsOf(child)).length > 1
      const part = convert(child, place)
      return [...(index > 0 ? [text(sign)] : []), ...(isLong ? [text('('), ...part, text(')')] : part)]
    })
  }
  const root: HastRoot = { type: 'root', children: childrenOf(main, {}) }
  return { root, isLong: chars > MAX_CHARS }
}

/** What an element is in. */
interface Place {
  inCell?: boolean
  isLine?: boolean
  /** What is written instead of characters above or below the line. */
  figures?: ReadonlyMap<string, string>
}

function placeIn(element: DomElement, tagName: string, place: Place): Place {
  if (tagName === 'td' || tagName === 'th') return { ...place, inCell: true, isLine: true }
  if (/^h[1-6]$/.test(tagName)) return { ...place, isLine: true }
  const figures = tagName === 'sup' ? SUPERSCRIPTS : tagName === 'sub' ? SUBSCRIPTS : undefined
  const hasAll =
    figures && Array.from(element.textContent ?? '').every((each) => figures.has(each) || /[\s,]/.test(each))
  return hasAll ? { ...place, figures } : place
}

const mapOf = (from: string, to: string) => new Map(Array.from(from, (each, index) => [each, Array.from(to)[index]!]))
const SUPERSCRIPTS = mapOf('0123456789+-−=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ')
const SUBSCRIPTS = mapOf('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎')

/** A sign, and whether it stands between the parts of a formula. */
type Formula = readonly [sign: string, isBetween: boolean]

/** https://www.w3.org/TR/mathml-core/ */
const MATHS: Partial<Record<string, Formula>> = {
  mfrac: ['/', true],
  msup: ['^', true],
  msub: ['_', true],
  msqrt: ['√', false],
}

const text = (value: string): ElementContent => ({ type: 'text', value })
const block = (children: ElementContent[]): ElementContent => ({
  type: 'element',
  tagName: 'div',
  properties: {},
  children,
})

/** Whether a table only arranges a page. */
function isLayout(table: DomElement): boolean {
  const columns = Math.max(
    0,
    ...[...table.querySelectorAll('tr')].slice(0, 20).map(({ children }) => [...children].length),
  )
  return columns < 2 || table.matches('[role=presentation],[role=none]') || table.querySelector(LAYOUT) !== null
}

function propertiesOf(element: DomElement): HastElement['properties'] {
  const text = (name: string) => element.getAttribute(name) ?? undefined
  const number = (name: string) => (element.hasAttribute(name) ? Number.parseInt(text(name) ?? '', 10) : undefined)
  return {
    className: (text('class') ?? '').split(/\s+/),
    href: text('href'),
    src: text('src'),
    type: text('type'),
    checked: element.hasAttribute('checked'),
    start: number('start'),
    colSpan: number('colspan'),
    rowSpan: number('rowspan'),
  }
}

function markdownOf(tree: Root): string {
  return toMarkdown(tree, {
    bullet: '-',
    rule: '-',
    // Underscores do not end between letters, as in Japanese.
    emphasis: '*',
    listItemIndent: 'one',
    resourceLink: true,
    handlers: {
      link: (node: Link, _parent, state, info) =>
        `[${state.containerPhrasing(node, { ...info, before: '[', after: ']' })}](${destinationOf(node.url)})`,
      image: (node: Image) => `![](${destinationOf(node.url)})`,
    },
    extensions: [
      gfmTableToMarkdown({ tablePipeAlign: false }),
      gfmStrikethroughToMarkdown(),
      gfmTaskListItemToMarkdown(),
    ],
  })
}

/** A URL that needs no escapes in Markdown, which would make it hard to read. */
const destinationOf = (url: string): string =>
  url.replace(/[()\\<>\s]/g, (character) => `%${character.codePointAt(0)!.toString(16).padStart(2, '0')}`)

/** The words of a tree, with empty lines between its blocks. */
function textOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
      return node.value
    case 'break':
      return '\n'
    case 'root':
    case 'blockquote':
      return node.children.map(textOf).filter(Boolean).join('\n\n')
    case 'list':
      return node.children
        .map((item, index) => `${node.ordered ? `${(node.start ?? 1) + index}.` : '-'} ${indented(textOf(item))}`)
        .join('\n')
    case 'listItem':
    case 'table':
      return node.children.map(textOf).filter(Boolean).join('\n')
    case 'tableRow':
      return node.children.map((cell) => textOf(cell).replace(/\s+/g, ' ')).join('\t')
    default:
      return 'children' in node ? node.children.map(textOf).join('') : ''
  }
}

const indented = (text: string) => text.replaceAll('\n', '\n  ')
