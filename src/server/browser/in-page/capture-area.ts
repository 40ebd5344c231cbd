// What is captured, brought into its final form: elements are found, what scrolls inside is expanded, what lies over it is removed.
import type { PageScript } from './page-script.js'

/** How far the main content of the page, or of an inner element, scrolls. */
export interface ScrollArea {
  /** Whether an element scrolls, and not the document. */
  isInner: boolean
  /** CSS pixels. */
  top: number
  contentHeight: number
  visibleHeight: number
}

export interface ExpandedArea {
  /** CSS pixels that remain out of sight, because the content is longer than the limit or its box cannot grow. */
  hiddenHeight: number
  /** CSS pixels that the box shows now. */
  height: number
  /** Where it ends, from the top of the document. */
  bottom: number
}

/**
 * Scrolls what the viewport shows, and waits two frames, which intersection observers need to run and to render.
 *
 * @param top  `null`: measures only.
 */
export const scrollMainArea: PageScript<[top: number | null], Promise<ScrollArea>> = {
  run: scrollMain,
  helpers: [...scrollerHelpers(), afterFrames],
}

/**
 * Renders what the browser renders in the viewport only: content that it skips until it is near, which gets its own height, and with
 * `isWhole`, backgrounds that stay where the viewport is.
 */
export const renderOutside: PageScript<[isWhole: boolean], void> = {
  run: renderAll,
  helpers: [allElements, shadowOf, setStyles, styleOf],
}

/** Makes the element that scrolls as tall as its content, at most `maxHeight`. @returns `undefined` if the document scrolls. */
export const expandMainArea: PageScript<[maxHeight: number], Promise<ExpandedArea | undefined>> = {
  run: expandMain,
  helpers: [
    ...scrollerHelpers(),
    afterFrames,
    expand,
    growTo,
    heightsBelow,
    keepHeights,
    release,
    setStyles,
    styleOf,
    enclose,
    gapsBelow,
  ],
}

/** Makes what stays in the viewport, and fills it behind the page, as large as the page, as if all of that were in sight. */
export const stretchBackdrops: PageScript<[], void> = {
  run: stretchBehind,
  helpers: [allElements, shadowOf, flatParent, isWithin, setStyles, styleOf],
}

/** Moves what stays at the bottom of the viewport, such as a bar with tabs, to the end of the page, where it covers no text. */
export const moveBarsToEnd: PageScript<[], void> = {
  run: moveBars,
  helpers: [allElements, shadowOf, flatParent, isScrollable, isFramed, scrolledContent, setStyles, styleOf],
}

/** Lets a page scroll whose root element or body is fixed, and taller than the viewport. */
export const releaseRoot: PageScript<[], void> = { run: releaseFixed, helpers: [setStyles, styleOf] }

/** Text below a screen that does not scroll, which nobody can reach by scrolling. @returns Its characters. */
export const measureHidden: PageScript<[], number> = {
  run: countHidden,
  helpers: [...scrollerHelpers()],
}

export type Reached =
  | { state: 'invalid' | 'missing' | 'hidden' | 'empty' }
  /** `isExpanded`: it or an element around it has grown, so more of the page may load now. */
  | { state: 'found'; isExpanded: boolean; hiddenHeight: number }

/** Edges in the viewport of the frame; CSS pixels. */
export interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Finds an element, and scrolls it into view.
 *
 * `capture` needs it to be visible, expands what scrolls in it, and what scrolls around it and is smaller. `click` needs it to be visible.
 */
export const reachElement: PageScript<
  [selector: string, use: 'capture' | 'click' | 'scroll', maxHeight: number],
  Promise<Reached>
> = {
  run: reach,
  helpers: [findElement, selectorParts, deepMatches, boxOf, showAll, scrollThrough, ...expandMainArea.helpers],
}

/**
 * Where the part of an element is that is not cut off by elements around it; `undefined` if it is gone. `isCut` if the rest can be
 * scrolled into view.
 */
export const measureElement: PageScript<[selector: string], (Edges & { isCut: boolean }) | undefined> = {
  run: measure,
  helpers: [findElement, selectorParts, deepMatches, boxOf, visibleEdges, flatParent],
}

/** The same for the content of a frame element, with the corner that its content begins at. */
export const measureFrame: PageScript<[frame: HTMLElement, isScrolled: boolean], Edges & { x: number; y: number }> = {
  run: measureFrameElement,
  helpers: [boxOf, visibleEdges, flatParent],
}

/** Makes a frame as tall as its content, which this document may not read. @returns `undefined` if it is not what the viewport shows. */
export const expandFrame: PageScript<
  [frame: HTMLElement, contentHeight: number, maxHeight: number],
  ExpandedArea | undefined
> = { run: expandFrameElement, helpers: [release, setStyles, styleOf, enclose, gapsBelow, flatParent] }

/**
 * Removes what stays in the viewport, such as a header, from the box of elements that it does not belong to; for the time being if it
 * `isRestored` later.
 */
