import type { OpenedRoots } from './closed-hosts.js'
import type { PageScript } from './page-script.js'

/**
 * A part of a page that a visitor can tell apart: a text, an image or the like, or something small that paints. CSS pixels from the top
 * left corner of the document; what scrolls out of sight within the page is not part of it.
 */
export interface PageBlock {
  /** CSS selector, of at most 120 ASCII characters, different for each block of a page, and the same in each visit. */
  element: string
  /** Its visible text with folded whitespace, at most 200 characters; empty if it has none. */
  text: string
  /** Hash of all of its text, only if `text` is the beginning of it. */
  textHash?: string | undefined
  x: number
  y: number
  width: number
  height: number
  /** CSS selector of the largest element around it that is one little thing, such as a clock whose digits are blocks. */
  group?: string | undefined
  /** Only for a frame that shows a document of another origin, or contains one that does. */
  isForeign?: true | undefined
}

export interface BlockOptions {
  /** What is captured, from the top left corner of the document. */
  area: { x: number; y: number; width: number; height: number }
  /** The top left corner of the viewport in the document. */
  origin: { x: number; y: number }
  maxNodes: number
  maxBlocks: number
  maxDepth: number
  maxTextChars: number
  timeoutMs: number
}

/** CSS pixels in the viewport. */
interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** What an element inherits from those around it. */
interface Inherited {
  /** The element whose text its own text belongs to. */
  open: OpenBlock
  /** What cuts off its content, and that which is positioned absolutely, or fixed. */
  flow: Area
  absolute: Area
  fixed: Area
  depth: number
}

/** A block whose descendants are being visited. */
interface OpenBlock {
  element: Element
  texts: Text[]
  text: string
  /** Whether another block is in it. */
  hasInner: boolean
  /** Inline elements without text that paint, such as icons. */
  icons: Element[]
  clip: Area
}

interface FoundBlock extends Area {
  element: Element
  kind: 'text' | 'replaced' | 'painted'
  text: string
  isForeign: boolean
  group: Element | undefined
}

interface Siblings {
  tags: Map<string, number>
  classes: Map<string, number>
  /** From 1, among siblings with the same tag, and among all. */
  places: Map<Element, { ofType: number; ofAll: number }>
}

interface Listing extends BlockOptions {
  dom: ReturnType<typeof readers>
  /** In the viewport. */
  captured: Area
  endsAt: number
  nodes: number
  isLate: boolean
  found: FoundBlock[]
  /** How much of the page's text may still be read. */
  charsLeft: number
  /** Visible characters, and headings, links, buttons and images so far. */
  chars: number
  specials: number
  siblings: Map<Node, Siblings>
  ids: Map<Node, Map<string, boolean>>
  classes: Map<Node, Map<string, number>>
  stable: Map<string, boolean>
}

/**
 * Lists the blocks of a page in an area of it, in the order of the document; `null` if that takes too long. Reads shadow roots as far as
 * they are open, or opened by the service. What is in a frame is not read.
 */
export const listBlocks: PageScript<[options: BlockOptions], PageBlock[] | null> = {
  run: list,
  helpers: [
    readers,
    visit,
    visitChildren,
    isPartOfText,
    finish,
    add,
    addGroup,
    isReplaced,
    valueOf,
    isSpecial,
    paints,
    paintsGenerated,
    textArea,
    intersect,
    isEmpty,
    childrenOf,
    shadowOf,
    isForeignFrame,
    isBehind,
    describe,
    fold,
    hashOf,
    partsOf,
    anchorOf,
    segmentOf,
    siblingsOf,
    isOnlyId,
    countOfClass,
    stableClasses,
    isStable,
    join,
  ],
}

