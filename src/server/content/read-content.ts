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
  matches(selector: string): boolean
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): Iterable<DomElement>
  cloneNode(isDeep: boolean): DomElement
  prepend(child: DomElement): void
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

const MARKS: ReadonlySet<string> = new Set(['strong', 'emphasis', 'delete', 'link'])

/** Moves spaces out of marks, which Markdown has no way to write there, and removes marks and headings around nothing. */
function tidy<Node extends Nodes>(nodes: readonly Node[], ancestors: ReadonlySet<string> = new Set()): Node[] {
  return nodes.flatMap((node) => {
    if (!('children' in node)) return [node]
    const children: Nodes[] = tidy<Nodes>(node.children, new Set([...ancestors, node.type]))
    node.children = children as never
    if (node.type === 'heading' && !/\S/.test(textOf(node)))
      return children.some(({ type }) => type === 'image') ? [node] : []
    if (node.type === 'listItem' && children.length === 0) return []
    if (!MARKS.has(node.type)) return [node]
    // A mark inside of the same mark says nothing.
    if (ancestors.has(node.type)) return children as Node[]
    const before = takeSpace(children, 0)
    const after = takeSpace(children, -1)
    const isEmpty = children.every((child) => child.type === 'text' && child.value === '')
    return [...before, ...(isEmpty ? [] : [node]), ...after] as Node[]
  })
}

/** Removes the space at one end, and returns it as a text. */
function takeSpace(children: readonly Nodes[], at: 0 | -1): Nodes[] {
  const text = children.at(at)
  if (text?.type !== 'text') return []
  const trimmed = at === 0 ? text.value.trimStart() : text.value.trimEnd()
  if (trimmed === text.value) return []
  text.value = trimmed
  return [{ type: 'text', value: ' ' }]
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
  const document = parse(html)
  const heading = document.querySelector('h1')?.cloneNode(true)
  const chars = proseChars(document.body, new Set(document.body.querySelectorAll(AROUND)))
  // Readability changes the document, and the level of its first headings.
  for (const each of document.querySelectorAll('h1')) each.setAttribute(TOP_LEVEL, '')
  const article = findArticle(document)
  const isArticle = article && proseChars(article, new Set()) >= Math.max(MIN_ARTICLE_CHARS, MIN_ARTICLE_SHARE * chars)
  const main = isArticle ? article : withoutAround(html)
  removeAnchors(main)
  addHeading(main, heading)
  return main
}

/** Characters outside of links, and of some elements. */
function proseChars(root: DomElement, left: ReadonlySet<DomElement>): number {
  let chars = 0
  const visit = (node: DomNode) => {
    if (node.nodeType === 3) chars += (node.textContent ?? '').trim().length
    if (node.nodeType !== 1 || left.has(node as DomElement) || (node as DomElement).localName === 'a') return
    for (const child of node.childNodes) visit(child)
  }
  visit(root)
  return chars
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
  const { body } = parse(html)
  const charsOf = ({ textContent }: DomElement) => textContent?.length ?? 0
  const mains = [...body.querySelectorAll('main,[role=main]')]
  const [main] = mains
  const root = mains.length === 1 && charsOf(main!) >= charsOf(body) / 4 ? main! : body
  const around = [...root.querySelectorAll(AROUND)]
  // A page may be nothing but a form.
  if (proseChars(root, new Set(around)) > 0) for (const element of around) element.remove()
  return root
}

/** Links of headings to themselves. */
function removeAnchors(main: DomElement): void {
  for (const link of main.querySelectorAll('h1 a,h2 a,h3 a,h4 a,h5 a,h6 a'))
    if (/^[\s#¶HastElement🔗]*$/u.test(link.textContent ?? '') && !link.querySelector('img')) link.remove()
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
  const convert = (node: DomNode, inCell: boolean): ElementContent[] => {
    if (chars > MAX_CHARS) return []
    if (node.nodeType === 3) {
      const value = (node.textContent ?? '').replaceAll('\u00a0', ' ')
      chars += value.length
      return [{ type: 'text', value }]
    }
    if (node.nodeType !== 1) return []
    const element = node as DomElement
    const tagName = element.hasAttribute(TOP_LEVEL) ? 'h1' : element.localName
    if (tagName === 'table' && isLayout(element)) return [...element.querySelectorAll('tr')].flatMap(rowOf)
    const children = childrenOf(element, inCell || tagName === 'td' || tagName === 'th')
    // Markdown has no lists of terms.
    if (!inCell && (tagName === 'dl' || tagName === 'dd')) return [block(children)]
    if (!inCell && tagName === 'dt') return [block([{ type: 'element', tagName: 'strong', properties: {}, children }])]
    // A cell is one line.
    if (inCell && tagName === 'br') return [space]
    if (inCell && tagName === 'li') return [...children, ...(element.nextElementSibling ? [comma] : [])]
    if (inCell && BLOCKS.test(tagName)) return [space, ...children, space]
    return [{ type: 'element', tagName, properties: propertiesOf(element), children }]
  }
  const childrenOf = (element: DomElement, inCell: boolean) =>
    [...element.childNodes].flatMap((child) => convert(child, inCell))
  const rowOf = (row: DomElement): ElementContent[] => [...row.children].map((cell) => block(childrenOf(cell, false)))
  const root: HastRoot = { type: 'root', children: childrenOf(main, false) }
  return { root, isLong: chars > MAX_CHARS }
}

const space: ElementContent = { type: 'text', value: ' ' }
const comma: ElementContent = { type: 'text', value: ', ' }
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
    emphasis: '_',
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