export const uncoverElements: PageScript<[selectors: readonly string[], box: Edges, isRestored: boolean], void> = {
  run: uncover,
  helpers: [
    findElement,
    selectorParts,
    deepMatches,
    allElements,
    shadowOf,
    flatParent,
    isWithin,
    isInFront,
    setStyles,
    styleOf,
  ],
}

export const restoreElements: PageScript<[], void> = { run: restore, helpers: [allElements, shadowOf, styleOf] }

async function scrollMain(top: number | null): Promise<ScrollArea> {
  const scroller = mainScroller()
  const area = scroller ? scrolledContent(scroller) : (document.scrollingElement ?? document.documentElement)
  if (top !== null) {
    if (scroller) area.scrollTo({ top, behavior: 'instant' })
    else scrollTo({ top, behavior: 'instant' })
    await afterFrames()
  }
  return {
    isInner: scroller !== undefined,
    top: area.scrollTop,
    contentHeight: area.scrollHeight,
    visibleHeight: scroller ? area.clientHeight : innerHeight,
  }
}

function renderAll(isWhole: boolean): void {
  const elements = allElements(document)
  // Reads all before it writes, for one layout.
  const styles = elements.map((element) => {
    const { contentVisibility, backgroundAttachment } = getComputedStyle(element)
    return { isSkipped: contentVisibility === 'auto', isFixed: isWhole && backgroundAttachment.includes('fixed') }
  })
  for (const [index, { isSkipped, isFixed }] of styles.entries()) {
    if (isSkipped) setStyles(elements[index]!, { 'content-visibility': 'visible' })
    if (isFixed) setStyles(elements[index]!, { 'background-attachment': 'scroll' })
  }
}

async function expandMain(maxHeight: number): Promise<ExpandedArea | undefined> {
  const scroller = mainScroller()
  return scroller && expand(scroller, maxHeight)
}

function afterFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

/** What `mainScroller` needs. */
function scrollerHelpers() {
  return [
    mainScroller,
    coversCentre,
    hiddenScroller,
    hasHiddenContent,
    allElements,
    shadowOf,
    flatParent,
    isScrollable,
    isFramed,
    scrolledContent,
  ]
}

/** All elements below a node, including those in shadow roots that are open, or opened by the service; at most 50,000. */
function allElements(root: ParentNode): HTMLElement[] {
  const elements: HTMLElement[] = []
  const roots: ParentNode[] = [root]
  for (let next = roots.pop(); next && elements.length < 50_000; next = roots.pop())
    for (const element of next.querySelectorAll<HTMLElement>('*')) {
      elements.push(element)
      const shadow = shadowOf(element)
      if (shadow) roots.push(shadow)
    }
  return elements
}

/** The shadow root of an element, if it is open, or opened by the service: see `closed-hosts.ts`. */
function shadowOf(element: Element): ShadowRoot | null {
  const { openedRoots } =
    (globalThis as { pagePreview?: { openedRoots?: WeakMap<Element, ShadowRoot> } }).pagePreview ?? {}
  return element.shadowRoot ?? openedRoots?.get(element) ?? null
}

/** The parent in the tree that is rendered. */
function flatParent(element: Element): HTMLElement | null {
  const root = element.getRootNode()
  return (element.assignedSlot ??
    element.parentElement ??
    (root instanceof ShadowRoot ? root.host : null)) as HTMLElement
}

/** The document of a frame that this one may read. */
function isFramed(element: Element): element is HTMLIFrameElement {
  return element instanceof HTMLIFrameElement && element.contentDocument?.scrollingElement != null
}

/** What has the scroll position: the element itself, or the document in a frame. */
function scrolledContent(element: HTMLElement): Element {
  return isFramed(element) ? element.contentDocument!.scrollingElement! : element
}

/** Whether a visitor can scroll the element up and down. The overflow of `html`, or else of `body`, is the viewport's. */
function isScrollable(element: HTMLElement): boolean {
  if (isFramed(element)) return !/hidden|clip/.test(getComputedStyle(scrolledContent(element)).overflowY)
  if (element === document.documentElement || /^(textarea|select)$/.test(element.localName)) return false
  if (element === document.body && getComputedStyle(document.documentElement).overflow === 'visible') return false
  return /auto|scroll/.test(getComputedStyle(element).overflowY)
}

/**
 * The element with the main content, if that scrolls in it and not with the document: it covers the centre of the viewport and much
 * of its area. With `root`, the same within an element.
 */
