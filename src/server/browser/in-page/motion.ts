// What moves, fades in or is drawn on a page by itself, seen and brought to its end.
import type { OpenedRoots } from './closed-hosts.js'
import type { PageScript } from './page-script.js'

/** What the isolated world remembers between its scripts. */
interface Memory extends OpenedRoots {
  motion?: {
    observer: MutationObserver
    /** It does not see into shadow roots by itself, and they may be added later. */
    observed: WeakSet<Node>
    /** The last changes, and when they were seen: `performance.now()`. */
    recent: { element: Element; at: number }[]
    /** Elements of which scripts have changed attributes. */
    changed: WeakSet<Node>
    /** Of large drawings: what they looked like. */
    drawings: Map<Element, string>
  }
}

/** Begins to observe what scripts change; once in a document. */
export const watchMotion: PageScript<[], void> = { run: watch, helpers: [memory, treesInDocument, observeTrees] }

export interface Motion {
  /** Whether scripts have changed something visible within that time. */
  isMoving: boolean
  /** How many places are kept free for what is still transparent. */
  hiddenCount: number
  /** Large drawings. */
  drawingCount: number
  /** Whether what covers the viewport says no more than that the page is loading. */
  isBehindLoader: boolean
}

/**
 * @param isWhole     Whether changes outside of the viewport count.
 * @param isAnimated  Whether animations of CSS that end count.
 */
export const readMotion: PageScript<[withinMs: number, isWhole: boolean, isAnimated: boolean], Promise<Motion>> = {
  run: read,
  helpers: [
    memory,
    treesInDocument,
    observeTrees,
    hiddenPlaces,
    isMovedAway,
    isMessage,
    isOnScreen,
    isBehindSibling,
    drawingOf,
    isBehindLoader,
    isAnimating,
  ],
}

/**
 * Shows what scripts show only while it is scrolled into view, or not any more once it was scrolled past: in a screenshot of the whole
 * page, everything is in view.
 */
export const revealContent: PageScript<[], number> = {
  run: reveal,
  helpers: [memory, treesInDocument, hiddenPlaces, isMovedAway, isMessage, isBehindSibling],
}

function memory(): Memory {
  const world = globalThis as { pagePreview?: Memory }
  return (world.pagePreview ??= {})
}

function isOnScreen(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return bottom >= 0 && right >= 0 && top < innerHeight && left < innerWidth && element.checkVisibility()
}

function watch(): void {
  const MAX_RECENT = 60
  const MAX_OF_ONE_MOMENT = 10
  const kept = memory()
  if (kept.motion) return
  const observer = new MutationObserver((records) => {
    const at = performance.now()
    const targets = new Set<Element>()
    for (const { target, type } of records) {
      const element = target.nodeType === 1 ? (target as Element) : target.parentElement
      if (!element) continue
      if (type === 'attributes') motion.changed.add(element)
      if (targets.size < MAX_OF_ONE_MOMENT) targets.add(element)
    }
    motion.recent.push(...[...targets].map((element) => ({ element, at })))
    motion.recent.splice(0, motion.recent.length - MAX_RECENT)
  })
  const motion: NonNullable<Memory['motion']> = {
    observer,
    observed: new WeakSet(),
    recent: [],
    changed: new WeakSet(),
    drawings: new Map(),
  }
  kept.motion = motion
  observeTrees(treesInDocument())
}

/** @returns Whether some of them have not been observed before. */
function observeTrees(trees: readonly (Document | ShadowRoot)[]): boolean {
  const { observer, observed } = memory().motion ?? {}
  const added = trees.filter((tree) => observed?.has(tree) === false)
  for (const tree of added) {
    observed?.add(tree)
    observer?.observe(tree, { subtree: true, attributes: true, childList: true, characterData: true })
  }
  return added.length > 0
}

