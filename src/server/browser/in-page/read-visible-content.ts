import type { Area, PageScript } from './page-script.js'

/** What a visitor sees of a document, or would see after scrolling. */
export interface VisibleContent {
  /** HTML of the visible texts, links and images alone. */
  html: string
  /** Characters of the document that a visitor does not see; they are not in `html`. */
  omittedCharacters: number
  /** Whether the document was too large to be read to its end. */
  isCut: boolean
}

interface ReadOptions {
  maxNodes: number
  maxDepth: number
  maxHtmlChars: number
  timeoutMs: number
}

/** What cuts off or scrolls the content of an element: the elements around it that do, from the outside, or the viewport alone. */
interface Frame {
  clips: readonly Clip[]
  /** Whether it stays in its place when the document scrolls. */
  isFixed: boolean
}

interface Clip {
  element: Element
  x: 'visible' | 'cut' | 'scroll'
  y: 'visible' | 'cut' | 'scroll'
}

/** What a node inherits from the elements around it. */
interface Inherited {
  flow: Frame
  /** For what is positioned absolutely, or fixed. */
  absolute: Frame
  fixed: Frame
  opacity: number
  isPreformatted: boolean
  depth: number
}

/** A part of a text that is visible as a whole, or not at all. */
interface Piece {
  node: Text
  start: number
  end: number
  parent: Element
  inherited: Inherited
  isVisible: boolean
}

interface Output {
  tag: string
  attributes: string
  /** Whether it is a box of its own, apart from the words beside it. */
  isBox?: boolean
  /** Whether it is a block, unlike most elements of its name. */
  isBlock?: boolean
  children: (Output | Piece)[]
}

/** Position and length of the content of a box on one axis. */
interface ScrollAxis {
  at: number
  size: number
  isRtl: boolean
}

interface Scroll {
  x: ScrollAxis
  y: ScrollAxis
}

interface Reading extends ReadOptions {
  /** When nothing more is looked for, so that there is time to test what was found: only then it counts as visible. */
  testsAt: number
  endsAt: number
  nodes: number
  chars: number
  omitted: number
  isCut: boolean
  pieces: Piece[]
  roots: Set<Document | ShadowRoot>
  /** Size of the viewport, and how it treats what is larger. */
  width: number
  height: number
  viewport: Pick<Clip, 'x' | 'y'> & { isOfBody: boolean }
  /** Of elements that clip, before the page is scrolled. */
  boxes: Map<Element, Area>
  scrolls: Map<Element, Scroll>
  paints: Map<Element, Paint>
  generated: Map<Element, CSSStyleDeclaration[]>
  colours: Map<string, Colour>
  context: OffscreenCanvasRenderingContext2D
}

interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

/** What an element paints behind its content. */
interface Paint {
  colours: Colour[]
  /** Whether it is an image, whose colours are not known. */
  isUnknown: boolean
  /** Whether it fills the viewport. */
  isLarge: boolean
  /** With that of the elements around it. */
  opacity: number
}

/**
 * Reads what a visitor sees of a document, or would see after scrolling, in the isolated world: text that is painted in a legible way,
 * links, and images. Each text has to be painted, within what can be reached by scrolling, in front of everything at its place, in
 * a colour that differs from what is behind it. Nothing else is read: neither attributes nor text that CSS generates.
 *
 * The page scrolls while it is read, and is back in its place afterwards.
 */
export const readVisibleContent: PageScript<[options: ReadOptions], VisibleContent> = {
  run: readContent,
  helpers: [
    startReading,
    readChildren,
    readElement,
    readImage,
    tagOf,
    roleTag,
    isApart,
    isFirstLetter,
    attributesOf,
    isSkipped,
    omitNode,
    omitText,
    hiddenChars,
    enter,
    clipOf,
    overflowOf,
    readText,
    addPiece,
    addWords,
    rectsOf,
    shareInReach,
    reachOnAxis,
    boxOf,
    scrollOf,
    testPieces,
    testPiece,
    bringIntoView,
    pointsOf,
    isSeenAt,
    boxAround,
    isBehindModal,
    isOpaque,
    paintOf,
    backgroundOf,
    coloursIn,
    generatedAt,
    generatedStyles,
    backdropAt,
    isLegible,
    blend,
    isDistinct,
    colourOf,
    filterOpacity,
    cached,
    makeHittable,
    write,
    spaceOf,
    hasContent,
    escapeHtml,
    webUrl,
  ],
}

function readContent(options: ReadOptions): VisibleContent {
  const reading = startReading(options)
  const root = document.documentElement
  const body = [...root.children].find(({ localName }) => localName === 'body')
  const output: Output = { tag: 'body', attributes: '', children: [] }
  const frame: Frame = { clips: [], isFixed: false }
  const fixed: Frame = { clips: [], isFixed: true }
  const outer: Inherited = { flow: frame, absolute: frame, fixed, opacity: 1, isPreformatted: false, depth: 0 }
  if (body) {
    const inherited = enter(root, getComputedStyle(root), outer, reading)
    const style = getComputedStyle(body)
    if (style.display === 'none' || getComputedStyle(root).display === 'none') omitNode(body, reading)
    else readChildren(body, output, enter(body, style, inherited, reading), reading)
  }
  testPieces(reading)
  const lang = root.getAttribute('lang') ?? ''
  return {
    html: `<!doctype html><html lang="${escapeHtml(lang.slice(0, 40))}"><head></head>${write(output)}</html>`,
    omittedCharacters: reading.omitted,
    isCut: reading.isCut,
  }
}