function mainScroller(root?: HTMLElement): HTMLElement | undefined {
  const MIN_OVERFLOW_PX = 20
  const MIN_HEIGHT_SHARE = 0.5
  const MIN_WIDTH_SHARE = 0.4
  /** A document that scrolls this share of the viewport has its content in its own flow. */
  const MAX_DOCUMENT_SHARE = 0.5
  const view = root?.getBoundingClientRect() ?? { left: 0, top: 0, width: innerWidth, height: innerHeight }
  const documentOverflow = root ? 0 : (document.scrollingElement ?? document.documentElement).scrollHeight - innerHeight
  /** `null`: the document scrolls, and nothing in its place. */
  const kept = globalThis as { pagePreviewScroller?: HTMLElement | null | undefined }
  if (!root && kept.pagePreviewScroller?.isConnected) return kept.pagePreviewScroller
  if (documentOverflow > view.height * MAX_DOCUMENT_SHARE) {
    if (root || kept.pagePreviewScroller === null) return undefined
    kept.pagePreviewScroller = hiddenScroller(documentOverflow) ?? null
    return kept.pagePreviewScroller ?? undefined
  }
  const isInDialog = (element: HTMLElement) => {
    for (let each: HTMLElement | null = element; each && each !== root; each = flatParent(each))
      if (each.matches('dialog,[role=dialog],[role=alertdialog],[aria-modal=true]')) return true
    return false
  }
  const overflowOf = (element: HTMLElement) => {
    const { scrollHeight, clientHeight } = scrolledContent(element)
    return scrollHeight - clientHeight
  }
  const [x, y] = [view.left + view.width / 2, view.top + view.height / 2]
  let [main, most] = [undefined as HTMLElement | undefined, Math.max(MIN_OVERFLOW_PX, 2 * documentOverflow)]
  for (const element of [...(root ? [root] : []), ...allElements(root ?? document)]) {
    // The cheap questions first: a page has thousands of elements, and few that scroll.
    if (element.clientHeight < view.height * MIN_HEIGHT_SHARE) continue
    if (element.clientWidth < view.width * MIN_WIDTH_SHARE) continue
    const overflow = overflowOf(element)
    if (overflow < most) continue
    if (!coversCentre(element, x, y)) continue
    if (!isScrollable(element) || !element.checkVisibility({ visibilityProperty: true }) || isInDialog(element))
      continue
    ;[main, most] = [element, overflow]
  }
  return main ?? (root ? undefined : (kept.pagePreviewScroller = hiddenScroller(documentOverflow)))
}

function coversCentre(element: HTMLElement, x: number, y: number): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return left <= x && right >= x && top <= y && bottom >= y
}

/**
 * The element that hides most of a page below its first screen: a library moves the content in it with a transform, when the
 * visitor turns the wheel, or when the document scrolls, which is as tall but empty.
 */
function hiddenScroller(documentOverflow: number): HTMLElement | undefined {
  const MIN_SHARE = 0.9
  const MIN_OVERFLOW_SHARE = 0.5
  /** A document that scrolls for the content of a box in the viewport is about as tall. */
  const MAX_DIFFERENCE = 0.25
  for (const element of allElements(document)) {
    if (element.clientHeight < innerHeight * MIN_SHARE || element.clientWidth < innerWidth * MIN_SHARE) continue
    const overflow = element.scrollHeight - element.clientHeight
    if (overflow < innerHeight * MIN_OVERFLOW_SHARE || element.clientHeight > innerHeight * 1.1) continue
    const { overflowY, position } = getComputedStyle(element)
    if (!/hidden|clip/.test(overflowY) || !coversCentre(element, innerWidth / 2, innerHeight / 2)) continue
    // The overflow of `html`, or else of `body`, is the viewport's.
    if (element === document.documentElement) continue
    if (element === document.body && getComputedStyle(document.documentElement).overflow === 'visible') continue
    const isMovedByScroll =
      position === 'fixed' && Math.abs(overflow - documentOverflow) <= documentOverflow * MAX_DIFFERENCE
    if (documentOverflow > innerHeight * MIN_OVERFLOW_SHARE && !isMovedByScroll) continue
    if (hasHiddenContent(element)) return element
  }
  return undefined
}

/** Whether text or sections follow in the flow below an element that cuts them off; not what a page has put there to move it in. */
function hasHiddenContent(element: HTMLElement): boolean {
  const MIN_CHARS = 100
  const MAX_NODES = 5_000
  const { bottom } = element.getBoundingClientRect()
  const outer = new Map<Element, boolean>()
  /** Whether the outermost box around a node that begins below is in the flow. */
  const isInFlow = (node: Element): boolean => {
    const known = outer.get(node)
    if (known !== undefined) return known
    const parent = node === element ? null : flatParent(node)
    const isOutermost = !parent || parent === element || parent.getBoundingClientRect().top < bottom - 1
    const result = isOutermost ? !/absolute|fixed/.test(getComputedStyle(node).position) : isInFlow(parent)
    outer.set(node, result)
    return result
  }
  let chars = 0
  for (const each of allElements(element).slice(0, MAX_NODES)) {
    const box = each.getBoundingClientRect()
    if (box.top < bottom - 1 || !box.height || box.right <= 0 || box.left >= innerWidth) continue
    const isSection = box.height >= innerHeight * 0.8 && box.width >= innerWidth * 0.8
    let own = 0
    for (const node of each.childNodes) if (node.nodeType === 3) own += (node.nodeValue ?? '').trim().length
    if (!own && !isSection) continue
    if (!each.checkVisibility({ visibilityProperty: true }) || !isInFlow(each)) continue
    if (isSection && (each.textContent.trim() || each.querySelector('img,svg,video,canvas'))) return true
    chars += own
    if (chars >= MIN_CHARS) return true
  }
  return false
}