function list(options: BlockOptions): PageBlock[] | null {
  const dom = readers()
  const { area, origin } = options
  const [left, top] = [area.x - origin.x, area.y - origin.y]
  const listing: Listing = {
    ...options,
    dom,
    captured: { left, top, right: left + area.width, bottom: top + area.height },
    endsAt: performance.now() + options.timeoutMs,
    nodes: 0,
    isLate: false,
    found: [],
    charsLeft: 1_000_000,
    chars: 0,
    specials: 0,
    siblings: new Map(),
    ids: new Map(),
    classes: new Map(),
    stable: new Map(),
  }
  const root = dom.rootElement(document)
  if (!root) return []
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
  const open = { element: root, texts: [], text: '', hasInner: false, icons: [], clip: all }
  visit(root, { open, flow: all, absolute: all, fixed: all, depth: 0 }, listing)
  if (listing.isLate) return null
  const blocks = listing.found.filter((block) => !isBehind(block, listing))
  return describe(blocks, listing)
}

/** Reads nodes as they are, because a field of a form hides the property of the form that has its name, and an image one of the document. */
function readers() {
  const read = <Result>(prototype: object, name: string) => {
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, name)!
    return (node: Node, ...args: unknown[]): Result => Reflect.apply(get ?? value, node, args)
  }
  const { prototype: element } = Element
  return {
    typeOf: read<number>(Node.prototype, 'nodeType'),
    firstChild: read<Node | null>(Node.prototype, 'firstChild'),
    nextSibling: read<Node | null>(Node.prototype, 'nextSibling'),
    parentOf: read<Node | null>(Node.prototype, 'parentNode'),
    rootOf: read<Node>(Node.prototype, 'getRootNode'),
    nameOf: read<string>(element, 'localName'),
    attribute: read<string | null>(element, 'getAttribute'),
    rectOf: read<DOMRect>(element, 'getBoundingClientRect'),
    shadowRoot: read<ShadowRoot | null>(element, 'shadowRoot'),
    firstElement: read<Element | null>(element, 'firstElementChild'),
    isRendered: read<boolean>(element, 'checkVisibility'),
    rootElement: read<Element | null>(Document.prototype, 'documentElement'),
    findInDocument: read<NodeListOf<Element>>(Document.prototype, 'querySelectorAll'),
    findInShadow: read<NodeListOf<Element>>(DocumentFragment.prototype, 'querySelectorAll'),
    documentIn: read<Document | null>(HTMLIFrameElement.prototype, 'contentDocument'),
  }
}

function visit(element: Element, inherited: Inherited, listing: Listing): void {
  const { dom, found } = listing
  const style = getComputedStyle(element)
  const { display, position } = style
  if (display === 'none' || Number(style.opacity) < 0.02) return
  const name = dom.nameOf(element)
  const [firstFound, firstChars, firstSpecials] = [found.length, listing.chars, listing.specials]
  if (isSpecial(element, name, listing)) listing.specials++
  const clip = position === 'absolute' ? inherited.absolute : position === 'fixed' ? inherited.fixed : inherited.flow
  if (isReplaced(element, name, listing)) {
    const text = valueOf(element, name)
    listing.chars += text.length
    if (style.visibility === 'visible') add({ element, kind: 'replaced', text, clip }, listing)
  } else if (inherited.depth < listing.maxDepth) {
    const isPart = display === 'contents' || isPartOfText(element, { name, style, inherited }, listing)
    const open = isPart ? inherited.open : { element, texts: [], text: '', hasInner: false, icons: [], clip }
    const isIcon = isPart && display !== 'contents' && !dom.firstChild(element) && !shadowOf(element, listing)
    if (isIcon && style.visibility === 'visible') open.icons.push(element)
    if (name === 'br') open.text += ' '
    visitChildren(element, { style, clip, name, inherited: { ...inherited, open } }, listing)
    if (!isPart) finish(open, { style, firstFound }, listing)
    else if (found.length > firstFound) open.hasInner = true
  }
  if (found.length > firstFound) {
    inherited.open.hasInner = true
    const isSmallText = listing.chars - firstChars <= 24 && listing.specials === firstSpecials
    if (isSmallText && found.length - firstFound > 1) addGroup(element, name, firstFound, listing)
  }
}

