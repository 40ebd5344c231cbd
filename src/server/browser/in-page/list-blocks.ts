import type { OpenedRoots } from './closed-hosts.js'
import type { Area, PageScript } from './page-script.js'

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

interface BlockOptions {
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

/** A part of a selector. */
interface Part {
  text: string
  /** Whether its element is the only child of its parent. */
  isOnly: boolean
  /** Whether its element is a child of the one before. */
  isChild: boolean
}

interface Siblings {
  tags: Map<string, number>
  classes: Map<string, number>
  /** From 1, among siblings with the same tag, and among all. */
  places: Map<Element, { ofType: number; ofAll: number }>
}

/** What is read of any node; see `readers`. */
interface Dom {
  parentOf: (node: Node) => Node | null
  firstChild: (node: Node) => Node | null
  nextSibling: (node: Node) => Node | null
  rootOf: (node: Node) => Node
  attribute: (element: Element, name: string) => string | null
  rectOf: (element: Element) => DOMRect
  isRendered: (element: Element) => boolean
  rootElement: (document: Document) => Element | null
  findInDocument: (document: Node, selector: string) => NodeListOf<Element>
  findInShadow: (root: Node, selector: string) => NodeListOf<Element>
  walk: (document: Document, root: Node, whatToShow: number) => TreeWalker
}

interface Listing extends BlockOptions {
  dom: Dom
  root: Element
  /** Whether the overflow of the body is its own, and not that of the viewport. */
  clipsBody: boolean
  openedRoots: OpenedRoots['openedRoots']
  /** In the viewport. */
  captured: Area
  /** Whether nothing of the document is outside. */
  isWhole: boolean
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
  parts: Map<Element, Part[]>
  ids: Map<Node, Map<string, boolean>>
  classes: Map<Node, Map<string, number>>
  stable: Map<string, boolean>
  /** By the attribute. */
  stableClasses: Map<string, string[]>
}

/**
 * Lists the blocks of a page in an area of it; `null` if that takes too long. Reads shadow roots as far as
 * they are open, or opened by the service. What is in a frame is not read.
 */
export const listBlocks: PageScript<[options: BlockOptions], PageBlock[] | null> = {
  run: list,
  helpers: [
    readers,
    nameOf,
    isElement,
    visit,
    isOutside,
    visitOutside,
    clipOf,
    contentClips,
    visitChildren,
    readText,
    isPartOfText,
    finish,
    add,
    addGroup,
    isReplaced,
    valueOf,
    isSpecial,
    paints,
    paintsGenerated,
    isTransparent,
    textArea,
    intersect,
    isEmpty,
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
    classCounts,
    stableClasses,
    isStable,
    join,
  ],
}

function list(options: BlockOptions): PageBlock[] | null {
  const dom = readers()
  const { area, origin } = options
  const [left, top] = [area.x - origin.x, area.y - origin.y]
  const root = dom.rootElement(document)
  if (!root) return []
  const { openedRoots } = (globalThis as { pagePreview?: OpenedRoots }).pagePreview ?? {}
  const listing: Listing = {
    ...options,
    dom,
    root,
    clipsBody: getComputedStyle(root).overflowX !== 'visible',
    openedRoots,
    captured: { left, top, right: left + area.width, bottom: top + area.height },
    isWhole: left <= 0 && top <= 0 && area.width >= root.scrollWidth && area.height >= root.scrollHeight - 1,
    endsAt: performance.now() + options.timeoutMs,
    nodes: 0,
    isLate: false,
    found: [],
    charsLeft: 1_000_000,
    chars: 0,
    specials: 0,
    siblings: new Map(),
    parts: new Map(),
    ids: new Map(),
    classes: new Map(),
    stable: new Map(),
    stableClasses: new Map(),
  }
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
  const open = { element: root, texts: [], text: '', hasInner: false, icons: [], clip: all }
  visit(root, nameOf(root), { open, flow: all, absolute: all, fixed: all, depth: 0 }, listing)
  if (listing.isLate) return null
  const blocks = listing.found.filter((block) => !isBehind(block, listing))
  return describe(blocks, listing)
}

/**
 * Reads nodes as they are: the field of a form hides the property of the form that has its name, as an image does with one of the document.
 * Other nodes are read directly, because that takes a tenth of the time.
 */
function readers(): Dom {
  const read = (prototype: object, name: string): unknown => {
    const property = Object.getOwnPropertyDescriptor(prototype, name)!
    if (property.get) return (node: Node) => property.get!.call(node)
    return (node: Node, ...values: unknown[]) => Reflect.apply(property.value, node, values)
  }
  const { prototype: node } = Node
  const { prototype: element } = Element
  return {
    parentOf: read(node, 'parentNode'),
    firstChild: read(node, 'firstChild'),
    nextSibling: read(node, 'nextSibling'),
    rootOf: read(node, 'getRootNode'),
    attribute: read(element, 'getAttribute'),
    rectOf: read(element, 'getBoundingClientRect'),
    isRendered: read(element, 'checkVisibility'),
    rootElement: read(Document.prototype, 'documentElement'),
    findInDocument: read(Document.prototype, 'querySelectorAll'),
    findInShadow: read(DocumentFragment.prototype, 'querySelectorAll'),
    walk: read(Document.prototype, 'createTreeWalker'),
  } as Dom
}

function nameOf({ localName }: Element): string {
  return typeof localName === 'string' ? localName : 'form'
}

function isElement(node: Node): node is Element {
  // A field of a form may have this name.
  return node.nodeType === 1 || typeof node.nodeType !== 'number'
}

function visit(element: Element, name: string, inherited: Inherited, listing: Listing): void {
  const { dom, found } = listing
  const style = getComputedStyle(element)
  const { display } = style
  if (display === 'none') return
  // One call takes less time than reading two styles.
  const isShown =
    name !== 'form' &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    display !== 'contents'
  if (!isShown && Number(style.opacity) < 0.02) return
  const isVisible = isShown || style.visibility === 'visible'
  // It is not rendered if scripts run, whatever its style is.
  if (name === 'noscript' && !dom.isRendered(element)) return
  const [firstFound, firstChars, firstSpecials] = [found.length, listing.chars, listing.specials]
  if (isSpecial(element, name)) listing.specials++
  const clip = clipOf(style, inherited)
  if (isReplaced(element, name, listing)) {
    const text = valueOf(element, name)
    listing.chars += text.length
    if (isVisible) add({ element, kind: 'replaced', text, clip }, listing)
  } else if (inherited.depth < listing.maxDepth) {
    const isInline = display === 'inline' || display === 'contents' || display.startsWith('ruby')
    const isPart = isInline || (display.startsWith('inline-') && isPartOfText(element, name, style, listing))
    const open = isPart ? inherited.open : { element, texts: [], text: '', hasInner: false, icons: [], clip }
    if (!isPart && isOutside(element, name, listing)) {
      visitChildren(element, name, { inherited: { ...inherited, depth: inherited.depth + 1 } }, listing)
      return
    }
    const { flow, absolute, fixed } = isInline
      ? { ...inherited, flow: clip }
      : contentClips(element, name, { style, clip, inherited }, listing)
    const inner = { open, flow, absolute, fixed, depth: inherited.depth + 1 }
    const hasChildren = visitChildren(element, name, { isVisible, inherited: inner }, listing)
    if (name === 'br') open.text += ' '
    else if (isPart && !hasChildren && display !== 'contents' && isVisible) open.icons.push(element)
    if (!isPart) finish(open, { style, isVisible, firstFound }, listing)
  }
  if (found.length === firstFound) return
  inherited.open.hasInner = true
  const isLittle = listing.chars - firstChars <= 24 && listing.specials === firstSpecials
  if (isLittle && found.length - firstFound > 1) addGroup(element, name, firstFound, listing)
}

/** Whether what is captured has no part of an element; what is in it may be elsewhere all the same. */
function isOutside(element: Element, name: string, { dom, root, captured, isWhole }: Listing): boolean {
  if (isWhole || element === root || name === 'body') return false
  const { left, top, right, bottom } = dom.rectOf(element)
  if (left === right || top === bottom) return false
  return left >= captured.right || right <= captured.left || top >= captured.bottom || bottom <= captured.top
}

/** Visits what is in an element that is not captured: little of it is, such as a button that stays in its place. */
function visitOutside(element: Element, name: string, inherited: Inherited, listing: Listing): void {
  const { dom, captured } = listing
  const { left, top, right, bottom } = dom.rectOf(element)
  const isBox = left < right && top < bottom
  if (isBox && left < captured.right && right > captured.left && top < captured.bottom && bottom > captured.top) {
    visit(element, name, inherited, listing)
    return
  }
  const isInvisible = !isBox && !dom.isRendered(element) && getComputedStyle(element).display !== 'contents'
  if (isInvisible || inherited.depth >= listing.maxDepth) return
  visitChildren(element, name, { inherited: { ...inherited, depth: inherited.depth + 1 } }, listing)
}

/** What cuts off an element. */
function clipOf(style: CSSStyleDeclaration, { flow, absolute, fixed }: Inherited): Area {
  if (flow === absolute && flow === fixed) return flow
  const { position } = style
  return position === 'absolute' ? absolute : position === 'fixed' ? fixed : flow
}

/** What cuts off the content of an element. */
function contentClips(
  element: Element,
  name: string,
  { style, clip, inherited }: { style: CSSStyleDeclaration; clip: Area; inherited: Inherited },
  { dom, root, clipsBody }: Listing,
): Pick<Inherited, 'flow' | 'absolute' | 'fixed'> {
  const { overflowX } = style
  const { absolute, fixed } = inherited
  const isCut = overflowX !== 'visible' && element !== root && (clipsBody || name !== 'body')
  if (!isCut && clip === absolute && clip === fixed) return { flow: clip, absolute, fixed }
  let flow = clip
  if (isCut) {
    const { left, top, right, bottom } = dom.rectOf(element)
    // One axis may be cut off alone.
    flow = intersect(clip, style.overflowY === 'visible' ? { ...clip, left, right } : { left, top, right, bottom })
  }
  const isTransformed = style.transform !== 'none'
  return {
    flow,
    absolute: isTransformed || style.position !== 'static' ? flow : absolute,
    fixed: isTransformed ? flow : fixed,
  }
}

/** @param isVisible  `undefined` if the element is not captured. @returns Whether there are any children. */
function visitChildren(
  element: Element,
  name: string,
  { isVisible, inherited }: { isVisible?: boolean; inherited: Inherited },
  listing: Listing,
): boolean {
  const { dom } = listing
  const { open } = inherited
  const assigned = name === 'slot' ? (element as HTMLSlotElement).assignedNodes() : []
  const shadow = shadowOf(element, name, listing)
  const first =
    assigned[0] ?? (shadow ?? (name === 'form' ? { firstChild: dom.firstChild(element) } : element)).firstChild
  let index = 0
  for (let node: Node | null = first; node;) {
    if (++listing.nodes > listing.maxNodes || listing.found.length >= listing.maxBlocks || listing.isLate) break
    if (listing.nodes % 64 === 0 && performance.now() > listing.endsAt) listing.isLate = true
    let childName = ''
    if (isElement(node)) {
      childName = nameOf(node)
      if (isVisible !== undefined) visit(node, childName, inherited, listing)
      else visitOutside(node, childName, inherited, listing)
    } else if (isVisible && node.nodeType === 3) readText(node as Text, open, listing)
    if (assigned.length) node = assigned[++index] ?? null
    else node = childName === 'form' ? dom.nextSibling(node) : node.nextSibling
  }
  return first !== null
}

function readText(node: Text, open: OpenBlock, listing: Listing): void {
  const MAX_TEXTS = 50
  const data = node.data.slice(0, Math.min(listing.charsLeft, 20_000))
  open.text += data
  listing.charsLeft -= data.length
  const { length } = data.trim()
  listing.chars += length
  if (length > 0 && open.texts.length < MAX_TEXTS) open.texts.push(node)
}

/** Whether a box is in the lines of the text around it. */
function isPartOfText(element: Element, name: string, style: CSSStyleDeclaration, { dom }: Listing): boolean {
  const MAX_SIBLINGS = 50
  if (name === 'button') return false
  const parent = dom.parentOf(element)
  let siblings = 0
  for (let node = parent && dom.firstChild(parent); node && siblings < MAX_SIBLINGS; node = dom.nextSibling(node)) {
    if (node.nodeType === 3 && /\S/.test((node as Text).data.slice(0, 1_000))) return true
    siblings++
  }
  // An icon, or a word or a letter that moves by itself.
  const child = dom.firstChild(element)
  if (!child) return true
  const isText = child.nodeType === 3 && (child as Text).data.length <= 24 && !dom.nextSibling(child)
  return isText && !paints(element, style)
}

/** Adds a block whose descendants have been visited, if it shows anything apart from the blocks in it. */
function finish(
  { element, texts, text, hasInner, icons, clip }: OpenBlock,
  { style, isVisible, firstFound }: { style: CSSStyleDeclaration; isVisible: boolean; firstFound: number },
  listing: Listing,
): void {
  if (texts.length > 0) {
    add({ element, kind: 'text', text, clip, texts: hasInner ? texts : [] }, listing)
    // Before what is in it.
    if (hasInner && listing.found.at(-1)?.element === element) listing.found.splice(firstFound, 0, listing.found.pop()!)
    return
  }
  for (const icon of icons.slice(0, 50))
    if (paints(icon, getComputedStyle(icon))) add({ element: icon, kind: 'painted', text: '', clip }, listing)
  const isLeaf = isVisible && listing.found.length === firstFound
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
  // Smaller images count visits, and smaller texts are for screen readers.
  const minimum = kind === 'painted' ? 1 : 3
  if (isEmpty(visible, minimum) || isEmpty(intersect(visible, captured), 1)) return
  if (!dom.isRendered(element) || /^(?:inset\((?:50|100)%|circle\(0)/.test(getComputedStyle(element).clipPath)) return
  const isFrame = kind === 'replaced' && /^i?frame$/.test(nameOf(element))
  const isForeign = isFrame && isForeignFrame(element as HTMLIFrameElement, 0, listing)
  found.push({ ...visible, element, kind, text, isForeign, group: undefined })
}

/** The largest group is the last to be added. */
function addGroup(element: Element, name: string, first: number, { found }: Listing): void {
  const MAX_SHARE = 0.25
  if (/^(?:html|body|main|article|section|form|table|tbody)$/.test(name)) return
  const blocks = found.slice(first)
  const width = Math.max(...blocks.map(({ right }) => right)) - Math.min(...blocks.map(({ left }) => left))
  const height = Math.max(...blocks.map(({ bottom }) => bottom)) - Math.min(...blocks.map(({ top }) => top))
  if (width * height > innerWidth * innerHeight * MAX_SHARE) return
  for (const block of blocks) if (block.element !== element) block.group = element
}

/** Whether an element shows something that is no part of the document, or cannot be read. */
function isReplaced(element: Element, name: string, listing: Listing): boolean {
  const REPLACED =
    /^(?:img|svg|canvas|video|audio|iframe|frame|embed|object|input|textarea|select|meter|progress|math|fencedframe)$/
  if (REPLACED.test(name)) return true
  // A component whose shadow root is closed.
  return name.includes('-') && !element.firstChild && !shadowOf(element, name, listing) && element.matches(':defined')
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
function isSpecial(element: Element, name: string): boolean {
  const ICON_PX = 48
  if (name !== 'svg') return /^(?:h[1-6]|a|button|img|picture|video|canvas|iframe|input|textarea|select)$/.test(name)
  const { width, height } = element.getBoundingClientRect()
  return width > ICON_PX && height > ICON_PX
}

function paints(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.backgroundImage !== 'none' || !isTransparent(style.backgroundColor) || style.boxShadow !== 'none')
    return true
  const sides = ['top', 'right', 'bottom', 'left']
  const hasBorder = (side: string) =>
    parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0 &&
    !isTransparent(style.getPropertyValue(`border-${side}-color`))
  return sides.some(hasBorder) || paintsGenerated(element, '::before') || paintsGenerated(element, '::after')
}

/** Colours are computed as `rgb()`, as `rgba()`, or in other spaces with their opacity behind a slash. */
function isTransparent(colour: string): boolean {
  return /^rgba\([^)]*, 0\)$|\/ 0\)$/.test(colour)
}

/** Such as the glyph of an icon. */
function paintsGenerated(element: Element, pseudo: '::before' | '::after'): boolean {
  const { content, display, backgroundImage, backgroundColor, visibility } = getComputedStyle(element, pseudo)
  if (content === 'none' || content === 'normal' || display === 'none' || visibility !== 'visible') return false
  return content !== '""' || backgroundImage !== 'none' || !isTransparent(backgroundColor)
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

function shadowOf(element: Element, name: string, { openedRoots }: Listing): ShadowRoot | null {
  // A form has none.
  if (name === 'form') return null
  return element.shadowRoot ?? openedRoots?.get(element) ?? null
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
  const inner = frame.contentDocument
  if (!inner) return true
  if (depth === MAX_DEPTH) return false
  const frames = [...dom.findInDocument(inner, 'iframe')].slice(0, MAX_FRAMES) as HTMLIFrameElement[]
  return frames.some((each) => isForeignFrame(each, depth + 1, listing))
}

/** Whether a block without content of its own is around others, or behind them, and so shows them as well. */
function isBehind(block: FoundBlock, { found }: Listing): boolean {
  if (block.kind !== 'painted') return false
  const area = (block.right - block.left) * (block.bottom - block.top)
  for (const other of found) {
    const width = Math.min(block.right, other.right) - Math.max(block.left, other.left)
    const height = Math.min(block.bottom, other.bottom) - Math.max(block.top, other.top)
    if (width < 1 || height < 1 || other === block) continue
    const otherArea = (other.right - other.left) * (other.bottom - other.top)
    if (other.kind === 'painted' && otherArea >= area) continue
    if (width * height >= Math.min(area, otherArea) / 2) return true
  }
  return false
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
    const start = words
      .slice(0, maxTextChars)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd()
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

/** A selector as its parts, from the outside. */
function partsOf(element: Element, listing: Listing): Part[] {
  const known = listing.parts.get(element)
  if (known) return known
  const { dom } = listing
  const name = nameOf(element)
  const parent = dom.parentOf(element)
  const anchor = name === 'html' || name === 'body' ? name : anchorOf(element, name, listing)
  const own: Part = anchor ? { text: anchor, isOnly: false, isChild: false } : segmentOf(element, name, listing)
  // No selector reaches into a shadow root; the host tells its content apart.
  const { host } = (anchor || (parent && !isElement(parent)) ? dom.rootOf(element) : {}) as Partial<ShadowRoot>
  const before = host ? partsOf(host, listing) : !anchor && parent && isElement(parent) ? partsOf(parent, listing) : []
  // An only child needs not be named, unless it is the last.
  const isImplied = !host && before.at(-1)?.isOnly === true
  const parts = [...(isImplied ? before.slice(0, -1) : before), { ...own, isChild: !host && !isImplied }]
  listing.parts.set(element, parts)
  return parts
}

/** A selector that only this element has in its document or shadow root: its id, or one of its classes. */
function anchorOf(element: Element, name: string, listing: Listing): string | undefined {
  const { dom } = listing
  const id = dom.attribute(element, 'id')
  if (id && isStable(id, listing) && isOnlyId(element, id, listing)) return `#${id}`
  const classes = /^[a-z][\w-]{0,29}$/i.test(name) ? stableClasses(element, listing) : []
  if (classes.length === 0) return undefined
  const counts = classCounts(dom.rootOf(element), listing)
  const only = classes.find((each) => counts.get(each) === 1)
  return only && `${name}.${only}`
}

function segmentOf(element: Element, name: string, listing: Listing): Part {
  const parent = listing.dom.parentOf(element)!
  const { tags, classes, places } = siblingsOf(parent, listing)
  const { ofType, ofAll } = places.get(element) ?? { ofType: 1, ofAll: 1 }
  const part = { isOnly: places.size === 1, isChild: true }
  if (!/^[a-z][\w-]{0,29}$/i.test(name)) return { ...part, text: `:nth-child(${ofAll})` }
  if (tags.get(name) === 1) return { ...part, text: name }
  const own = stableClasses(element, listing).find((each) => classes.get(each) === 1)
  return { ...part, text: own ? `${name}.${own}` : `${name}:nth-of-type(${ofType})` }
}

function siblingsOf(parent: Node, listing: Listing): Siblings {
  const { dom, maxNodes } = listing
  const known = listing.siblings.get(parent)
  if (known) return known
  const siblings: Siblings = { tags: new Map(), classes: new Map(), places: new Map() }
  const { tags, classes, places } = siblings
  let nodes = 0
  for (let node = dom.firstChild(parent); node && ++nodes <= maxNodes; node = dom.nextSibling(node)) {
    if (!isElement(node)) continue
    const element = node
    const name = nameOf(element)
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
  const find = root === document ? dom.findInDocument : dom.findInShadow
  const isOnly = known.get(id) ?? find(root, `#${id}`).length === 1
  known.set(id, isOnly)
  return isOnly
}

/** How many elements of a document, or of a shadow root, have each class; of the first `maxNodes`. */
function classCounts(root: Node, listing: Listing): Map<string, number> {
  const { dom, maxNodes } = listing
  const known = listing.classes.get(root)
  if (known) return known
  const counts = new Map<string, number>()
  listing.classes.set(root, counts)
  const walker = dom.walk(document, root, NodeFilter.SHOW_ELEMENT)
  for (let count = 0; count < maxNodes && walker.nextNode(); count++)
    for (const each of stableClasses(walker.currentNode as Element, listing))
      counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

/** The classes of an element that say what it is, and not in which state it is. */
function stableClasses(element: Element, listing: Listing): string[] {
  const STATES =
    /(?:^|[-_])(?:active|open|opened|closed|collapsed|expanded|selected|current|visible|hidden|show|shown|in|hover|focus|loaded|loading|lazy\w*|animated?|inview|fade\w*|even|odd|first|last|prev|next|ready|dark|light)(?:$|[-_])/i
  const { className } = element
  const value = (typeof className === 'string' ? className : (listing.dom.attribute(element, 'class') ?? '')).slice(
    0,
    400,
  )
  if (!value) return []
  const known = listing.stableClasses.get(value)
  if (known) return known
  const names = value.split(/\s+/).slice(0, 12)
  const stable = names.filter((name) => name.length > 1 && !STATES.test(name) && isStable(name, listing))
  if (listing.stableClasses.size < 20_000) listing.stableClasses.set(value, stable)
  return stable
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
    !/^(?:css|sc|jss|jsx|svelte|emotion|astro|_ng(?:content|host)|ext-gen|yui|ui-id|ember|radix|headlessui|mantine|react-aria|tippy|_?r)[-_]?\w*\d/i.test(
      name,
    ) &&
    !/^(?:css|sc|jsx|svelte|astro)-/.test(name) &&
    !/^_r_\w+_$/.test(name) &&
    !/[a-z\d]_[a-z\d-]+__[\w-]{5}$/i.test(name) &&
    !name.split(/[-_]+/).some(isGeneratedPart)
  if (stable.size < 20_000) stable.set(name, isHand)
  return isHand
}

/** Parts at the start are left out of what is too long, but for the first. */
function join(parts: readonly Part[]): string {
  const MAX_CHARS = 112
  const [first] = parts
  let rest = ''
  let isWhole = true
  for (const { text, isChild } of parts.slice(1).toReversed()) {
    const longer = `${isChild ? ' > ' : ' '}${text}${rest}`
    if (longer.length + 30 > MAX_CHARS) {
      isWhole = false
      break
    }
    rest = longer
  }
  const start = first?.text ?? ''
  const whole = isWhole ? `${start}${rest}` : `${start} ${rest.replace(/^ > /, '').trimStart()}`
  return whole.length <= MAX_CHARS ? whole : rest.replace(/^ > /, '').trimStart() || start.slice(0, MAX_CHARS)
}