function releaseFixed(): void {
  const MIN_SHARE = 1.1
  for (const element of [document.documentElement, document.body]) {
    if (!element || getComputedStyle(element).position !== 'fixed') continue
    const bottoms = [...element.querySelectorAll(':scope > *')].map((child) => child.getBoundingClientRect().bottom)
    if (Math.max(0, ...bottoms) > innerHeight * MIN_SHARE) setStyles(element, { position: 'static', height: 'auto' })
  }
}

function stretchBehind(): void {
  const TOLERANCE_PX = 2
  const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9]
  const MAX_LAYERS = 20
  const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.documentElement
  if (scrollHeight <= innerHeight + TOLERANCE_PX) return
  const covers = (left: number, top: number, width: number, height: number) =>
    left <= TOLERANCE_PX &&
    top <= TOLERANCE_PX &&
    left + width >= innerWidth - TOLERANCE_PX &&
    top + height >= innerHeight - TOLERANCE_PX
  const scrolls = (element: Element) => {
    for (let each: Element | null = element; each; each = flatParent(each))
      if (getComputedStyle(each).position === 'fixed') return false
    return element !== document.documentElement && element !== document.body
  }
  /** Whether what scrolls is painted over it. */
  const isBehind = (element: HTMLElement) => {
    const { zIndex, pointerEvents } = getComputedStyle(element)
    if (Number(zIndex) < 0) return true
    const style = styleOf(element)
    const inlineEvents = style?.getPropertyValue('pointer-events') ?? ''
    if (pointerEvents === 'none') setStyles(element, { 'pointer-events': 'auto' })
    const result = SHARES.some((x) =>
      SHARES.some((y) => {
        const hits = document.elementsFromPoint(x * innerWidth, y * innerHeight)
        const at = hits.findIndex((hit) => isWithin(hit, element))
        return hits.slice(0, Math.max(0, at)).some(scrolls)
      }),
    )
    if (pointerEvents === 'none') style?.setProperty('pointer-events', inlineEvents)
    return result
  }
  const size = { height: `${scrollHeight}px`, 'max-height': 'none', bottom: 'auto', transition: 'none' }
  const width = { width: `${scrollWidth}px`, 'max-width': 'none', right: 'auto' }
  const sizes = scrollWidth > innerWidth + TOLERANCE_PX ? { ...size, ...width } : size
  const layers = allElements(document).filter((element) => {
    if (getComputedStyle(element).position !== 'fixed' || element === document.body) return false
    const box = element.getBoundingClientRect()
    return covers(box.left, box.top, box.width, box.height)
  })
  for (const element of layers.slice(0, MAX_LAYERS).filter(isBehind)) {
    const { left, top } = getComputedStyle(element)
    setStyles(element, { left, top, ...sizes })
  }
  const rules = [':root', ':root>body'].flatMap((parent) =>
    ['before', 'after'].flatMap((name) => {
      const element = document.querySelector(parent)
      const style = element && getComputedStyle(element, `::${name}`)
      if (!style || style.content === 'none' || style.position !== 'fixed' || Number(style.zIndex) > 0) return []
      const [x = 0, y = 0, w = 0, h = 0] = [style.left, style.top, style.width, style.height].map(parseFloat)
      if (!covers(x, y, w, h)) return []
      const values = Object.entries({ left: style.left, top: style.top, ...sizes })
      return `${parent}::${name}{${values.map(([key, value]) => `${key}:${value}!important`).join(';')}}`
    }),
  )
  if (!rules.length) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules.join('\n'))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

function moveBars(): void {
  const MAX_BARS = 50
  const MAX_HEIGHT_SHARE = 0.5
  const MAX_DISTANCE_PX = 40
  const { scrollHeight } = document.scrollingElement ?? document.documentElement
  const distance = scrollHeight - innerHeight
  if (distance <= 0 || scrollY > 0) return
  const scrollsItself = (element: HTMLElement) => {
    for (let each = flatParent(element); each; each = flatParent(each)) if (isScrollable(each)) return true
    return false
  }
  const bars = allElements(document).flatMap((element) => {
    const { position, top, bottom } = getComputedStyle(element)
    if (position !== 'fixed' && (position !== 'sticky' || bottom === 'auto')) return []
    const box = element.getBoundingClientRect()
    const isAtBottom = box.bottom <= innerHeight + 2 && box.bottom >= innerHeight - MAX_DISTANCE_PX
    if (!isAtBottom || !box.height || box.height > innerHeight * MAX_HEIGHT_SHARE) return []
    return [{ element, position, top: parseFloat(top) }]
  })
  for (const { element, position, top } of bars.slice(0, MAX_BARS))
    if (position === 'fixed') setStyles(element, { top: `${top + distance}px`, bottom: 'auto', transition: 'none' })
    // At its place in the flow it is part of the page.
    else if (!scrollsItself(element)) setStyles(element, { position: 'relative', inset: 'auto' })
}