function visitChildren(
  element: Element,
  { style, clip, name, inherited }: { style: CSSStyleDeclaration; clip: Area; name: string; inherited: Inherited },
  listing: Listing,
): void {
  const { dom } = listing
  const { overflowX, overflowY, position, transform, visibility } = style
  const root = dom.rootElement(document)!
  // The overflow of the root, or else of the body, is that of the viewport.
  const isOfViewport =
    element === root ||
    (name === 'body' && dom.parentOf(element) === root && getComputedStyle(root).overflow === 'visible')
  let flow = clip
  if ((overflowX !== 'visible' || overflowY !== 'visible') && !isOfViewport && style.display !== 'contents') {
    const { left, top, right, bottom } = dom.rectOf(element)
    const cut = { ...clip }
    if (overflowX !== 'visible') Object.assign(cut, { left, right })
    if (overflowY !== 'visible') Object.assign(cut, { top, bottom })
    flow = intersect(clip, cut)
  }
  const isTransformed = transform !== 'none'
  const inner: Inherited = {
    open: inherited.open,
    flow,
    absolute: position !== 'static' || isTransformed ? flow : inherited.absolute,
    fixed: isTransformed ? flow : inherited.fixed,
    depth: inherited.depth + 1,
  }
  const { open } = inner
  for (let child = childrenOf(element, name, listing); child.node; child.next()) {
    if (++listing.nodes > listing.maxNodes || listing.found.length >= listing.maxBlocks || listing.isLate) return
    if (listing.nodes % 64 === 0 && performance.now() > listing.endsAt) listing.isLate = true
    const { node } = child
    const type = dom.typeOf(node)
    if (type === 1) visit(node as Element, inner, listing)
    if (type !== 3 || visibility !== 'visible') continue
    const data = (node as Text).data.slice(0, Math.min(listing.charsLeft, 20_000))
    open.text += data
    listing.charsLeft -= data.length
    if (!/\S/.test(data)) continue
    listing.chars += data.trim().length
    if (open.texts.length < 50) open.texts.push(node as Text)
  }
}

/** Whether an element is in the lines of the text around it. */
function isPartOfText(
  element: Element,
  {
    name,
    style: { display, cssFloat, position },
    inherited,
  }: { name: string; style: CSSStyleDeclaration; inherited: Inherited },
  { dom }: Listing,
): boolean {
  if (cssFloat !== 'none' || position === 'absolute' || position === 'fixed') return false
  if (!display.startsWith('inline-')) return /^(?:inline|ruby)/.test(display)
  if (name === 'button' || element === inherited.open.element) return false
  const parent = dom.parentOf(element)
  for (
    let node = parent && dom.firstChild(parent), count = 0;
    node && count < 50;
    node = dom.nextSibling(node), count++
  )
    if (dom.typeOf(node) === 3 && /\S/.test((node as Text).data.slice(0, 1_000))) return true
  // A word or a letter that moves by itself.
  const only = dom.firstElement(element) ? null : dom.firstChild(element)
  return only === null
    ? !dom.firstElement(element)
    : dom.typeOf(only) === 3 && (only as Text).data.length <= 24 && !paints(element, getComputedStyle(element))
}

/** Adds a block whose descendants have been visited, if it shows anything apart from the blocks in it. */
function finish(
  { element, texts, text, hasInner, icons, clip }: OpenBlock,
  { style, firstFound }: { style: CSSStyleDeclaration; firstFound: number },
  listing: Listing,
): void {
  if (texts.length > 0) {
    add({ element, kind: 'text', text, clip, texts: hasInner ? texts : [] }, listing)
    return
  }
  for (const icon of icons.slice(0, 50))
    if (paints(icon, getComputedStyle(icon))) add({ element: icon, kind: 'painted', text: '', clip }, listing)
  const isLeaf = listing.found.length === firstFound && style.visibility === 'visible'
  if (isLeaf && paints(element, style)) add({ element, kind: 'painted', text: '', clip }, listing)
}