function startReading(options: ReadOptions): Reading {
  const root = getComputedStyle(document.documentElement)
  const body = [...document.documentElement.children].find(({ localName }) => localName === 'body')
  const isVisible = ({ overflowX, overflowY }: CSSStyleDeclaration) =>
    overflowX === 'visible' && overflowY === 'visible'
  // The overflow of the body applies to the viewport, unless the root has its own.
  const isOfBody = body !== undefined && isVisible(root)
  const { overflowX, overflowY } = isOfBody ? getComputedStyle(body) : root
  const overflow = (value: string) => (value === 'hidden' || value === 'clip' ? 'cut' : 'scroll')
  return {
    ...options,
    testsAt: performance.now() + options.timeoutMs / 2,
    endsAt: performance.now() + options.timeoutMs,
    nodes: 0,
    chars: 0,
    omitted: 0,
    isCut: false,
    pieces: [],
    roots: new Set([document]),
    width: document.documentElement.clientWidth || innerWidth,
    height: innerHeight,
    viewport: { x: overflow(overflowX), y: overflow(overflowY), isOfBody },
    boxes: new Map(),
    scrolls: new Map(),
    paints: new Map(),
    generated: new Map(),
    colours: new Map(),
    context: new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!,
  }
}

function readChildren(parent: Element, output: Output, inherited: Inherited, reading: Reading): void {
  const shadow = parent.shadowRoot
  if (shadow) reading.roots.add(shadow)
  const assigned = parent.localName === 'slot' ? (parent as HTMLSlotElement).assignedNodes() : []
  const first = (shadow ?? parent).firstChild
  const children: Node[] = [...assigned]
  if (assigned.length === 0)
    for (let child = first; child && children.length <= reading.maxNodes; child = child.nextSibling)
      children.push(child)
  for (const child of children) {
    if (
      ++reading.nodes > reading.maxNodes ||
      reading.chars > reading.maxHtmlChars ||
      performance.now() > reading.testsAt
    ) {
      reading.isCut = true
      return
    }
    if (child.nodeType === 1) readElement(child as Element, output, inherited, reading)
    else if (child.nodeType === 3) readText(child as Text, parent, output, inherited, reading)
    else omitNode(child, reading)
  }
}

function readElement(element: Element, output: Output, inherited: Inherited, reading: Reading): void {
  const style = getComputedStyle(element)
  reading.omitted += hiddenChars(element)
  if (style.display === 'none' || style.contentVisibility === 'hidden' || inherited.depth > reading.maxDepth) {
    omitNode(element, reading)
    return
  }
  if (element.localName === 'img') {
    readImage(element as HTMLImageElement, output, enter(element, style, inherited, reading), reading)
    return
  }
  // Numbers of lines, and marks of a diff, are not part of the code.
  const isGutter = inherited.isPreformatted && style.userSelect === 'none'
  if (isGutter) return
  if (isSkipped(element)) {
    omitNode(element, reading)
    return
  }
  const child: Output = { tag: tagOf(element, style), attributes: attributesOf(element), children: [] }
  child.isBox = !inherited.isPreformatted && isApart(element, style)
  child.isBlock = child.tag === 'a' && /^(?:block|flex|grid|table|list-item)$/.test(style.display)
  reading.chars += child.attributes.length
  output.children.push(child)
  readChildren(element, child, enter(element, style, inherited, reading), reading)
}

/** An image that is large enough to be seen, without its alternative text, which nobody sees. */
function readImage(image: HTMLImageElement, output: Output, inherited: Inherited, reading: Reading): void {
  const MIN_SIDE = 16
  const url = webUrl(image.currentSrc || image.getAttribute('src'), image)
  const { left, top, right, bottom } = image.getBoundingClientRect()
  const area = { left, top, right, bottom }
  const isLarge = right - left >= MIN_SIDE && bottom - top >= MIN_SIDE
  const isVisible = inherited.opacity >= 0.15 && image.checkVisibility({ visibilityProperty: true })
  if (!url || !isLarge || !isVisible || shareInReach(area, inherited.flow, reading) < 0.2) return
  const size = `width="${Math.round(right - left)}" height="${Math.round(bottom - top)}"`
  output.children.push({ tag: 'img', attributes: ` src="${escapeHtml(url)}" ${size}`, children: [] })
}