function countHidden(): number {
  const MAX_NODES = 20_000
  const scrollHeight = (document.scrollingElement ?? document.documentElement).scrollHeight
  if (scrollHeight > innerHeight * 1.1) return 0
  let chars = 0
  for (const each of allElements(document).slice(0, MAX_NODES)) {
    const box = each.getBoundingClientRect()
    if (box.top < innerHeight || !box.height || box.width < 20 || box.right <= 0 || box.left >= innerWidth) continue
    let own = 0
    for (const node of each.childNodes) if (node.nodeType === 3) own += (node.nodeValue ?? '').trim().length
    if (own && each.checkVisibility({ visibilityProperty: true })) chars += own
  }
  return chars
}

/** A field of this name hides the property of a form. */
function styleOf(element: Element): CSSStyleDeclaration | undefined {
  return element instanceof HTMLElement
    ? (Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style')?.get?.call(element) as CSSStyleDeclaration)
    : undefined
}

function setStyles(element: HTMLElement, styles: Record<string, string>): void {
  for (const [name, value] of Object.entries(styles)) styleOf(element)?.setProperty(name, value, 'important')
}

/**
 * Makes an element that scrolls as tall as its content, and lets the elements around it grow. It gets a height and remains what it
 * is, so that sticky content stays in place, and a list that renders what is in sight renders all of it.
 */
async function expand(scroller: HTMLElement, maxHeight: number): Promise<ExpandedArea> {
  const MAX_ROUNDS = 4
  const content = scrolledContent(scroller)
  content.scrollTo({ top: 0, behavior: 'instant' })
  const gaps = gapsBelow(scroller)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = Math.min(content.scrollHeight, maxHeight) - content.clientHeight
    if (missing <= 0) break
    if (round === 0)
      for (let each: HTMLElement | null = scroller; each; each = flatParent(each)) release(each, scroller)
    const heights = round === 0 && !isFramed(scroller) ? heightsBelow(scroller) : []
    growTo(scroller, content.clientHeight + missing, content)
    keepHeights(heights)
    enclose(scroller, gaps)
    // Content that loads or renders by what is in sight does now.
    await afterFrames()
  }
  return {
    height: content.clientHeight,
    hiddenHeight: Math.max(0, content.scrollHeight - content.clientHeight),
    bottom: scroller.getBoundingClientRect().bottom + scrollY,
  }
}

function expandFrameElement(frame: HTMLElement, contentHeight: number, maxHeight: number): ExpandedArea | undefined {
  const box = frame.getBoundingClientRect()
  const isMain =
    frame.clientHeight >= innerHeight / 2 &&
    frame.clientWidth >= innerWidth * 0.4 &&
    box.left < innerWidth / 2 &&
    box.right > innerWidth / 2 &&
    box.top < innerHeight / 2 &&
    box.bottom > innerHeight / 2
  if (!isMain || contentHeight <= frame.clientHeight) return undefined
  const gaps = gapsBelow(frame)
  for (let each: HTMLElement | null = frame; each; each = flatParent(each)) release(each, frame)
  const height = Math.min(contentHeight, maxHeight)
  const own = parseFloat(getComputedStyle(frame).height) || 0
  setStyles(frame, { height: `${own + height - frame.clientHeight}px` })
  enclose(frame, gaps)
  const bottom = frame.getBoundingClientRect().bottom + scrollY
  return { height, hiddenHeight: Math.max(0, contentHeight - frame.clientHeight), bottom }
}

/** The height may be of the content or of the border box, so it is set twice. */
function growTo(element: HTMLElement, height: number, content: Element): void {
  for (let pass = 0; pass < 2; pass++) {
    const own = parseFloat(getComputedStyle(element).height) || 0
    setStyles(element, { height: `${own + height - content.clientHeight}px` })
  }
}

/** The heights of the elements in a box before it grows. */
function heightsBelow(scroller: HTMLElement): [element: HTMLElement, height: number][] {
  const MAX_ELEMENTS = 5_000
  const elements = allElements(scroller).slice(0, MAX_ELEMENTS)
  return elements.filter(({ offsetHeight }) => offsetHeight > 0).map((element) => [element, element.offsetHeight])
}

/** Elements with a height in per cent of a box keep the height that they had. Reads all before it writes, for one layout each. */
function keepHeights(heights: readonly [element: HTMLElement, height: number][]): void {
  const grown = heights.filter(([element, height]) => element.offsetHeight > height)
  for (const [element, height] of grown)
    setStyles(element, { height: `${height}px`, 'min-height': '0', 'flex-grow': '0' })
  const excesses = grown.map(([element, height]) => ({ element, height, excess: element.offsetHeight - height }))
  for (const { element, height, excess } of excesses)
    if (excess > 0) setStyles(element, { height: `${Math.max(0, height - excess)}px` })
}