/** Adds a block, if any of it is in sight and in what is captured. @param texts  Where it is; default: where its element is. */
function add(
  {
    element,
    kind,
    text,
    clip,
    texts = [],
  }: Pick<FoundBlock, 'element' | 'kind' | 'text'> & { clip: Area; texts?: Text[] },
  listing: Listing,
): void {
  const { dom, found, maxBlocks, captured } = listing
  if (found.length >= maxBlocks) return
  const visible = intersect(texts.length ? textArea(texts) : dom.rectOf(element), clip)
  // Smaller images count visits.
  const minimum = kind === 'replaced' ? 3 : 1
  if (isEmpty(visible, minimum) || isEmpty(intersect(visible, captured), 1)) return
  if (!dom.isRendered(element) || /^(?:inset\((?:50|100)%|circle\(0)/.test(getComputedStyle(element).clipPath)) return
  const isFrame = kind === 'replaced' && /^i?frame$/.test(dom.nameOf(element))
  const isForeign = isFrame && isForeignFrame(element as HTMLIFrameElement, 0, listing)
  found.push({ ...visible, element, kind, text, isForeign, group: undefined })
}

/** The largest group is the last to be added. */
function addGroup(element: Element, name: string, first: number, { dom, found }: Listing): void {
  const MAX_SHARE = 0.25
  if (/^(?:html|body|main|article|section|form|table|tbody)$/.test(name)) return
  const { width, height } = dom.rectOf(element)
  if (width * height > innerWidth * innerHeight * MAX_SHARE) return
  for (const block of found.slice(first)) if (block.element !== element) block.group = element
}

/** Whether an element shows something that is no part of the document, or cannot be read. */
function isReplaced(element: Element, name: string, listing: Listing): boolean {
  const REPLACED =
    /^(?:img|svg|canvas|video|audio|iframe|frame|embed|object|input|textarea|select|meter|progress|math|fencedframe)$/
  if (REPLACED.test(name)) return true
  // A component whose shadow root is closed.
  return (
    name.includes('-') &&
    !listing.dom.firstChild(element) &&
    !shadowOf(element, listing) &&
    Element.prototype.matches.call(element, ':defined')
  )
}

function valueOf(element: Element, name: string): string {
  if (name === 'textarea') {
    const { value, placeholder } = element as HTMLTextAreaElement
    return value || placeholder
  }
  if (name === 'select') return (element as HTMLSelectElement).selectedOptions[0]?.text ?? ''
  if (name !== 'input') return ''
  const { type, value, placeholder } = element as HTMLInputElement
  return /^(?:password|checkbox|radio|range|color|file|image|hidden)$/.test(type) ? '' : value || placeholder
}

/** Whether an element is more than a little thing: a heading, a link, a button, or an image that is no icon. */
function isSpecial(element: Element, name: string, { dom }: Listing): boolean {
  const ICON_PX = 48
  if (/^(?:h[1-6]|a|button|img|picture|video|canvas|iframe|input|textarea|select)$/.test(name)) return true
  if (name !== 'svg') return dom.attribute(element, 'role') === 'button'
  const { width, height } = dom.rectOf(element)
  return width > ICON_PX && height > ICON_PX
}

function paints(element: Element, style: CSSStyleDeclaration): boolean {
  const isTransparent = (colour: string) => colour === 'transparent' || /[,/] 0\)$/.test(colour)
  if (style.backgroundImage !== 'none' || !isTransparent(style.backgroundColor) || style.boxShadow !== 'none')
    return true
  const sides = ['top', 'right', 'bottom', 'left']
  const hasBorder = (side: string) =>
    parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0 &&
    !isTransparent(style.getPropertyValue(`border-${side}-color`))
  return sides.some(hasBorder) || paintsGenerated(element, '::before') || paintsGenerated(element, '::after')
}

/** Such as the glyph of an icon. */
function paintsGenerated(element: Element, pseudo: '::before' | '::after'): boolean {
  const { content, display, backgroundImage, backgroundColor, visibility } = getComputedStyle(element, pseudo)
  if (content === 'none' || content === 'normal' || display === 'none' || visibility !== 'visible') return false
  return content !== '""' || backgroundImage !== 'none' || !/^transparent$|[,/] 0\)$/.test(backgroundColor)
}

