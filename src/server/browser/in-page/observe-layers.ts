import type { ObservedLayer } from '../../page-state/index.js'
import type { OpenedRoots } from './closed-hosts.js'
import type { PageScript } from './page-script.js'

export interface LayerOptions {
  maxLayers: number
  maxNodes: number
  maxTextChars: number
  /** More text than any overlay hides. */
  enoughChars: number
  /** Selectors of the request: what they match stays. */
  requested: readonly string[]
  /** Selectors of banners, which a style sheet hides now and later. None, if the document has that sheet. */
  known: readonly string[]
  /** How many of the selectors that match are listed, which takes time for each. */
  maxKnownBanners: number
}

export interface LayerReport {
  /** Outer ones before those in them. */
  layers: ObservedLayer[]
  /** Text of the first heading outside of the layers. */
  heading: string
  title: string
  /** Number of elements that show something of a shadow root which cannot be read. */
  closedHosts: number
  hasKnownBanner: boolean
  /** At most `maxKnownBanners`. */
  knownBanners: { selector: string; count: number; text: string }[]
}

/** What the isolated world remembers between its scripts. */
interface Memory extends OpenedRoots {
  /** Hides the known banners. */
  sheet?: CSSStyleSheet
  /** The text of the style sheet. */
  rules?: string
  layers?: HTMLElement[]
  backdrops?: HTMLElement[]
}

/** Hides known banners, finds the other layers in front of a page, and describes each; at most `maxLayers`, of at most `maxNodes` nodes. */
export const observeLayers: PageScript<[options: LayerOptions], LayerReport> = {
  run: observe,
  helpers: [
    memory,
    hideKnown,
    listKnown,
    findLayers,
    hitsAt,
    isLayer,
    isInSection,
    isBackdrop,
    describeLayer,
    walk,
    measureOutside,
    labelsOf,
    sitePathsOf,
    namesOf,
    frameTextOf,
    matchesRequest,
    shareOf,
    isVisible,
    parentOf,
    shadowOf,
  ],
}

function observe(options: LayerOptions): LayerReport {
  // A form of the same name hides a property of the document.
  const textOf = (property: unknown) => String(property)
  const kept = memory()
  hideKnown(options.known)
  const { found, closedHosts } = findLayers()
  const backdrops = found.filter(isBackdrop)
  const layers = found
    .filter((layer) => !backdrops.includes(layer) && shareOf(layer) > 0.0005)
    .slice(0, options.maxLayers)
  kept.layers = layers
  kept.backdrops = backdrops
  kept.closedHosts = closedHosts
  const { known, maxKnownBanners } = options
  const hasKnownBanner = known.length > 0 && document.querySelector(`:is(${known.join(',')})`) !== null
  const outside = layers.length ? measureOutside(layers, options) : { heading: '', chars: 0, mediaShare: 0 }
  return {
    layers: layers.map((layer) =>
      describeLayer(layer, { layers, hasBackdrop: backdrops.length > 0, outside }, options),
    ),
    heading: outside.heading,
    title: textOf(document.title).slice(0, 500),
    closedHosts: closedHosts.length,
    hasKnownBanner,
    knownBanners: hasKnownBanner && maxKnownBanners > 0 ? listKnown(options) : [],
  }
}

function memory(): Memory {
  const world = globalThis as { pagePreview?: Memory }
  return (world.pagePreview ??= {})
}

/**
 * An adopted style sheet is not an element, so it neither depends on the page's policy nor changes its structure. A page may replace
 * the list of them.
 */