/** How far the positioned boxes among a scroller and the elements around it end above what they are placed in, such as for a footer. */
function gapsBelow(scroller: HTMLElement): Map<Element, number> {
  const MAX_SHARE = 0.5
  const gaps = new Map<Element, number>()
  for (let each: HTMLElement | null = scroller; each; each = flatParent(each)) {
    const { position, bottom } = getComputedStyle(each)
    const gap = /^(?:absolute|fixed)$/.test(position) ? parseFloat(bottom) : 0
    if (gap > 0 && gap < innerHeight * MAX_SHARE) gaps.set(each, gap)
  }
  return gaps
}

/** Lets a box grow with its content: the scroller itself, or an element around it. */
function release(element: HTMLElement, scroller: HTMLElement): void {
  const style = getComputedStyle(element)
  const before = element.getBoundingClientRect()
  const { position, top, overflowX, height, display, gridTemplateRows } = style
  const parent = flatParent(element)
  const parentStyle = parent && getComputedStyle(parent)
  const isInColumn = /flex/.test(parentStyle?.display ?? '') && /column/.test(parentStyle?.flexDirection ?? '')
  const isPositioned = position === 'fixed' || position === 'absolute'
  setStyles(element, {
    'max-height': 'none',
    ...(style.contain !== 'none' && { contain: 'none' }),
    // The middle of a taller box is somewhere else.
    ...(style.perspective !== 'none' && { 'perspective-origin': style.perspectiveOrigin }),
    ...(isInColumn && { flex: 'none' }),
    ...(isPositioned && { position: 'absolute', top, bottom: 'auto' }),
    ...(style.transitionDuration !== '0s' && { transition: 'none' }),
  })
  if (element === scroller) setStyles(element, { height })
  else
    setStyles(element, {
      height: 'auto',
      'overflow-x': overflowX === 'visible' ? 'visible' : 'clip',
      'overflow-y': 'visible',
      // Rows of a fixed height would let the next row lie over the content.
      ...(display.includes('grid') && {
        'grid-template-rows':
          gridTemplateRows
            .split(' ')
            .filter((row) => row.endsWith('px'))
            .map((row) => `minmax(${row},auto)`)
            .join(' ') || 'none',
      }),
    })
  if (!isPositioned) return
  const moved = element.getBoundingClientRect().top - before.top
  if (moved) setStyles(element, { top: `${(parseFloat(top) || 0) - moved}px` })
}

/**
 * Makes the elements around a box as tall that they contain it: a positioned box does not count for their height.
 *
 * @param gaps  What they keep free below positioned boxes.
 */
function enclose(scroller: HTMLElement, gaps: ReadonlyMap<Element, number>): void {
  let bottom = scroller.getBoundingClientRect().bottom + (gaps.get(scroller) ?? 0)
  for (let each = flatParent(scroller); each; each = flatParent(each)) {
    const box = each.getBoundingClientRect()
    if (box.bottom < bottom - 1 && !/^(?:inline|contents)$/.test(getComputedStyle(each).display)) {
      const own = parseFloat(getComputedStyle(each).height) || 0
      setStyles(each, { 'min-height': `${own + bottom - box.bottom}px` })
    }
    bottom = Math.max(bottom, each.getBoundingClientRect().bottom) + (gaps.get(each) ?? 0)
  }
}

/** The selectors between `>>>`, each of which also matches in the open shadow roots below the match of the one before. */
function selectorParts(selector: string): string[] {
  const isValid = (part: string) => {
    try {
      document.createDocumentFragment().querySelector(part)
      return true
    } catch {
      return false
    }
  }
  const parts = isValid(selector) ? [selector] : selector.split('>>>').map((part) => part.trim())
  return parts.every(isValid) ? parts : []
}

/** Matches in a tree, then in the open shadow roots in it. */
function deepMatches(root: ParentNode, selector: string): Element[] {
  const matches: Element[] = []
  const roots: ParentNode[] = [root]
  for (let next = roots.shift(); next && roots.length < 5_000; next = roots.shift()) {
    matches.push(...next.querySelectorAll(selector))
    if (next instanceof Element && next.shadowRoot) roots.push(next.shadowRoot)
    for (const { shadowRoot } of next.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot)
  }
  return matches
}

/** The first element that matches, in the document before its open shadow roots; `null` for an invalid selector. */
function findElement(selector: string): HTMLElement | undefined | null {
  const parts = selectorParts(selector)
  if (!parts.length) return null
  // A selector that matches in the document needs no walk through it.
  const first = parts.length === 1 && document.querySelector<HTMLElement>(selector)
  if (first) return first
  let roots: ParentNode[] = [document]
  for (const part of parts) roots = roots.slice(0, 100).flatMap((root) => deepMatches(root, part))
  return roots[0] as HTMLElement | undefined
}