function tagOf(element: Element, style: CSSStyleDeclaration): string {
  const { display, verticalAlign } = style
  const KEPT = new Set(
    'h1 h2 h3 h4 h5 h6 p article section main header footer nav aside ul ol li dl dt dd table thead tbody tfoot tr th td caption pre code blockquote a em strong b i s del u sub sup br hr figure figcaption summary rt mfrac msup msub msqrt time kbd samp var mark q cite small abbr address form button fieldset label'.split(
      ' ',
    ),
  )
  const name = element.localName
  const isHtml = element.namespaceURI === 'http://www.w3.org/1999/xhtml'
  // The button of a heading that opens what is below it.
  if (name === 'button' && element.closest('h1,h2,h3,h4,h5,h6,summary,dt')) return 'span'
  if (name === 'input' && (element as HTMLInputElement).type === 'checkbox') return 'input'
  const isInFormula = element.namespaceURI === 'http://www.w3.org/1998/Math/MathML'
  if (isInFormula) return KEPT.has(name) ? name : name === 'math' && display === 'block math' ? 'div' : 'span'
  const role = roleTag(element)
  if (role) return role
  const isTable = /^(?:table|thead|tbody|tfoot|tr|th|td)$/.test(name)
  if (isHtml && KEPT.has(name) && !(isTable && !display.includes('table'))) return name
  if (display === 'inline' && (verticalAlign === 'super' || verticalAlign === 'sub')) return verticalAlign.slice(0, 3)
  return isFirstLetter(element, style) || /^inline|^contents$|^ruby/.test(display) ? 'span' : 'div'
}

/** The element that a role stands for. */
function roleTag(element: Element): string | undefined {
  if (!/^(?:div|span|p)$/.test(element.localName)) return undefined
  const role = element.getAttribute('role')
  if (role === 'heading') {
    const level = Number(element.getAttribute('aria-level') ?? 2)
    return level >= 1 && level <= 6 ? `h${Math.trunc(level)}` : 'h6'
  }
  if (role === 'list') return 'ul'
  if (role === 'listitem') return element.closest('[role=list],ul,ol') ? 'li' : undefined
  if (role === 'table' || role === 'grid') return 'table'
  if (!role || !element.closest('[role=table],[role=grid]')) return undefined
  if (role === 'row') return 'tr'
  if (!element.closest('[role=row]')) return undefined
  if (role === 'columnheader' || role === 'rowheader') return 'th'
  return role === 'cell' || role === 'gridcell' ? 'td' : undefined
}

/** Whether an element is apart from the words beside it: as a box, or by its margins. */
function isApart(element: Element, style: CSSStyleDeclaration): boolean {
  const MIN_MARGIN_EMS = 0.2
  const { display, marginLeft, marginRight, fontSize } = style
  const isPartOfFormula = element.namespaceURI === 'http://www.w3.org/1998/Math/MathML'
  if (isPartOfFormula || display === 'contents' || display.startsWith('ruby')) return false
  if (isFirstLetter(element, style)) return false
  const margin = Math.max(Number.parseFloat(marginLeft), Number.parseFloat(marginRight))
  return display !== 'inline' || margin >= MIN_MARGIN_EMS * Number.parseFloat(fontSize)
}

/** Whether it is the first letter of a paragraph, which is larger than the others. */
function isFirstLetter(element: Element, { display, float }: CSSStyleDeclaration): boolean {
  return (display === 'inline' || float !== 'none') && /^\s*\p{L}\s*$/u.test((element.textContent ?? '').slice(0, 9))
}