async function read(withinMs: number, isWhole: boolean, isAnimated: boolean): Promise<Motion> {
  const { motion } = memory()
  const MIN_SHARE = 0.05
  const MAX_DRAWINGS = { whole: 20, viewport: 5 }
  const MAX_ELEMENTS = { whole: 20_000, viewport: 3_000 }
  const part = isWhole ? 'whole' : 'viewport'
  const trees = treesInDocument()
  const drawings = trees
    .flatMap((tree) => [...tree.querySelectorAll('canvas')])
    .filter((canvas) => canvas.offsetWidth * canvas.offsetHeight >= innerWidth * innerHeight * MIN_SHARE)
    .filter((canvas) => isWhole || isOnScreen(canvas))
    .slice(0, MAX_DRAWINGS[part])
  // Of a page that is slow to draw, the next frame tells whether something moves.
  if (observeTrees(trees) || drawings.length || motion?.recent.length)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  let hasRedrawn = false
  for (const canvas of drawings) {
    const drawing = drawingOf(canvas)
    const previous = motion?.drawings.get(canvas)
    motion?.drawings.set(canvas, drawing)
    if (previous !== undefined && previous !== drawing) hasRedrawn = true
  }
  const since = performance.now() - withinMs
  const isRecent = ({ element, at }: { element: Element; at: number }) =>
    at >= since && (isWhole || isOnScreen(element))
  return {
    isMoving: hasRedrawn || motion?.recent.some(isRecent) === true || (isAnimated && isAnimating(trees)),
    hiddenCount: hiddenPlaces(trees, MAX_ELEMENTS[part]).filter((place) => isWhole || isOnScreen(place)).length,
    drawingCount: drawings.length,
    isBehindLoader: isBehindLoader(),
  }
}

function isAnimating(trees: readonly (Document | ShadowRoot)[]): boolean {
  return trees
    .flatMap((tree) => tree.getAnimations())
    .some(
      ({ playState, timeline, effect }) =>
        playState === 'running' &&
        timeline instanceof DocumentTimeline &&
        effect?.getComputedTiming().endTime !== Infinity,
    )
}

function isBehindLoader(): boolean {
  const NAMES = /pre-?load|loader|loading|splash|spinner|page-?transition|intro-?screen/i
  const MAX_CHARS = 40
  const MIN_SHARE = 0.9
  const front = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  for (let at = front; at && at !== document.body && at !== document.documentElement; at = at.parentElement) {
    const { width, height } = at.getBoundingClientRect()
    const isCover = width >= innerWidth * MIN_SHARE && height >= innerHeight * MIN_SHARE
    if (!isCover || !/^(?:fixed|absolute)$/.test(getComputedStyle(at).position)) continue
    const names = ['id', 'class'].map((name) => at.getAttribute(name) ?? '').join(' ')
    if (NAMES.test(names) && (at.textContent ?? '').trim().length <= MAX_CHARS) return true
  }
  return false
}

/** A few bytes that change with what a canvas shows; always the same if it may not be read. */
function drawingOf(canvas: HTMLCanvasElement): string {
  const SIDE = 24
  try {
    const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d')!
    context.drawImage(canvas, 0, 0, SIDE, SIDE)
    return String(context.getImageData(0, 0, SIDE, SIDE).data)
  } catch {
    return ''
  }
}

/**
 * Elements that take a place in the flow of the page without being seen, and that scripts show: they have changed them, or a style or
 * a name says so, or the place is so large that it would be a hole. Not what waits for the pointer, and not the slides behind another.
 */