async function reach(selector: string, use: 'capture' | 'click' | 'scroll', maxHeight: number): Promise<Reached> {
  const element = findElement(selector)
  if (!element) return { state: element === null ? 'invalid' : 'missing' }
  const isOpaque = use === 'capture'
  const isShown = (each: Element) => each.checkVisibility({ visibilityProperty: true, opacityProperty: isOpaque })
  const hasBox = getComputedStyle(element).display !== 'contents'
  const shown = hasBox ? element : ([...element.querySelectorAll<HTMLElement>('*')].find(isShown) ?? element)
  if (use !== 'scroll' && !isShown(shown)) {
    // It may be shown once it is in view.
    shown.scrollIntoView({ block: 'center', behavior: 'instant' })
    return { state: 'hidden' }
  }
  const expanded = use === 'capture' && hasBox ? await showAll(element, maxHeight) : undefined
  const { width, height } = boxOf(element)
  const isTall = use === 'capture' && height > innerHeight
  if (use === 'scroll') shown.scrollIntoView({ block: 'start', behavior: 'instant' })
  // What is wider than the box around it begins at the edge of that.
  else shown.scrollIntoView({ block: isTall ? 'start' : 'center', inline: 'nearest', behavior: 'instant' })
  if (use === 'capture' && (!width || !height)) return { state: 'empty' }
  return { state: 'found', isExpanded: expanded !== undefined, hiddenHeight: expanded?.hiddenHeight ?? 0 }
}

/** Expands what scrolls in an element, and what scrolls around it and is less tall. @returns `undefined` if nothing does. */
async function showAll(
  element: HTMLElement,
  maxHeight: number,
): Promise<Pick<ExpandedArea, 'hiddenHeight'> | undefined> {
  let expanded: Pick<ExpandedArea, 'hiddenHeight'> | undefined
  const inner = mainScroller(element)
  if (inner) {
    await scrollThrough(inner)
    expanded = await expand(inner, maxHeight)
  }
  for (let each = flatParent(element); each; each = flatParent(each))
    if (element.offsetHeight > each.clientHeight + 1 && isScrollable(each)) {
      await scrollThrough(each)
      await expand(each, maxHeight)
      expanded ??= { hiddenHeight: 0 }
    }
  return expanded
}

/** Loads what loads on scroll. */
async function scrollThrough(scroller: HTMLElement): Promise<void> {
  const MAX_STEPS = 32
  const content = scrolledContent(scroller)
  for (const image of scroller.querySelectorAll<HTMLImageElement>('[loading=lazy]')) image.loading = 'eager'
  for (let step = 1; step <= MAX_STEPS && content.scrollTop + content.clientHeight < content.scrollHeight - 1; step++) {
    content.scrollTo({ top: step * content.clientHeight, behavior: 'instant' })
    await afterFrames()
  }
}

function measure(selector: string): (Edges & { isCut: boolean }) | undefined {
  const MIN_CUT_PX = 2
  const element = findElement(selector)
  if (!element) return undefined
  const edges = visibleEdges(element)
  const isNarrower = edges.right - edges.left < boxOf(element).width - MIN_CUT_PX
  let isCut = false
  for (let each = isNarrower ? flatParent(element) : null; each && !isCut; each = flatParent(each))
    isCut = each !== document.documentElement && /auto|scroll/.test(getComputedStyle(each).overflowX)
  return { ...edges, isCut }
}

/**
 * An element with `display: contents` has no box but those of its content. The box of an inline one is as high as its text, whatever
 * else is in the line, such as the image of a link.
 */
function boxOf(element: Element): DOMRect {
  const MAX_PARTS = 500
  const { display } = getComputedStyle(element)
  const box = element.getBoundingClientRect()
  if (display === 'contents') {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect()
  }
  if (display !== 'inline' || !(element instanceof HTMLElement)) return box
  let { left, top, right, bottom } = box
  // A field named `children` hides the property of a form.
  const childrenOf = (parent: Element) => [...parent.querySelectorAll(':scope > *')]
  const parts = childrenOf(element)
  for (const [index, part] of parts.entries()) {
    const style = getComputedStyle(part)
    if (index >= MAX_PARTS || /absolute|fixed/.test(style.position) || !part.checkVisibility()) continue
    if (/^(?:inline|contents)$/.test(style.display) && part instanceof HTMLElement) parts.push(...childrenOf(part))
    const inner = part.getBoundingClientRect()
    if (!inner.width || !inner.height) continue
    ;[left, top] = [Math.min(left, inner.left), Math.min(top, inner.top)]
    ;[right, bottom] = [Math.max(right, inner.right), Math.max(bottom, inner.bottom)]
  }
  return new DOMRect(left, top, right - left, bottom - top)
}