/** What finds the main content, and what Markdown needs. */
function attributesOf(element: Element): string {
  const MAX_CHARS = 200
  const names = ['class', 'id', 'role', 'itemprop', 'colspan', 'rowspan', 'start', 'type']
  const written = names.map((name) => [name, (element.getAttribute(name) ?? '').slice(0, MAX_CHARS)] as const)
  const language = element.getAttribute('data-lang') ?? element.getAttribute('data-language')
  const isCode = element.localName === 'pre' || element.localName === 'code'
  const attributes = new Map<string, string>(written.filter(([, value]) => value))
  if (isCode && language && /^[\w+#.-]{1,30}$/.test(language))
    attributes.set('class', `${attributes.get('class') ?? ''} language-${language}`)
  const href = element.localName === 'a' ? webUrl(element.getAttribute('href'), element) : undefined
  if (href) attributes.set('href', href)
  if (element.localName === 'input' && (element as HTMLInputElement).checked) attributes.set('checked', '')
  return [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')
}

/** Elements without text of the page, or with text that is no content. */
function isSkipped(element: Element): boolean {
  const NAMES =
    /^(?:script|style|noscript|template|head|title|svg|canvas|video|audio|object|embed|iframe|frame|frameset|select|datalist|textarea|progress|meter|map)$/
  if (element.localName === 'input') return (element as HTMLInputElement).type !== 'checkbox' || !element.closest('li')
  return NAMES.test(element.localName)
}

/** Counts the text of what is left out. */
function omitNode(node: Node, reading: Reading): void {
  const MAX_NODES = 5_000
  const stack = [node]
  for (let next = stack.pop(), count = 0; next && count < MAX_NODES; next = stack.pop(), count++) {
    if (next.nodeType === 3 || next.nodeType === 8) {
      omitText((next as CharacterData).data, reading)
      continue
    }
    const { localName } = next as Element
    if (localName === 'script' || localName === 'style' || localName === 'svg') continue
    if (next.nodeType === 1 && next !== node) reading.omitted += hiddenChars(next as Element)
    const content = localName === 'template' ? (next as HTMLTemplateElement).content : next
    for (let child = content.lastChild; child && stack.length < MAX_NODES; child = child.previousSibling)
      stack.push(child)
  }
}

function omitText(text: string, reading: Reading): void {
  reading.omitted += text.slice(0, 1_000_000).replace(/\s+/g, ' ').trim().length
}

/** In attributes that are no part of the page as it is painted. */
function hiddenChars(element: Element): number {
  const NAMES = ['alt', 'title', 'aria-label', 'aria-description', 'placeholder', 'summary']
  return NAMES.reduce((sum, name) => sum + (element.getAttribute(name)?.trim().length ?? 0), 0)
}

function enter(element: Element, style: CSSStyleDeclaration, inherited: Inherited, reading: Reading): Inherited {
  const { position, transform, perspective, contain, willChange, filter, backdropFilter } = style
  const frame = position === 'fixed' ? inherited.fixed : position === 'absolute' ? inherited.absolute : inherited.flow
  const clip = clipOf(element, style, reading)
  const flow = clip ? { ...frame, clips: [...frame.clips, clip] } : frame
  const holdsFixed =
    [transform, perspective, filter, backdropFilter].some((value) => value && value !== 'none') ||
    /paint|layout|strict|content/.test(contain) ||
    /transform|filter|perspective/.test(willChange)
  return {
    flow,
    absolute: holdsFixed || position !== 'static' ? flow : inherited.absolute,
    fixed: holdsFixed ? flow : inherited.fixed,
    opacity: inherited.opacity * Number(style.opacity) * filterOpacity(style, reading),
    isPreformatted: inherited.isPreformatted || element.localName === 'pre',
    depth: inherited.depth + 1,
  }
}

function clipOf(
  element: Element,
  { display, overflowX, overflowY, contain }: CSSStyleDeclaration,
  reading: Reading,
): Clip | undefined {
  const { viewport } = reading
  if (display === 'inline' || display === 'contents') return undefined
  if (element === document.documentElement || (viewport.isOfBody && element.localName === 'body')) return undefined
  const x = overflowOf(overflowX, contain)
  const y = overflowOf(overflowY, contain)
  return x === 'visible' && y === 'visible' ? undefined : { element, x, y }
}

function overflowOf(overflow: string, contain: string): 'visible' | 'cut' | 'scroll' {
  if (overflow === 'auto' || overflow === 'scroll') return 'scroll'
  return overflow === 'hidden' || overflow === 'clip' || /paint|strict|content/.test(contain) ? 'cut' : 'visible'
}

function readText(node: Text, parent: Element, output: Output, inherited: Inherited, reading: Reading): void {
  const { data } = node
  if (!/\S/.test(data)) {
    addPiece({ node, start: 0, end: data.length, parent, inherited, isVisible: true }, output, reading)
    return
  }
  const { fontFamily, fontSize, visibility } = getComputedStyle(parent)
  // Icons, whose names are their text.
  if (/material (?:icons|symbols)/i.test(fontFamily)) return
  const isRendered =
    visibility === 'visible' &&
    inherited.opacity >= 0.15 &&
    Number.parseFloat(fontSize) > 0 &&
    boxAround(parent)?.checkVisibility() === true
  const rects = isRendered ? rectsOf(node, 0, data.length) : []
  const MIN_HEIGHT = 5
  const width = rects.reduce((sum, { left, right }) => sum + right - left, 0)
  const chars = data.replace(/\s+/g, ' ').trim().length
  const isLargeEnough =
    rects.some(({ top, bottom }) => bottom - top >= MIN_HEIGHT) && width / chars >= 0.1 * Number.parseFloat(fontSize)
  if (!isLargeEnough) {
    omitText(data, reading)
    return
  }
  const shares = rects.map((rect) => shareInReach(rect, inherited.flow, reading))
  if (shares.every((share) => share >= 0.8))
    addPiece({ node, start: 0, end: data.length, parent, inherited, isVisible: false }, output, reading)
  else if (shares.every((share) => share < 0.2)) omitText(data, reading)
  else addWords({ node, start: 0, end: data.length, parent, inherited, isVisible: false }, output, reading)
}

function addPiece(piece: Piece, output: Output, reading: Reading): void {
  output.children.push(piece)
  reading.chars += piece.end - piece.start
  if (!piece.isVisible) reading.pieces.push(piece)
}

/** The words of a text of which a part is in reach. */
function addWords(piece: Piece, output: Output, reading: Reading): void {
  const { data } = piece.node
  let start = 0
  for (const { 0: word, index } of data.matchAll(/\S{1,30}\s*/g)) {
    const end = index + word.length
    const shares = rectsOf(piece.node, start, end).map((rect) => shareInReach(rect, piece.inherited.flow, reading))
    if (performance.now() > reading.testsAt) reading.isCut = true
    if (reading.isCut) return
    if (shares.some((share) => share >= 0.5)) addPiece({ ...piece, start, end }, output, reading)
    else omitText(data.slice(start, end), reading)
    start = end
  }
}

function rectsOf(node: Text, start: number, end: number): Area[] {
  const range = document.createRange()
  range.setStart(node, start)
  range.setEnd(node, end)
  return [...range.getClientRects()]
    .slice(0, 2_000)
    .map(({ left, top, right, bottom }) => ({ left, top, right, bottom }))
    .filter(({ left, top, right, bottom }) => right - left > 0.5 && bottom - top > 0.5)
}

/** The share of an area that can be brought into sight by scrolling. */
function shareInReach(area: Area, { clips, isFixed }: Frame, reading: Reading): number {
  let { left, top, right, bottom } = area
  let share = 1
  const narrow = (box: Area, clip: Pick<Clip, 'x' | 'y'>, scroll: Scroll) => {
    const x = reachOnAxis([left, right], [box.left, box.right], clip.x, scroll.x)
    const y = reachOnAxis([top, bottom], [box.top, box.bottom], clip.y, scroll.y)
    share *= x.share * y.share
    ;[left, right] = x.range
    ;[top, bottom] = y.range
  }
  for (const clip of clips.toReversed()) {
    narrow(cached(reading.boxes, clip.element, boxOf), clip, cached(reading.scrolls, clip.element, scrollOf))
    if (share === 0) return 0
  }
  const { width, height, viewport } = reading
  const scroll = cached(reading.scrolls, document.documentElement, scrollOf)
  // What is several screens to the side is out of the way on purpose.
  const x = { ...scroll.x, at: scrollX, size: Math.min(scroll.x.size, width * 3) }
  const y = { ...scroll.y, at: scrollY }
  narrow({ left: 0, top: 0, right: width, bottom: height }, isFixed ? { x: 'cut', y: 'cut' } : viewport, { x, y })
  return share
}

/** Which share of a range of one axis can be in its box, and where it then is. */
function reachOnAxis(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
  overflow: Clip['x'],
  { at, size, isRtl }: ScrollAxis,
): { share: number; range: readonly [number, number] } {
  const MIN_BOX = 5
  if (overflow === 'visible') return { share: 1, range: [from, to] }
  // The content begins at one end of the box, and is `size` long.
  const origin = isRtl ? end - at - size : start - at
  const [low, high] = overflow === 'cut' ? [start, end] : [origin, origin + Math.max(size, end - start)]
  const range = [Math.max(from, low), Math.min(to, high)] as const
  const length = range[1] - range[0]
  if (length <= 0 || end - start < MIN_BOX) return { share: 0, range: [start, start] }
  const share = length / (to - from)
  if (range[0] >= start && range[1] <= end) return { share, range }
  return { share, range: [start, Math.min(end, start + length)] }
}

/** Within the borders of an element. */
function boxOf(element: Element): Area {
  const { left, top, width, height } = element.getBoundingClientRect()
  const { clientLeft, clientTop, clientWidth, clientHeight, offsetWidth } = element as HTMLElement
  // Transforms scale the box, and not what these properties return.
  const scale = offsetWidth > 0 ? width / offsetWidth : 1
  const [x, y] = [left + clientLeft * scale, top + clientTop * scale]
  return { left: x, top: y, right: x + (clientWidth * scale || width), bottom: y + (clientHeight * scale || height) }
}

function scrollOf(element: Element): Scroll {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = element
  const isRtl = getComputedStyle(element).direction === 'rtl'
  return {
    x: { at: scrollLeft, size: scrollWidth, isRtl },
    y: { at: scrollTop, size: scrollHeight, isRtl: false },
  }
}

/** Tests each piece where it is painted, scrolled into view. */
function testPieces(reading: Reading): void {
  const undo = makeHittable(reading)
  const positions = new Map<Element, { left: number; top: number }>()
  const { scrollX: left, scrollY: top } = window
  try {
    for (const piece of reading.pieces) {
      const isInTime = performance.now() <= reading.endsAt
      if (!isInTime) reading.isCut = true
      piece.isVisible = isInTime && testPiece(piece, reading, positions)
      if (!piece.isVisible) omitText(piece.node.data.slice(piece.start, piece.end), reading)
    }
  } finally {
    undo()
    for (const [element, at] of positions) element.scrollTo({ ...at, behavior: 'instant' })
    scrollTo({ left, top, behavior: 'instant' })
  }
}

/** A bar that stays in the viewport covers some places in it only, so a text that is covered is tested at other places too. */
function testPiece(piece: Piece, reading: Reading, positions: Map<Element, { left: number; top: number }>): boolean {
  const { isFixed } = piece.inherited.flow
  for (const at of isFixed ? [undefined] : [undefined, 0.5, 0.75]) {
    bringIntoView(piece, at, positions)
    const points = pointsOf(piece)
    if (points.length > 0 && points.every(([x, y]) => isSeenAt(x, y, piece, reading))) return true
  }
  return false
}

/** @param at  Where in the viewport, as a share of its height; `undefined`: where it is, if it is in view. */
function bringIntoView(
  { node, start, end, inherited }: Piece,
  at: number | undefined,
  positions: Map<Element, { left: number; top: number }>,
): void {
  const middle = () => {
    const rects = rectsOf(node, start, end)
    const { left = 0, right = 0, top = 0, bottom = 0 } = rects[Math.floor(rects.length / 2)] ?? {}
    return { x: (left + right) / 2, y: (top + bottom) / 2 }
  }
  for (const { element, x, y } of inherited.flow.clips) {
    if (x !== 'scroll' && y !== 'scroll') continue
    const box = boxOf(element)
    const point = middle()
    const isInside = point.x > box.left && point.x < box.right && point.y > box.top && point.y < box.bottom
    if (isInside) continue
    if (!positions.has(element)) positions.set(element, { left: element.scrollLeft, top: element.scrollTop })
    const left = x === 'scroll' ? point.x - (box.left + box.right) / 2 : 0
    const top = y === 'scroll' ? point.y - (box.top + box.bottom) / 2 : 0
    element.scrollBy({ left, top, behavior: 'instant' })
  }
  if (inherited.flow.isFixed) return
  const point = middle()
  const isInside = point.x > 0 && point.x < innerWidth && point.y > 0 && point.y < innerHeight
  if (isInside && at === undefined) return
  const left = point.x > 0 && point.x < innerWidth ? 0 : point.x - innerWidth / 2
  scrollBy({ left, top: point.y - innerHeight * (at ?? 0.5), behavior: 'instant' })
}

/** The centres of up to three of its lines that are in view. */
function pointsOf({ node, start, end, inherited }: Piece): [number, number][] {
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
  const boxes = [...inherited.flow.clips.map(({ element }) => boxOf(element)), screen]
  const overlap = (one: Area, other: Area) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  })
  const inView = rectsOf(node, start, end)
    .map((rect) => boxes.reduce(overlap, rect))
    .filter(({ left, top, right, bottom }) => right - left > 0.5 && bottom - top > 2)
  const chosen = new Set([inView[0], inView[Math.floor(inView.length / 2)], inView.at(-1)])
  return [...chosen]
    .filter((area) => area !== undefined)
    .map(({ left, top, right, bottom }) => [(left + right) / 2, (top + bottom) / 2])
}

function isSeenAt(x: number, y: number, { parent }: Piece, reading: Reading): boolean {
  const box = boxAround(parent)
  if (!box) return false
  const stack = (box.getRootNode() as Document | ShadowRoot).elementsFromPoint(x, y)
  const index = stack.indexOf(box)
  // What is behind a modal dialog is painted, but not found.
  if (index < 0 && !isBehindModal(box)) return false
  const inFront = stack.slice(0, Math.max(index, 0))
  const covers = inFront.filter((element) => !element.contains(box))
  const inherited = [box, ...inFront.filter((element) => element.contains(box))]
  const generated = inherited.flatMap((element) => generatedAt(x, y, element, reading, { isInFront: true }))
  if ([...covers.map((element) => paintOf(element, reading)), ...generated].some(isOpaque)) return false
  const behind = index < 0 ? stack.filter((element) => element.contains(box)) : stack.slice(index)
  return isLegible(parent, backdropAt(x, y, behind, reading), reading)
}

/** The element that lays out the text of another one: itself, or what is around it. Slots are such others. */
function boxAround(element: Element): Element | undefined {
  let at: Element | null = element
  while (at && getComputedStyle(at).display === 'contents')
    at = at.assignedSlot ?? at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null
  return at ?? undefined
}

function isBehindModal(element: Element): boolean {
  const modal = document.querySelector(':modal')
  return modal !== null && !modal.contains(element)
}

function isOpaque({ colours, isUnknown, isLarge, opacity }: Paint): boolean {
  const MIN = 0.9
  // An image over the whole viewport is usually a texture.
  if (isUnknown) return !isLarge && opacity >= MIN
  return colours.length > 0 && colours.every(({ alpha }) => alpha * opacity >= MIN)
}

/** What an element paints besides its content. */
function paintOf(element: Element, reading: Reading): Paint {
  return cached(reading.paints, element, () => {
    const style = getComputedStyle(element)
    const parent = element.parentElement ?? (element.getRootNode() as ShadowRoot).host
    const inherited = parent ? paintOf(parent, reading).opacity : 1
    const opacity = inherited * Number(style.opacity)
    const { width, height } = element.getBoundingClientRect()
    const isReplaced = /^(?:img|video|canvas|iframe|embed|object)$/.test(element.localName)
    const isLarge = width >= innerWidth * 0.9 && height >= innerHeight * 0.9
    if (style.visibility !== 'visible') return { colours: [], isUnknown: false, isLarge: false, opacity }
    const background = backgroundOf(style, reading)
    return isReplaced ? { colours: [], isUnknown: true, isLarge, opacity } : { ...background, isLarge, opacity }
  })
}

/** A background that only fills the letters of its text is behind nothing. */
function backgroundOf(style: CSSStyleDeclaration, reading: Reading): Pick<Paint, 'colours' | 'isUnknown'> {
  const { backgroundImage, backgroundColor, backgroundClip } = style
  if (backgroundClip.includes('text')) return { colours: [], isUnknown: false }
  const colour = colourOf(backgroundColor, reading)
  const isPlain = backgroundImage === 'none'
  if (isPlain) return { colours: colour.alpha > 0 ? [colour] : [], isUnknown: false }
  if (/url\(|image-set|cross-fade|paint\(/.test(backgroundImage)) return { colours: [], isUnknown: true }
  const stops = coloursIn(backgroundImage, reading)
  // A gradient of one colour is a colour, and one between several is like an image.
  const isOneColour = stops.every(
    (stop) => !isDistinct(stop, stops[0]!) && Math.abs(stop.alpha - stops[0]!.alpha) < 0.1,
  )
  if (!isOneColour) return { colours: stops, isUnknown: stops.some(({ alpha }) => alpha > 0.3) }
  const [stop] = stops
  if (!stop) return { colours: colour.alpha > 0 ? [colour] : [], isUnknown: false }
  return { colours: [colour.alpha > 0 ? blend(stop, colour) : stop], isUnknown: false }
}

function coloursIn(value: string, reading: Reading): Colour[] {
  const found = value.slice(0, 4_000).match(/(?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)/g) ?? []
  return found.slice(0, 20).map((colour) => colourOf(colour, reading))
}

/** The pseudo-elements of an element that are layers of their own. */
function generatedStyles(element: Element): CSSStyleDeclaration[] {
  return ['::before', '::after']
    .map((name) => getComputedStyle(element, name))
    .filter(
      ({ content, position, display, visibility }) =>
        content !== 'none' &&
        content !== 'normal' &&
        display !== 'none' &&
        visibility === 'visible' &&
        (position === 'absolute' || position === 'fixed'),
    )
}

/** What the pseudo-elements of an element paint at a point, if they are positioned. */
function generatedAt(
  x: number,
  y: number,
  element: Element,
  reading: Reading,
  { isInFront }: { isInFront: boolean },
): Paint[] {
  return cached(reading.generated, element, generatedStyles).flatMap((style) => {
    const { position, zIndex } = style
    if (isInFront && Number(zIndex) < 0) return []
    let inherited: Element = element
    while (getComputedStyle(inherited).position === 'static' && inherited.parentElement)
      inherited = inherited.parentElement
    const box = position === 'fixed' ? { left: 0, top: 0 } : boxOf(inherited)
    const [left, top, width, height] = [style.left, style.top, style.width, style.height].map((value) =>
      Number.parseFloat(value),
    ) as [number, number, number, number]
    const isAt =
      x >= box.left + left && x <= box.left + left + width && y >= box.top + top && y <= box.top + top + height
    if (!isAt) return []
    const isLarge = width >= innerWidth * 0.9 && height >= innerHeight * 0.9
    return [{ ...backgroundOf(style, reading), isLarge, opacity: Number(style.opacity) }]
  })
}

/** The colour behind a text; `undefined` if an image is there. @param behind  From the text's own element to the back. */
function backdropAt(x: number, y: number, behind: readonly Element[], reading: Reading): Colour | undefined {
  let colour: Colour = { red: 0, green: 0, blue: 0, alpha: 0 }
  for (const element of behind) {
    const generated = generatedAt(x, y, element, reading, { isInFront: false })
    for (const { colours, isUnknown, opacity } of [...generated, paintOf(element, reading)]) {
      if (isUnknown && opacity > 0.1) return undefined
      const [own] = colours
      if (own) colour = blend(colour, { ...own, alpha: own.alpha * opacity })
      if (colour.alpha >= 0.98) return colour
    }
  }
  return blend(colour, colourOf('Canvas', reading))
}

/** @param box  What the text inherits its colour from. */
function isLegible(box: Element, backdrop: Colour | undefined, reading: Reading): boolean {
  const MIN_ALPHA = 0.15
  const style = getComputedStyle(box)
  const { webkitTextFillColor, webkitTextStrokeWidth, webkitTextStrokeColor, textShadow } = style
  const fill = colourOf(webkitTextFillColor, reading)
  const { opacity } = paintOf(box, reading)
  const isSeen = (colour: Colour) => {
    const alpha = colour.alpha * opacity
    return alpha >= MIN_ALPHA && (!backdrop || isDistinct(blend({ ...colour, alpha }, backdrop), backdrop))
  }
  if (isSeen(fill)) return true
  const hasStroke = Number.parseFloat(webkitTextStrokeWidth) > 0
  if (hasStroke && isSeen(colourOf(webkitTextStrokeColor, reading))) return true
  if (textShadow !== 'none' && coloursIn(textShadow, reading).some(isSeen)) return true
  if (fill.alpha >= 0.5) return false
  // A background that fills the letters.
  for (let at: Element | null = box, depth = 0; at && depth < 5; at = at.parentElement, depth++) {
    const { backgroundClip, backgroundImage, backgroundColor } = getComputedStyle(at)
    if (!backgroundClip.includes('text')) continue
    return (
      backgroundImage.includes('url(') ||
      [...coloursIn(backgroundImage, reading), colourOf(backgroundColor, reading)].some(isSeen)
    )
  }
  return false
}

/** One colour in front of another. */
function blend(front: Colour, back: Colour): Colour {
  const alpha = front.alpha + back.alpha * (1 - front.alpha)
  const mix = (one: number, other: number) =>
    alpha === 0 ? 0 : (one * front.alpha + other * back.alpha * (1 - front.alpha)) / alpha
  const { red, green, blue } = front
  return { red: mix(red, back.red), green: mix(green, back.green), blue: mix(blue, back.blue), alpha }
}

/** Whether people can tell two colours apart: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function isDistinct(one: Colour, other: Colour): boolean {
  const MIN_CONTRAST = 1.25
  const MIN_DIFFERENCE = 60
  const luminanceOf = ({ red, green, blue }: Colour) =>
    [red, green, blue]
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index]!, 0.05)
  const [light, dark] = [luminanceOf(one), luminanceOf(other)]
  const difference = Math.max(
    Math.abs(one.red - other.red),
    Math.abs(one.green - other.green),
    Math.abs(one.blue - other.blue),
  )
  return Math.max(light / dark, dark / light) >= MIN_CONTRAST || difference >= MIN_DIFFERENCE
}

/** Any CSS colour; a canvas knows all notations. `Canvas` depends on the scheme of the document. */
function colourOf(css: string, reading: Reading): Colour {
  return cached(reading.colours, css, () => {
    const [, ...numbers] = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css) ?? []
    if (numbers.length > 0) {
      const [red = 0, green = 0, blue = 0, alpha = 1] = numbers.map((value) =>
        value === undefined ? 1 : Number(value),
      )
      return { red, green, blue, alpha }
    }
    if (css === 'Canvas') {
      const scheme = getComputedStyle(document.documentElement).colorScheme
      const isDark =
        /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches)
      const value = isDark ? 18 : 255
      return { red: value, green: value, blue: value, alpha: 1 }
    }
    const { context } = reading
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = css
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
    return { red, green, blue, alpha: alpha / 255 }
  })
}

/** What filters leave of an element. */
function filterOpacity({ filter, maskImage }: CSSStyleDeclaration, reading: Reading): number {
  const MAX_BLUR = 6
  const [, opacity = '1'] = /opacity\(([\d.]+)\)/.exec(filter) ?? []
  const [, blur = '0'] = /blur\(([\d.]+)px\)/.exec(filter) ?? []
  if (Number(blur) > MAX_BLUR) return 0
  const isMasked = maskImage && maskImage !== 'none' && !maskImage.includes('url(')
  const stops = isMasked ? coloursIn(maskImage, reading) : []
  return Number(opacity) * (stops.length > 0 ? Math.max(...stops.map(({ alpha }) => alpha)) : 1)
}

function cached<Key extends object | string, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  compute: (key: Key) => Value,
): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const value = compute(key)
  values.set(key, value)
  return value
}