function hiddenPlaces(trees: readonly (Document | ShadowRoot)[], maxElements: number): HTMLElement[] {
  const MIN_AREA_PX = { changed: 300, named: 24_000 }
  const MIN_HOLE_SHARE = 0.1
  const NAMES =
    /(?:^|[\s_-])(?:aos|sal|wow|sr|reveal\w*|scroll\w*|animat\w*|fade\w*|appear\w*|slide-?(?:in|up)\w*|in-?view\w*|motion\w*|lazy\w*|blur-up|elementor-invisible|uk-scrollspy\w*)(?:$|[\s_-])/i
  const MEDIA = 'img,svg,canvas'
  /** Lines of a text are moved by the name of what they are in. */
  const MAX_LEVELS = 4
  /** What a page says when something has happened. */
  const ANNOUNCED = '[role=status],[role=alert],[role=tooltip],[aria-live=polite],[aria-live=assertive],output'
  const { motion } = memory()
  const isInvisible = (style: CSSStyleDeclaration) => style.visibility === 'hidden'
  const hasChanged = (element: HTMLElement, levels: number) => {
    let at: HTMLElement | null = element
    for (let level = 0; at && at !== document.body && level < levels; level++, at = at.parentElement)
      if (motion?.changed.has(at)) return true
    return false
  }
  const places: HTMLElement[] = []
  const elements = trees.flatMap((tree) => [...tree.querySelectorAll<HTMLElement>(tree === document ? 'body *' : '*')])
  for (const element of elements.slice(0, maxElements)) {
    // The cheap questions first.
    const area = element.offsetWidth * element.offsetHeight
    if (!(area >= MIN_AREA_PX.changed) || /^(?:input|select|textarea|button|video|iframe)$/.test(element.localName))
      continue
    const style = getComputedStyle(element)
    const { opacity, position } = style
    if (position === 'absolute' || position === 'fixed') continue
    const isAway = Number(opacity) > 0.05 && !isInvisible(style) && isMovedAway(element, style)
    if (Number(opacity) > 0.05 && !isInvisible(style) && !isAway) continue
    // Its parent is the place.
    if (isInvisible(style) && (!element.parentElement || isInvisible(getComputedStyle(element.parentElement)))) continue
    if (element.closest('[aria-hidden=true],[inert]') && !element.matches(MEDIA)) continue
    if (element.closest(ANNOUNCED)) continue
    const names = `${element.getAttribute('class') ?? ''} ${element.getAttributeNames().join(' ')}`
    const ownStyles = isAway ? /transform|scale|clip-path/ : /opacity/
    const isScripted =
      hasChanged(element, isAway ? MAX_LEVELS : 1) || ownStyles.test(element.getAttribute('style') ?? '')
    const isHole = area >= innerWidth * innerHeight * MIN_HOLE_SHARE && !isInvisible(style) && !isAway
    const isNamed = area >= MIN_AREA_PX.named && NAMES.test(names) && !isAway
    const isPlace = isNamed || ((isScripted || isHole) && !isMessage(element, area < MIN_AREA_PX.named))
    if (!isPlace || isBehindSibling(element)) continue
    if (/\S/.test(element.textContent ?? '') || element.matches(MEDIA) || element.querySelector(MEDIA))
      places.push(element)
  }
  return places
}