/** The edges of an element, without what elements around it cut off. */
function visibleEdges(element: Element): Edges {
  let { left, top, right, bottom } = boxOf(element)
  const root = document.documentElement
  const isViewport = (each: Element) =>
    each === root || (each === document.body && getComputedStyle(root).overflow === 'visible')
  let { position } = getComputedStyle(element)
  for (let each = flatParent(element); each; each = flatParent(each)) {
    const style = getComputedStyle(each)
    const holdsFixed =
      style.transform !== 'none' || style.filter !== 'none' || /paint|strict|content|layout/.test(style.contain)
    // A positioned element is only cut off by the element that it is positioned in, and those around that.
    if (position === 'fixed' && !holdsFixed) continue
    if (position === 'absolute' && style.position === 'static' && !holdsFixed) continue
    if (!isViewport(each) && style.display !== 'inline' && style.display !== 'contents') {
      const box = each.getBoundingClientRect()
      const [x, y] = [box.left + each.clientLeft, box.top + each.clientTop]
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, x), Math.min(right, x + each.clientWidth)]
      if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, y), Math.min(bottom, y + each.clientHeight)]
    }
    position = style.position
  }
  return { left, top, right, bottom }
}

function measureFrameElement(frame: HTMLElement, isScrolled: boolean): Edges & { x: number; y: number } {
  if (isScrolled) frame.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(frame)
  const box = frame.getBoundingClientRect()
  const x = box.left + frame.clientLeft + parseFloat(paddingLeft)
  const y = box.top + frame.clientTop + parseFloat(paddingTop)
  const { left, top, right, bottom } = visibleEdges(frame)
  if (!frame.checkVisibility({ visibilityProperty: true })) return { x, y, left: x, top: y, right: x, bottom: y }
  return {
    x,
    y,
    left: Math.max(left, x),
    top: Math.max(top, y),
    right: Math.min(right, box.left + frame.clientLeft + frame.clientWidth - parseFloat(paddingRight)),
    bottom: Math.min(bottom, box.top + frame.clientTop + frame.clientHeight - parseFloat(paddingBottom)),
  }
}

function isWithin(element: Element, ancestor: Element): boolean {
  for (let each: Element | null = element; each; each = flatParent(each)) if (each === ancestor) return true
  return false
}

/** Whether an element that stays in the viewport is painted over the others, or over anything, at a point. */
function isInFront(element: HTMLElement, others: readonly Element[], x: number, y: number): boolean {
  const { pointerEvents, zIndex } = getComputedStyle(element)
  for (const hit of pointerEvents === 'none' ? [] : document.elementsFromPoint(x, y)) {
    if (isWithin(hit, element) || (hit.shadowRoot && isWithin(element, hit))) return true
    if (!others.length || others.some((other) => isWithin(hit, other))) return false
  }
  // The pointer passes through it, or the point is outside of the viewport.
  const layer = parseInt(zIndex) || 0
  const follows = others.every((other) => other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
  return layer > 0 || (layer === 0 && follows)
}

function uncover(selectors: readonly string[], box: Edges, isRestored: boolean): void {
  const targets = selectors.map((selector) => findElement(selector)).filter((target) => target != null)
  // They are in frames, and so may be anything that is in the box.
  if (!targets.length && !isRestored) return
  for (const element of allElements(document)) {
    const { position } = getComputedStyle(element)
    if (position !== 'fixed' && position !== 'sticky') continue
    const edges = element.getBoundingClientRect()
    const left = Math.max(edges.left, box.left)
    const top = Math.max(edges.top, box.top)
    const [right, bottom] = [Math.min(edges.right, box.right), Math.min(edges.bottom, box.bottom)]
    if (left >= right || top >= bottom) continue
    if (targets.some((target) => isWithin(target, element))) continue
    if (isRestored) {
      const frames = [...element.querySelectorAll('iframe')].map((frame) => frame.getBoundingClientRect())
      const isAround = frames.some(
        (frame) => frame.left <= box.left && frame.right >= box.right && frame.top <= box.top + 1,
      )
      if (isAround || !isInFront(element, targets, (left + right) / 2, (top + bottom) / 2)) continue
      const style = styleOf(element)
      style?.setProperty('--page-preview-opacity', style.opacity || 'initial')
      setStyles(element, { opacity: '0' })
    }
    // At its place in the flow it is part of the page.
    else if (position === 'sticky') setStyles(element, { position: 'relative', inset: 'auto' })
    else if (targets.some((target) => isWithin(element, target))) continue
    else if (isInFront(element, targets, (left + right) / 2, (top + bottom) / 2))
      setStyles(element, { opacity: '0', transition: 'none' })
  }
}

function restore(): void {
  for (const element of allElements(document)) {
    const style = styleOf(element)
    const opacity = style?.getPropertyValue('--page-preview-opacity')
    if (!style || !opacity) continue
    style.setProperty('opacity', opacity === 'initial' ? '' : opacity)
    style.removeProperty('--page-preview-opacity')
  }
}