function hideKnown(selectors: readonly string[]): void {
  const kept = memory()
  const sheet = (kept.sheet ??= new CSSStyleSheet())
  // One rule per selector, so that an invalid selector does not affect the others.
  const rules = selectors.map((selector) => `${selector}{display:none!important}`).join('')
  if (rules && kept.rules !== rules) {
    sheet.replaceSync(rules)
    kept.rules = rules
  }
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

function listKnown({ known, maxKnownBanners }: LayerOptions): LayerReport['knownBanners'] {
  const banners: LayerReport['knownBanners'] = []
  for (const selector of known) {
    if (banners.length === maxKnownBanners) break
    try {
      const { length: count, 0: first } = document.querySelectorAll(selector)
      // Not what it shows, because it is hidden already.
      if (first) banners.push({ selector, count, text: (first.textContent ?? '').trim().slice(0, 300) })
    } catch {
      // An invalid selector matches nothing.
    }
  }
  return banners
}

/** What is hit at some points of the viewport, and stays there or lies above the page. */
function findLayers(): { found: HTMLElement[]; closedHosts: Element[] } {
  const seen = new Set<Element>()
  const found = new Set<HTMLElement>()
  const closedHosts = new Set<Element>()
  const points = [0.05, 0.5, 0.95].flatMap((x) =>
    [0.03, 0.25, 0.5, 0.75, 0.97].map((y) => [innerWidth * x, innerHeight * y] as const),
  )
  // Buttons of chats.
  points.push([innerWidth - 48, innerHeight - 48], [48, innerHeight - 48])
  for (const [x, y] of points)
    for (const hit of hitsAt(document, x, y, 0)) {
      if (!shadowOf(hit) && closedHosts.size < 5) {
        const { left, top, right, bottom } = hit.getBoundingClientRect()
        // Something of it is where it is not itself.
        if (!hit.firstElementChild && (x < left || x > right || y < top || y > bottom || hit.localName.includes('-')))
          closedHosts.add(hit)
      }
      for (let at: Element | null = hit; at && !seen.has(at); at = parentOf(at)) {
        seen.add(at)
        if (isLayer(at)) found.add(at as HTMLElement)
      }
    }
  const depthOf = (element: Element) => {
    let depth = 0
    for (let at: Element | null = element; at; at = parentOf(at)) depth++
    return depth
  }
  const depths = new Map([...found].map((layer) => [layer, depthOf(layer)]))
  return { found: [...found].toSorted((a, b) => depths.get(a)! - depths.get(b)!), closedHosts: [...closedHosts] }
}

/** All elements at a point, also in shadow roots. */
function hitsAt(root: Document | ShadowRoot, x: number, y: number, depth: number): Element[] {
  const hits = root.elementsFromPoint(x, y).filter((element) => element.getRootNode() === root)
  return hits.flatMap((element) => {
    const shadow = depth < 10 ? shadowOf(element) : null
    return shadow ? [...hitsAt(shadow, x, y, depth + 1), element] : [element]
  })
}

function isLayer(element: Element): boolean {
  if (element === document.body || element === document.documentElement) return false
  const { position, zIndex } = getComputedStyle(element)
  if (position === 'fixed' || position === 'sticky') return true
  // A dialog may also be a part of the text, with a position of its own.
  if (position !== 'absolute') return false
  if (element.matches('dialog[open],:popover-open,[role=dialog],[role=alertdialog],[aria-modal=true]')) return true
  return Number(zIndex) > 0 && shareOf(element) >= 0.1 && !isInSection(element as HTMLElement)
}

/** Whether it lies on a part of the page, such as the text and the shade on a picture, and scrolls with it. */
function isInSection(element: HTMLElement): boolean {
  const MAX_SHARE = 0.9
  let section = element.offsetParent as HTMLElement | null
  while (section && getComputedStyle(section).position === 'absolute') section = section.offsetParent as HTMLElement
  if (!section || section === document.body || getComputedStyle(section).position === 'fixed') return false
  const [inner, outer] = [element.getBoundingClientRect(), section.getBoundingClientRect()]
  const middle = (inner.top + inner.bottom) / 2
  const isOnIt = middle > outer.top && middle < outer.bottom
  return isOnIt && outer.height < MAX_SHARE * (document.scrollingElement?.scrollHeight ?? 0)
}

/** Whether it is as large as the viewport, and shows nothing but what is behind it, darker. */
function isBackdrop(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  const { backgroundColor, backdropFilter, opacity } = getComputedStyle(element)
  const isTranslucent = /, 0?\.\d+\)$|\/ 0?\.\d+\)$/.test(backgroundColor)
  return (
    width >= innerWidth * 0.95 &&
    height >= innerHeight * 0.95 &&
    !element.textContent?.trim() &&
    !shadowOf(element) &&
    !element.querySelector('img,svg,video,canvas,iframe,input') &&
    (isTranslucent || backdropFilter !== 'none' || (Number(opacity) < 1 && !backgroundColor.endsWith(', 0)')))
  )
}