/** Whether nothing is seen of it at its place, because it is made small, cut off, or moved out of the box that cuts it off. */
function isMovedAway(element: HTMLElement, { transform, translate, scale, clipPath }: CSSStyleDeclaration): boolean {
  if (/^(?:inset\([^()]*\b100%|circle\(0)/.test(clipPath)) return true
  if ([transform, translate, scale].every((value) => value === 'none')) return false
  const box = element.getBoundingClientRect()
  if (box.width < 1 || box.height < 1) return true
  const { parentElement: parent, offsetWidth, offsetHeight } = element
  if (!parent || getComputedStyle(parent).overflow === 'visible') return false
  const outer = parent.getBoundingClientRect()
  const isOut =
    box.right <= outer.left + 1 ||
    box.left >= outer.right - 1 ||
    box.bottom <= outer.top + 1 ||
    box.top >= outer.bottom - 1
  // Its place, other than the one of a slide that waits beside the others.
  const [left, top] = [element.offsetLeft, element.offsetTop]
  const [x, y] = element.offsetParent === parent ? [left, top] : [left - parent.offsetLeft, top - parent.offsetTop]
  const isPlaceInSight =
    x < parent.offsetWidth && x + offsetWidth > 0 && y < parent.offsetHeight && y + offsetHeight > 0
  return isOut && isPlaceInSight
}

/**
 * Whether it is a short text that answers what a visitor does: beside a field, a form or a button, or with several words, `isSmall` and
 * without a sign that it is moved.
 */
function isMessage(element: HTMLElement, isSmall: boolean): boolean {
  const MAX_CHARS = 200
  const MAX_ELEMENTS = 8
  const FIELDS = 'input,select,textarea,button'
  const PARTS = `h1,h2,h3,h4,h5,h6,img,svg,canvas,video,${FIELDS}`
  if (element.matches(PARTS) || element.getElementsByTagName('*').length > MAX_ELEMENTS) return false
  const text = (element.textContent ?? '').trim()
  if (text.length > MAX_CHARS || element.querySelector(PARTS)) return false
  const isBeside = [element.previousElementSibling, element.nextElementSibling].some((other) =>
    other?.matches(`form,label,${FIELDS}`),
  )
  if (isBeside || element.closest('form')) return true
  const { transform, translate, scale, filter, willChange, transitionDuration } = getComputedStyle(element)
  const isMoved =
    [transform, translate, scale, filter].some((value) => value !== 'none') ||
    willChange !== 'auto' ||
    /[1-9]/.test(transitionDuration)
  return isSmall && !isMoved && /\s/.test(text)
}

/** Whether one of its siblings shows itself in the same place. */
function isBehindSibling(element: HTMLElement): boolean {
  const MAX_SIBLINGS = 30
  const box = element.getBoundingClientRect()
  return [...(element.parentElement?.children ?? [])].slice(0, MAX_SIBLINGS).some((other) => {
    if (other === element || Number(getComputedStyle(other).opacity) < 0.5) return false
    const { left, top, right, bottom } = other.getBoundingClientRect()
    const width = Math.min(right, box.right) - Math.max(left, box.left)
    const height = Math.min(bottom, box.bottom) - Math.max(top, box.top)
    return width > 0 && height > 0 && width * height >= (box.width * box.height) / 2
  })
}

function reveal(): number {
  const FINAL = {
    opacity: '1',
    visibility: 'visible',
    transform: 'none',
    translate: 'none',
    scale: 'none',
    filter: 'none',
    'clip-path': 'none',
    transition: 'none',
  }
  const MAX_ELEMENTS = 20_000
  const places = hiddenPlaces(treesInDocument(), MAX_ELEMENTS)
  for (const element of places) {
    // A field of this name hides the property of a form.
    const style = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style')!.get!.call(
      element,
    ) as CSSStyleDeclaration
    for (const [name, value] of Object.entries(FINAL)) style.setProperty(name, value, 'important')
  }
  return places.length
}

/**
 * Moves every finite animation to its end and every infinite one to its start, so that the same page has the same screenshot. Pausing
 * them where they are would show half-faded pages. One that follows the scroll position is where it belongs; on a whole page, what it
 * shows while it passes the viewport is shown.
 *
 * @param isFrozen  Whether those that follow the time are moved.
 * @returns  How many there were.
 */
export const finishAnimations: PageScript<[isWhole: boolean, isFrozen: boolean], number> = {
  run: finishAll,
  helpers: [memory, treesInDocument, finishScrolled, showOneMoment, seenShareOf, finishDrawing],
}

function finishAll(isWhole: boolean, isFrozen: boolean): number {
  const isScrolled = ({ timeline }: Animation) => timeline !== null && !(timeline instanceof DocumentTimeline)
  const trees = treesInDocument()
  const animations = trees
    .flatMap((tree) => tree.getAnimations())
    // A paused one waits for the pointer, or for a class.
    .filter(({ playState }) => playState === 'running')
    .filter((animation) => (isScrolled(animation) ? isWhole && animation.timeline instanceof ViewTimeline : isFrozen))
  const endless: Animation[] = []
  for (const animation of animations)
    try {
      if (isScrolled(animation)) finishScrolled(animation)
      else if (animation.effect?.getComputedTiming().endTime === Infinity) endless.push(animation)
      else animation.finish()
    } catch {
      animation.cancel()
    }
  for (const animation of endless) animation.cancel()
  showOneMoment(endless)
  if (isFrozen)
    for (const svg of trees.flatMap((tree) => [...tree.querySelectorAll('svg')]))
      if (!svg.ownerSVGElement) finishDrawing(svg)
  return animations.length
}

/** The document and the shadow trees in it. */
function treesInDocument(): (Document | ShadowRoot)[] {
  const MAX_ELEMENTS = 50_000
  const { openedRoots } = memory()
  const trees: (Document | ShadowRoot)[] = [document]
  let count = 0
  for (const tree of trees)
    for (const element of tree.querySelectorAll('*')) {
      if (++count > MAX_ELEMENTS) return trees
      const shadow = element.shadowRoot ?? openedRoots?.get(element)
      // A field of this name hides the property of a form.
      if (shadow instanceof ShadowRoot) trees.push(shadow)
    }
  return trees
}

/**
 * Pauses those of the cancelled animations without which nothing is seen of what they move, such as slides that are transparent
 * except in their turn. All of one name are paused at the same moment, the first at which one of their elements is seen.
 */
function showOneMoment(cancelled: readonly Animation[]): void {
  const MAX_ANIMATIONS = 200
  /** Shares of the duration. */
  const MOMENTS = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9]
  const [HIDDEN, SEEN] = [0.1, 0.9]
  const timingOf = ({ effect }: Animation) => {
    const { duration, delay = 0 } = effect?.getComputedTiming() ?? {}
    return { duration: Number(duration), delay }
  }
  const nameOf = (animation: Animation) =>
    `${animation instanceof CSSAnimation ? animation.animationName : animation.id} ${timingOf(animation).duration}`
  const mostSeen = (group: readonly Animation[]) => Math.max(...group.map(seenShareOf))
  const groups = new Map<string, Animation[]>()
  for (const animation of cancelled.slice(0, MAX_ANIMATIONS))
    if (Number.isFinite(timingOf(animation).duration))
      groups.set(nameOf(animation), [...(groups.get(nameOf(animation)) ?? []), animation])
  const hidden = [...groups.values()]
    .filter((group) => mostSeen(group) < HIDDEN)
    .map((group) => ({ group, moment: 0, share: HIDDEN }))
  const pauseAt = (group: readonly Animation[], moment: number) => {
    const begin = Math.max(0, Math.min(...group.map((animation) => timingOf(animation).delay)))
    for (const animation of group)
      try {
        animation.pause()
        animation.currentTime = begin + moment * timingOf(animation).duration
      } catch {
        animation.cancel()
      }
  }
  for (const moment of MOMENTS) {
    const open = hidden.filter(({ share }) => share < SEEN)
    for (const { group } of open) pauseAt(group, moment)
    // Reads all after all are set, for one layout.
    for (const each of open) {
      const share = mostSeen(each.group)
      if (share > each.share) Object.assign(each, { moment, share })
    }
  }
  for (const { group, moment } of hidden)
    if (moment > 0) pauseAt(group, moment)
    else for (const animation of group) animation.cancel()
}