/** Lets every element be found at its place: some let the pointer through. @returns Undoes it. */
function makeHittable({ roots }: Reading): () => void {
  const MAX_ELEMENTS = 500
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*,::before,::after{pointer-events:auto!important}')
  const changed: { element: Element; name: string; value: string }[] = []
  for (const root of roots) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    for (const element of [...root.querySelectorAll('[inert],[style*="pointer-events" i]')].slice(0, MAX_ELEMENTS))
      for (const name of ['inert', 'style']) {
        const value = element.getAttribute(name)
        if (value === null) continue
        changed.push({ element, name, value })
        if (name === 'inert') element.removeAttribute(name)
        // A rule of the page cannot override what the attribute declares as important.
        else element.setAttribute(name, `${value};pointer-events:auto!important`)
      }
  }
  return () => {
    for (const root of roots) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
    for (const { element, name, value } of changed) element.setAttribute(name, value)
  }
}

/** HTML with what is visible alone. */
function write(node: Output): string {
  if (!hasContent(node)) return spaceOf(node)
  const VOID = new Set(['img', 'br', 'hr', 'input'])
  const children = node.children.map((child) => {
    if ('tag' in child) return write(child)
    if (!child.isVisible) return ''
    const text = escapeHtml(child.node.data.slice(child.start, child.end))
    const keepsLines =
      !child.inherited.isPreformatted && /^(?:pre|break)/.test(getComputedStyle(child.parent).whiteSpace)
    return keepsLines ? text.replace(/\n/g, '<br>') : text
  })
  const end = VOID.has(node.tag) ? '' : `</${node.tag}>`
  const space = node.isBox ? ' ' : ''
  const written = `${space}<${node.tag}${node.attributes}>${children.join('')}${end}${space}`
  return node.isBlock ? `<div>${written}</div>` : written
}

/** The space in elements without other content, which parts words, and lines of code. */
function spaceOf(node: Output): string {
  return node.children
    .map((child) => {
      if ('tag' in child) return spaceOf(child)
      const text = child.node.data.slice(child.start, child.end)
      return child.isVisible && !/\S/.test(text) ? text : ''
    })
    .join('')
}

function hasContent(node: Output): boolean {
  if (/^(?:img|br|hr|td|th|body)$/.test(node.tag)) return true
  return node.children.some((child) =>
    'tag' in child ? hasContent(child) : child.isVisible && /\S/.test(child.node.data.slice(child.start, child.end)),
  )
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** An absolute URL of http or https; `undefined` for others. */
function webUrl(written: string | null, element: Element): string | undefined {
  const MAX_CHARS = 2_000
  if (!written || written.length > MAX_CHARS) return undefined
  try {
    const { protocol, href } = new URL(written, element.baseURI)
    return /^https?:$/.test(protocol) && href.length <= MAX_CHARS ? href : undefined
  } catch {
    return undefined
  }
}