interface Outside {
  heading: string
  chars: number
  mediaShare: number
}

function describeLayer(
  layer: HTMLElement,
  { layers, hasBackdrop, outside }: { layers: HTMLElement[]; hasBackdrop: boolean; outside: Outside },
  options: LayerOptions,
): ObservedLayer {
  const BUTTONS = 'button,a,[role=button],input[type=submit],input[type=button]'
  const frames: HTMLIFrameElement[] = []
  let [text, textChars, heading, fieldCount, mediaShare, hasCloser] = ['', 0, '', 0, 0, false]
  const buttons: Element[] = []
  const onText = (data: string) => {
    textChars += data.trim().length
    if (text.length < options.maxTextChars) text += `${data} `
    return true
  }
  const onElement = (element: Element) => {
    const name = element.localName
    if (name === 'iframe' && frames.length < 5) frames.push(element as HTMLIFrameElement)
    else if (/^(img|video|canvas|picture)$/.test(name)) mediaShare += name === 'picture' ? 0 : shareOf(element)
    else if (/^h[1-4]$/.test(name) && !heading) heading = (element.textContent ?? '').slice(0, 200)
    else if (name === 'input' && /^(text|email|tel|password)$/.test((element as HTMLInputElement).type)) fieldCount++
    hasCloser ||= element.matches(
      '[class*=close i],[id*=close i],[aria-label*=close i],[class*=dismiss i],[data-dismiss],[data-bs-dismiss]',
    )
    if (buttons.length < 50 && element.matches(BUTTONS)) buttons.push(element)
    return true
  }
  walk(layer, options.maxNodes, onText, onElement)
  for (const frame of frames) {
    onText(frameTextOf(frame, options))
    buttons.push(...[...(frame.contentDocument?.querySelectorAll(BUTTONS) ?? [])].slice(0, 50))
  }
  const { left, top, right, bottom } = layer.getBoundingClientRect()
  const shareX = (x: number) => Math.min(Math.max(x / (innerWidth || 1), 0), 1)
  const shareY = (y: number) => Math.min(Math.max(y / (innerHeight || 1), 0), 1)
  const outer = layers.filter((other) => other !== layer && other.contains(layer))
  const { backgroundColor, backdropFilter } = getComputedStyle(layer)
  const isFull = shareOf(layer) >= 0.9
  const dialogs = '[role=dialog],[role=alertdialog],[aria-modal=true],dialog'
  // A layer of a layer may be a dialog of an application, which is in front of the rest of it.
  const rest = outer.length ? measureOutside([layer], options) : outside
  return {
    text: text.replace(/\s+/g, ' ').trim().slice(0, options.maxTextChars),
    textChars,
    outsideChars: rest.chars,
    outsideMediaShare: rest.mediaShare,
    heading: heading.trim(),
    labels: labelsOf(buttons),
    names: namesOf(layer, frames),
    frameCount: frames.length,
    fieldCount,
    mediaShare,
    box: { left: shareX(left), top: shareY(top), right: shareX(right), bottom: shareY(bottom) },
    isDialog: layer.matches(dialogs) || layer.querySelector(dialogs) !== null,
    hasBackdrop:
      hasBackdrop ||
      layer.matches('dialog:modal') ||
      (isFull && (/, 0?\.\d+\)$|\/ 0?\.\d+\)$/.test(backgroundColor) || backdropFilter !== 'none')) ||
      // A field named `children` hides the property of a form.
      [...layer.querySelectorAll(':scope > *')].slice(0, 20).some(isBackdrop),
    hasCloser,
    isPartOfSite:
      layer.matches('header,footer,nav,main,article,[role=banner],[role=navigation],[role=main]') ||
      layer.querySelector(
        'nav,main,article:not([role=dialog] *),[role=navigation],[role=main],[role=search],input[type=search],a[href="/"],a[rel=home]',
      ) !== null,
    sitePaths: sitePathsOf(buttons),
    isRequested: matchesRequest(layer, options),
  }
}