/** How much is seen of what an animation moves, from 0 to 1: it may be transparent, without a size, or cut off by what is around it. */
function seenShareOf({ effect }: Animation): number {
  const MAX_DEPTH = 20
  const { target = null, pseudoElement = null } = effect instanceof KeyframeEffect ? effect : {}
  if (!target) return 1
  const { opacity, visibility } = getComputedStyle(target, pseudoElement)
  if (visibility !== 'visible') return 0
  if (pseudoElement) return Number(opacity)
  const range = document.createRange()
  range.selectNodeContents(target)
  // Without the padding, which keeps a running text out of sight at first.
  const content = range.getBoundingClientRect()
  const box = content.width * content.height > 0 ? content : target.getBoundingClientRect()
  let clip = new DOMRect(0, box.top, document.documentElement.clientWidth, box.height)
  let at = target.parentElement
  for (let depth = 0; at && at !== document.body && depth < MAX_DEPTH; depth++, at = at.parentElement)
    if (getComputedStyle(at).overflow !== 'visible') {
      clip = at.getBoundingClientRect()
      break
    }
  const width = Math.min(box.right, clip.right) - Math.max(box.left, clip.left)
  const height = Math.min(box.bottom, clip.bottom) - Math.max(box.top, clip.top)
  const area = Math.min(box.width, clip.width) * Math.min(box.height, clip.height)
  return width > 0 && height > 0 ? (Number(opacity) * width * height) / area : 0
}

/** Where it is in the middle of the viewport, it is mostly as without the animation; otherwise, as at the end of it. */
function finishScrolled(animation: Animation): void {
  const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null
  animation.cancel()
  if (!target || Number(getComputedStyle(target).opacity) >= 0.1) return
  animation.play()
  animation.finish()
}

/** Shows a drawing at the end of its finite animations, and stops it there. */
function finishDrawing(svg: SVGSVGElement): void {
  const MAX_ANIMATIONS = 200
  /** One may begin when another ends. */
  const MAX_ROUNDS = 3
  const MAX_SECONDS = 60
  svg.pauseAnimations()
  const animations = [...svg.querySelectorAll<SVGAnimationElement>('animate,animateTransform,animateMotion,set')]
  const endOf = (animation: SVGAnimationElement) => {
    const count = animation.getAttribute('repeatCount') ?? '1'
    if (count === 'indefinite' || animation.getAttribute('repeatDur') === 'indefinite') return 0
    try {
      const duration = animation.localName === 'set' ? 0 : animation.getSimpleDuration() * (Number(count) || 1)
      const end = animation.getStartTime() + duration
      return end <= MAX_SECONDS ? end : 0
    } catch {
      // It has not begun, and may wait for a click.
      return 0
    }
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const end = Math.max(0, ...animations.slice(0, MAX_ANIMATIONS).map(endOf))
    if (end + 0.01 <= svg.getCurrentTime()) return
    svg.setCurrentTime(end + 0.02)
  }
}