/** Around the lines of some texts. */
function textArea(texts: readonly Text[]): Area {
  const range = new Range()
  const areas = texts.map((text) => {
    range.selectNodeContents(text)
    return range.getBoundingClientRect()
  })
  const shown = areas.filter(({ width, height }) => width > 0 && height > 0)
  return {
    left: Math.min(...shown.map(({ left }) => left)),
    top: Math.min(...shown.map(({ top }) => top)),
    right: Math.max(...shown.map(({ right }) => right)),
    bottom: Math.max(...shown.map(({ bottom }) => bottom)),
  }
}

function intersect(one: Area, other: Area): Area {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
}

function isEmpty({ left, top, right, bottom }: Area, minimum: number): boolean {
  return !(right - left >= minimum && bottom - top >= minimum)
}

/** The children of an element in the tree that is rendered, one at a time, because there may be a million. */
function childrenOf(element: Element, name: string, listing: Listing) {
  const { dom } = listing
  const assigned = name === 'slot' ? (element as HTMLSlotElement).assignedNodes() : []
  let index = 0
  return {
    node: assigned[0] ?? dom.firstChild(shadowOf(element, listing) ?? element),
    next() {
      if (this.node) this.node = assigned.length ? (assigned[++index] ?? null) : dom.nextSibling(this.node)
    },
  }
}

function shadowOf(element: Element, { dom }: Listing): ShadowRoot | null {
  const { openedRoots } = (globalThis as { pagePreview?: OpenedRoots }).pagePreview ?? {}
  return dom.shadowRoot(element) ?? openedRoots?.get(element) ?? null
}