/**
 * Visits the visible nodes below a root, shadow roots included, except in elements for which `onElement` returns `false`. It ends
 * when `onText` returns `false`.
 */
function walk(
  root: Element,
  maxNodes: number,
  onText: (text: string) => boolean,
  onElement: (element: Element) => boolean,
): void {
  const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'option'])
  const stack: Node[] = [root]
  let nodes = 0
  for (let node = stack.pop(); node && ++nodes <= maxNodes; node = stack.pop()) {
    if (node.nodeType === 3) {
      const { data } = node as Text
      const parent = node.parentElement ?? (node.getRootNode() as ShadowRoot).host
      if (/\S/.test(data) && isVisible(parent) && !onText(data.slice(0, 4_000))) return
      continue
    }
    if (node.nodeType === 1) {
      const element = node as Element
      if (SKIPPED.has(element.localName)) continue
      if (isVisible(element) && !onElement(element)) continue
    }
    const children: Node[] = []
    for (const parent of [node.nodeType === 1 ? shadowOf(node as Element) : null, node])
      for (let child = parent?.firstChild; child && children.length <= maxNodes; child = child.nextSibling)
        children.push(child)
    stack.push(...children.toReversed())
  }
}

/** What the page has outside of some layers. Of a long page no more than enough is counted. */
function measureOutside(layers: readonly Element[], { maxNodes, enoughChars }: LayerOptions): Outside {
  let [heading, chars, mediaShare] = ['', 0, 0]
  const isInside = new Set<Element>(layers)
  walk(
    document.body ?? document.documentElement,
    maxNodes,
    (text) => (chars += text.trim().length) < enoughChars,
    (element) => {
      if (isInside.has(element)) return false
      if (!heading && /^h[12]$/.test(element.localName)) heading = (element.textContent ?? '').trim().slice(0, 200)
      if (/^(img|video|canvas)$/.test(element.localName)) mediaShare += shareOf(element)
      return true
    },
  )
  return { heading, chars, mediaShare }
}

/** The label of a field's button is its value; a button without text has a name. */
function labelsOf(buttons: readonly Element[]): string[] {
  return buttons
    .map((button) => {
      const text = button.localName === 'input' ? (button as HTMLInputElement).value : (button.textContent ?? '')
      return (text.trim() || (button.getAttribute('aria-label') ?? button.getAttribute('title') ?? ''))
        .trim()
        .slice(0, 80)
    })
    .filter(Boolean)
}

/** The paths of links to pages of the site, with their queries. */
function sitePathsOf(buttons: readonly Element[]): string[] {
  return buttons.flatMap((button) => {
    const href = button.localName === 'a' ? button.getAttribute('href') : null
    if (!href || href.includes('#')) return []
    try {
      const { origin, pathname, search } = new URL(href, document.baseURI)
      return origin === location.origin ? [(pathname + search).slice(0, 200)] : []
    } catch {
      return []
    }
  })
}

function namesOf(layer: Element, frames: readonly HTMLIFrameElement[]): string {
  const nameOf = (element: Element | null) =>
    ['id', 'class', 'aria-label', 'data-testid', 'name', 'title'].map((name) => element?.getAttribute(name) ?? '')
  const links = [...layer.querySelectorAll('a[href*="wa.me"],a[href*="whatsapp.com/send"]')].slice(0, 1)
  return [
    layer.localName,
    ...nameOf(layer),
    ...nameOf(layer.firstElementChild),
    layer.getAttribute('href') ?? '',
    ...links.map(() => 'whatsapp'),
    ...frames.flatMap((frame) => [...nameOf(frame), frame.src]),
  ]
    .map((name) => name.slice(0, 200))
    .join(' ')
    .slice(0, 2_000)
}