function isForeignFrame(frame: HTMLIFrameElement, depth: number, listing: Listing): boolean {
  const { dom } = listing
  const MAX_DEPTH = 3
  const MAX_FRAMES = 20
  const source = dom.attribute(frame, 'src') ?? ''
  // The document of a frame that has not loaded yet is an empty one of this origin.
  if (/^\s*(?:https?:)?\/\//i.test(source.slice(0, 100)) && source.length < 4_000)
    try {
      if (new URL(source, location.href).origin !== location.origin) return true
    } catch {
      return false
    }
  if (dom.nameOf(frame) !== 'iframe') return frame.contentDocument === null
  const inner = dom.documentIn(frame)
  if (!inner) return true
  if (depth === MAX_DEPTH) return false
  const frames = [...dom.findInDocument(inner, 'iframe')].slice(0, MAX_FRAMES) as HTMLIFrameElement[]
  return frames.some((each) => isForeignFrame(each, depth + 1, listing))
}

/** Whether a block without content of its own is behind or in front of another one, and so shows that as well. */
function isBehind(block: FoundBlock, { found }: Listing): boolean {
  if (block.kind !== 'painted') return false
  const areaOf = ({ left, top, right, bottom }: Area) => (right - left) * (bottom - top)
  return found.some((other) => {
    if (other === block) return false
    const common = intersect(block, other)
    return !isEmpty(common, 1) && areaOf(common) >= areaOf(other) / 2 && areaOf(other) <= areaOf(block)
  })
}

function describe(blocks: readonly FoundBlock[], listing: Listing): PageBlock[] {
  const { origin, maxTextChars } = listing
  const selectors = new Map<Element, string>()
  const counts = new Map<string, number>()
  const selectorOf = (element: Element) => {
    const selector = selectors.get(element) ?? join(partsOf(element, listing))
    selectors.set(element, selector)
    return selector
  }
  return blocks.map(({ element, left, top, right, bottom, text, isForeign, group }) => {
    const selector = selectorOf(element)
    const count = (counts.get(selector) ?? 0) + 1
    counts.set(selector, count)
    const words = fold(text)
    const start = words.slice(0, maxTextChars).replace(/[\ud800-\udbff]$/, '')
    return {
      // Where the page repeats itself too deeply, a comment tells them apart.
      element: count === 1 ? selector : `${selector}/*${count}*/`,
      text: start.replace(/\p{Surrogate}/gu, '\ufffd'),
      ...(words.length > maxTextChars && { textHash: hashOf(words) }),
      x: left + origin.x,
      y: top + origin.y,
      width: right - left,
      height: bottom - top,
      ...(group && { group: selectorOf(group) }),
      ...(isForeign && { isForeign }),
    }
  })
}

function fold(text: string): string {
  return text
    .slice(0, 100_000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** 53 bits: https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}

/** A selector as its parts, each with what joins it to the one before. */
function partsOf(element: Element, listing: Listing): { text: string; isChild: boolean }[] {
  const { dom } = listing
  const parts: { text: string; isChild: boolean }[] = []
  let isChild = false
  for (let at: Node | null = element; at;) {
    const each = at as Element
    const name = dom.nameOf(each)
    const anchor = /^(?:html|body)$/.test(name) ? name : anchorOf(each, name, listing)
    const parent: Node | null = dom.parentOf(each)
    const { text, isOnly } = anchor ? { text: anchor, isOnly: false } : segmentOf(each, name, listing)
    if (isOnly && at !== element) isChild = false
    else {
      if (parts[0]) parts[0].isChild = isChild
      parts.unshift({ text, isChild: false })
      isChild = true
    }
    if (parent && dom.typeOf(parent) === 11) {
      // No selector reaches into a shadow root; the host tells its content apart.
      if (parts[0]) parts[0].isChild = false
      const { host } = parent as ShadowRoot
      return host && !anchor?.startsWith('#') ? [...partsOf(host, listing), ...parts] : parts
    }
    if (anchor) break
    at = parent && dom.typeOf(parent) === 1 ? parent : null
  }
  return parts
}

/** A selector that only this element has: its id, or one of its classes. */
function anchorOf(element: Element, name: string, listing: Listing): string | undefined {
  const { dom } = listing
  const id = dom.attribute(element, 'id')
  if (id && isStable(id, listing) && isOnlyId(element, id, listing)) return `#${id}`
  if (!/^[a-z][\w-]{0,29}$/i.test(name)) return undefined
  const only = stableClasses(element, listing).find((each) => countOfClass(element, each, listing) === 1)
  return only && `${name}.${only}`
}

function segmentOf(element: Element, name: string, listing: Listing): { text: string; isOnly: boolean } {
  const parent = listing.dom.parentOf(element)
  if (!parent) return { text: name.slice(0, 30), isOnly: true }
  const { tags, classes, places } = siblingsOf(parent, listing)
  const { ofType, ofAll } = places.get(element) ?? { ofType: 1, ofAll: 1 }
  const isOnly = places.size === 1
  if (!/^[a-z][\w-]{0,29}$/i.test(name)) return { text: `:nth-child(${ofAll})`, isOnly }
  if (tags.get(name) === 1) return { text: name, isOnly }
  const own = stableClasses(element, listing).find((each) => classes.get(each) === 1)
  return { text: own ? `${name}.${own}` : `${name}:nth-of-type(${ofType})`, isOnly }
}

function siblingsOf(parent: Node, listing: Listing): Siblings {
  const { dom, maxNodes } = listing
  const known = listing.siblings.get(parent)
  if (known) return known
  const siblings: Siblings = { tags: new Map(), classes: new Map(), places: new Map() }
  const { tags, classes, places } = siblings
  let nodes = 0
  for (let node = dom.firstChild(parent); node && ++nodes <= maxNodes; node = dom.nextSibling(node)) {
    if (dom.typeOf(node) !== 1) continue
    const element = node as Element
    const name = dom.nameOf(element)
    const ofType = (tags.get(name) ?? 0) + 1
    tags.set(name, ofType)
    places.set(element, { ofType, ofAll: places.size + 1 })
    for (const each of stableClasses(element, listing)) classes.set(each, (classes.get(each) ?? 0) + 1)
  }
  listing.siblings.set(parent, siblings)
  return siblings
}

function isOnlyId(element: Element, id: string, { dom, ids }: Listing): boolean {
  const root = dom.rootOf(element)
  const known = ids.get(root) ?? new Map<string, boolean>()
  ids.set(root, known)
  const find = dom.typeOf(root) === 9 ? dom.findInDocument : dom.findInShadow
  const isOnly = known.get(id) ?? find(root, `#${id}`).length === 1
  known.set(id, isOnly)
  return isOnly
}

/** How many elements of a document, or of a shadow root, have a class. */
function countOfClass(element: Element, name: string, listing: Listing): number {
  const { dom, maxNodes } = listing
  const root = dom.rootOf(element)
  const known = listing.classes.get(root)
  if (known) return known.get(name) ?? 0
  const counts = new Map<string, number>()
  listing.classes.set(root, counts)
  const find = dom.typeOf(root) === 9 ? dom.findInDocument : dom.findInShadow
  let elements = 0
  for (const each of find(root, '[class]')) {
    if (++elements > maxNodes) break
    for (const own of stableClasses(each, listing)) counts.set(own, (counts.get(own) ?? 0) + 1)
  }
  return counts.get(name) ?? 0
}

/** The classes of an element that say what it is, and not in which state it is. */
function stableClasses(element: Element, listing: Listing): string[] {
  const STATES =
    /(?:^|[-_])(?:active|open|opened|closed|collapsed|expanded|selected|current|visible|hidden|show|shown|in|hover|focus|loaded|loading|lazy\w*|animated?|inview|fade\w*|even|odd|first|last|prev|next|ready|dark|light)(?:$|[-_])/i
  const value = listing.dom.attribute(element, 'class')
  if (!value) return []
  return value
    .slice(0, 400)
    .split(/\s+/)
    .slice(0, 12)
    .filter((name) => name.length > 1 && !STATES.test(name) && isStable(name, listing))
}

/** Whether a name is written by people, and not generated for each build or visit. */
function isStable(name: string, { stable }: Listing): boolean {
  const known = stable.get(name)
  if (known !== undefined) return known
  const isGeneratedPart = (part: string) =>
    // Numbers, hashes and letters in random case.
    /\d{5}/.test(part) ||
    (part.length >= 5 && /[a-z]\d+[a-z]/i.test(part)) ||
    (part.length >= 5 && /^\d+[a-z]/i.test(part)) ||
    (part.length >= 5 && (part.match(/\d+/g)?.length ?? 0) >= 2) ||
    (part.length >= 5 && /[a-z][A-Z](?![a-z]{2})/.test(part)) ||
    (part.length >= 5 && !/[aeiouy\d]/i.test(part))
  const isHand =
    name.length <= 40 &&
    /^-?[a-z_][\w-]*$/i.test(name) &&
    // What frameworks and libraries generate.
    !/^(?:css|sc|jss|jsx|svelte|emotion|astro|_ng\w+|ext-gen|yui|ui-id|ember|radix|headlessui|mantine|react-aria|tippy|_?r)[-_]?\w*\d/i.test(
      name,
    ) &&
    !/^(?:css|sc|jsx|svelte|astro)-/.test(name) &&
    !/^_?r[_-]?\w{1,3}_?$/i.test(name) &&
    !/[a-z\d]_[a-z\d-]+__[\w-]{5}$/i.test(name) &&
    !name.split(/[-_]+/).some(isGeneratedPart)
  if (stable.size < 20_000) stable.set(name, isHand)
  return isHand
}

/** The parts in the middle are left out of what is too long. */
function join(parts: { text: string; isChild: boolean }[]): string {
  const MAX_CHARS = 112
  const kept = [...parts]
  const write = () =>
    kept.map(({ text, isChild }, index) => (index === 0 ? text : isChild ? ` > ${text}` : ` ${text}`)).join('')
  while (kept.length > 1 && write().length > MAX_CHARS) {
    kept.splice(kept.length > 2 ? 1 : 0, 1)
    if (kept.length > 1) kept[1] = { ...kept[1]!, isChild: false }
  }
  return write()
}