/** The text of a frame of the same origin; none of another one. */
function frameTextOf(frame: HTMLIFrameElement, { maxTextChars }: LayerOptions): string {
  return (frame.contentDocument?.body?.innerText ?? '').slice(0, maxTextChars)
}

/** Whether the first element that a selector of the request matches is in the layer. */
function matchesRequest(layer: Element, { requested }: LayerOptions): boolean {
  return [':target', ...requested].some((selector) => {
    try {
      return layer.contains(document.querySelector(selector))
    } catch {
      return false
    }
  })
}

function shareOf(element: Element): number {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const width = Math.min(right, innerWidth) - Math.max(left, 0)
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0)
  return width > 0 && height > 0 ? (width * height) / (innerWidth * innerHeight || 1) : 0
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
}

function parentOf(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null
}

function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? memory().openedRoots?.get(element) ?? null
}

/**
 * Hides layers that `observeLayers` has found in the same document, and backdrops, and unlocks scrolling.
 *
 * @param indices   Of the layers.
 * @param isCover   Whether something covered the page; otherwise only the layers are hidden.
 */
export function hideLayers(indices: readonly number[], isCover: boolean): void {
  const MAX_ELEMENTS = 5_000
  const MAX_OPACITY = 0.5
  const { layers = [], backdrops = [] } = (globalThis as { pagePreview?: Memory }).pagePreview ?? {}
  // A field of this name hides the property of a form.
  const styleOf = (element: HTMLElement) =>
    Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style')!.get!.call(element) as CSSStyleDeclaration
  const hide = (element: HTMLElement | undefined) => {
    if (element) styleOf(element).setProperty('display', 'none', 'important')
  }
  for (const index of indices) hide(layers[index])
  if (!isCover) return
  backdrops.forEach(hide)
  // An application that scrolls in an element is never unlocked: outside of it is what the application keeps out of sight.
  const scrollsInElement = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).some((element) => {
    const { clientWidth, clientHeight, scrollHeight } = element
    const isMain = clientWidth >= innerWidth * 0.5 && clientHeight >= innerHeight * 0.7
    return isMain && scrollHeight > clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY)
  })
  for (const element of [document.documentElement, document.body].filter(Boolean)) {
    const { overflowX, overflowY, position } = getComputedStyle(element)
    if (overflowY !== 'hidden' || scrollsInElement) continue
    // What is parked beside the page stays out of sight.
    element.style.setProperty('overflow', overflowX === 'hidden' ? 'clip visible' : 'visible', 'important')
    if (position === 'fixed') element.style.setProperty('position', 'static', 'important')
  }
  // What was behind a dialog may be blurred or faint.
  const clear = (element: HTMLElement, property: string, value: string) => {
    styleOf(element).setProperty('transition', 'none', 'important')
    styleOf(element).setProperty(property, value, 'important')
  }
  let pageChars: number | undefined
  const isMostOfPage = (element: HTMLElement) =>
    element.innerText.length >= (pageChars ??= document.body.innerText.length) / 2
  for (const element of [...document.querySelectorAll('body,body *')].slice(0, MAX_ELEMENTS)) {
    // A drawing has no text of its own.
    if (!(element instanceof HTMLElement)) continue
    const { filter, opacity } = getComputedStyle(element)
    const isBlurred = filter.includes('blur(')
    const isFaint = Number(opacity) > 0 && Number(opacity) < MAX_OPACITY
    if (isBlurred && (element.matches('body,body > *,main,body > * > *') || isMostOfPage(element)))
      clear(element, 'filter', 'none')
    if (isFaint && isMostOfPage(element)) clear(element, 'opacity', '1')
  }
}
