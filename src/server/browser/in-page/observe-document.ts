import type { ObservedDocument } from '../../page-state/index.js'
import type { PageScript } from './page-script.js'

interface ObservationOptions {
  maxNodes: number
  maxTextChars: number
  /** More than any page has that shows something other than its content. */
  enoughChars: number
  maxHtmlChars: number
  /** The HTML of longer pages is not read. */
  maxCharsWithHtml: number
  maxElementsWithHtml: number
  /** Selector of what changes a document or shows another one. */
  activeContent: string
  /** Names of the metadata that a page has for previews. */
  ownMetadata: readonly string[]
  /** Selector of the `<meta>` elements that say what a page does not want of a preview. */
  optOut: string
  /** Whether images, fonts and media have been skipped. */
  isTextOnly: boolean
}

/** What the nodes of a document contain, as far as they are visible. */
interface Content extends Pick<
  ObservedDocument,
  'headings' | 'text' | 'textChars' | 'hasContent' | 'media' | 'fields'
> {
  /** Of buttons and links. */
  labels: string[]
  /** Elements around the first texts. */
  textParents: Element[]
}

/**
 * Reads what a document shows, in the isolated world. Reads at most `maxNodes` nodes, and no further once it has found more text
 * than a page without content has.
 *
 * These functions run in the page: they are sent as text, so they may use each other, their parameters and the page only.
 */
export const observeDocument: PageScript<[options: ObservationOptions], ObservedDocument> = {
  run: observe,
  helpers: [
    readContent,
    visitNodes,
    textBelow,
    addMedium,
    isRendered,
    isLoading,
    isAnimated,
    readCover,
    layersAt,
    layerOf,
    elementAt,
    isInFront,
    shareOf,
    isVisible,
    buttonSelector,
    labelOf,
    hostOf,
    exists,
    find,
  ],
}

function observe(options: ObservationOptions): ObservedDocument {
  const content = readContent(options)
  const { maxTextChars, maxCharsWithHtml, maxElementsWithHtml, maxHtmlChars, ownMetadata, activeContent } = options
  const { headings, textChars, hasContent, media, fields, labels } = content
  const isShort = textChars <= maxCharsWithHtml && document.getElementsByTagName('*').length <= maxElementsWithHtml
  // A form of the same name hides a property of the document.
  const textOf = (property: unknown) => String(property)
  return {
    isRendered: true,
    contentType: textOf(document.contentType),
    title: textOf(document.title).slice(0, 500),
    headings,
    text: content.text.slice(0, maxTextChars).trim(),
    textChars,
    html: isShort ? document.documentElement.outerHTML.slice(0, maxHtmlChars) : '',
    optOut: [...document.querySelectorAll(options.optOut)]
      .slice(0, 10)
      .map((meta) => String(meta.getAttribute('content')).slice(0, 100))
      .join(),
    hasOwnMetadata: ownMetadata.some((name) => exists(`meta[property="${name}"],meta[name="${name}"]`)),
    hasActiveContent: exists(activeContent),
    hasContent,
    media,
    fields,
    cover: readCover(options, content),
    labels,
    isLoading: textChars <= 200 && isLoading(),
  }
}

function readContent(options: ObservationOptions): Content {
  const { maxTextChars, enoughChars, maxCharsWithHtml, isTextOnly } = options
  const CAPTCHAS =
    '.g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,.geetest_holder,altcha-widget,#px-captcha,' +
    'iframe[src*="captcha" i],iframe[src*="challenges.cloudflare.com"],iframe[src*="turnstile"],img[src*="captcha" i],' +
    'input[name*="captcha" i]'
  const MEDIA = new Set(['img', 'svg', 'canvas', 'video', 'iframe', 'frame', 'embed', 'object'])
  const content: Content = {
    headings: [],
    text: '',
    textChars: 0,
    hasContent: false,
    media: { count: 0, share: 0, frontShare: 0 },
    fields: { password: 0, text: 0, captcha: 0 },
    labels: [],
    textParents: [],
  }
  const { headings, media, fields, labels, textParents } = content
  const addField = ({ type }: { type: string }) => {
    if (type === 'password') fields.password++
    else if (/^(text|email|tel|search|url|number|textarea)$/.test(type)) fields.text++
  }
  const onElement = (element: HTMLElement) => {
    const name = element.localName
    if (MEDIA.has(name)) {
      content.hasContent = true
      const isOpaque = name !== 'iframe' && name !== 'frame'
      if (isVisible(element) && isRendered(element, isTextOnly)) addMedium(media, element, { isOpaque, isTextOnly })
      return name === 'object'
    }
    // The content of a closed shadow root cannot be read.
    if (name.includes('-') && !element.shadowRoot && element.matches(':defined') && isVisible(element))
      addMedium(media, element, { isOpaque: false, isTextOnly })
    if (labels.length < 50 && element.matches(buttonSelector()) && isVisible(element)) labels.push(labelOf(element))
    if (headings.length < 3 && /^h[123]$/.test(name) && isVisible(element))
      headings.push(textBelow(element, options).slice(0, 200))
    if ((name === 'input' || name === 'textarea') && isVisible(element)) addField(element as HTMLInputElement)
    return true
  }
  const onText = (node: Text, parent: Element) => {
    content.hasContent = true
    if (!isVisible(parent)) return true
    const words = node.data.slice(0, enoughChars).replace(/\s+/g, ' ').trim()
    content.textChars += words.length
    if (content.text.length < maxTextChars) content.text += `${words} `
    if (textParents.length < 20) textParents.push(parent)
    return content.textChars < enoughChars
  }
  const isRead = visitNodes(document.body ?? document.documentElement, { ...options, onText, onElement })
  // A page of so many nodes has more content than was read.
  if (!isRead) content.textChars += enoughChars
  if (content.textChars <= maxCharsWithHtml) fields.captcha = find(CAPTCHAS).length
  if (content.textChars === 0 && media.count === 0)
    for (const element of [...document.querySelectorAll('body,body *')].slice(0, 300))
      if (/url\(|gradient/.test(getComputedStyle(element).backgroundImage) && isVisible(element))
        addMedium(media, element, { isOpaque: false, isTextOnly })
  return content
}

/**
 * Visits the nodes below a root in the order of the document, open shadow roots included. It ends when `onText` returns `false`,
 * and leaves out what is in an element for which `onElement` does.
 *
 * @returns  Whether there were no more than `maxNodes`.
 */
function visitNodes(
  root: Node,
  {
    maxNodes,
    onText,
    onElement,
  }: {
    maxNodes: number
    onText: (node: Text, parent: Element) => boolean
    onElement?: (element: HTMLElement) => boolean
  },
): boolean {
  const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'option'])
  const isText = (node: Node): node is Text => node.nodeType === 3
  const isElement = (node: Node): node is HTMLElement => node.nodeType === 1
  const stack = [root]
  let nodes = 0
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++nodes > maxNodes) return false
    if (isText(node)) {
      if (/\S/.test(node.data) && !onText(node, node.parentElement ?? hostOf(node))) return true
      continue
    }
    if (isElement(node) && (SKIPPED.has(node.localName) || onElement?.(node) === false)) continue
    const children: Node[] = []
    for (const parent of [isElement(node) ? node.shadowRoot : undefined, node])
      for (let child = parent?.firstChild; child && children.length <= maxNodes; child = child.nextSibling)
        children.push(child)
    stack.push(...children.toReversed())
  }
  return true
}

function textBelow(root: Node, { maxNodes, maxTextChars }: ObservationOptions): string {
  let text = ''
  visitNodes(root, {
    maxNodes,
    onText(node, parent) {
      if (isVisible(parent)) text += `${node.data.slice(0, maxTextChars).replace(/\s+/g, ' ')} `
      return text.length <= maxTextChars
    },
  })
  return text.trim()
}

function addMedium(
  media: Content['media'],
  element: Element,
  { isOpaque, isTextOnly }: { isOpaque: boolean; isTextOnly: boolean },
): void {
  const share = shareOf(element)
  if (!isTextOnly && share * innerWidth * innerHeight < 64) return
  media.count++
  media.share += share
  // Small ones do not matter, and each takes time to find.
  if (isOpaque && share > 0.01 && isInFront(element)) media.frontShare += share
}

function isRendered(element: Element, isTextOnly: boolean): boolean {
  const isRenderedImage = ({ complete, naturalWidth }: HTMLImageElement) => complete && naturalWidth > 1
  switch (element.localName) {
    case 'img':
      return isTextOnly
        ? !/^[01]$/.test(element.getAttribute('width') ?? '')
        : isRenderedImage(element as HTMLImageElement)
    case 'video':
      return (element as HTMLVideoElement).readyState >= 2 || Boolean((element as HTMLVideoElement).poster)
    default:
      return true
  }
}

function isLoading(): boolean {
  const LOADERS =
    '[class*=spinner i],[class*=loader i],[class*=loading i],[class*=skeleton i],[class*=shimmer i],' +
    '[class*=animate-pulse],[class*=placeholder-glow],[class*=placeholder-wave],[role=progressbar],[aria-busy=true],progress'
  return (
    find(LOADERS).length > 0 ||
    exists('svg animate, svg animateTransform') ||
    [...document.querySelectorAll('body *')].slice(0, 300).some(isAnimated)
  )
}

function isAnimated(element: Element): boolean {
  const { animationName, animationIterationCount } = getComputedStyle(element)
  const isEndless = animationName !== 'none' && animationIterationCount.includes('infinite')
  return isEndless && shareOf(element) < 0.05 && isVisible(element)
}

/**
 * What is fixed in front of the page at most of nine points of the viewport: its text, or the names of its frames, or nothing if
 * it has neither.
 */
function readCover(options: ObservationOptions, { labels, textParents }: Content): string | null {
  // A wall covers the centre too, where most pages have none.
  if (layersAt([0.5], [0.5]).length === 0) return null
  const layers = layersAt([0.15, 0.5, 0.85], [0.15, 0.5, 0.85])
  if (layers.length < 7) return null
  const roots = [...new Set(layers)]
  const words = roots
    .map((root) => textBelow(root, options))
    .join(' ')
    .trim()
    .slice(0, options.maxTextChars + 1)
  for (const root of roots)
    for (const button of [...(root.shadowRoot ?? root).querySelectorAll(buttonSelector())].slice(0, 50))
      labels.push(labelOf(button))
  if (words) return words
  const frames = roots.flatMap((root) =>
    root.localName === 'iframe' ? [root as HTMLIFrameElement] : [...root.querySelectorAll('iframe')],
  )
  if (frames.length) {
    const names = frames.slice(0, 5).map(({ id, name, title, src }) => [id, name, title, src.slice(0, 200)].join(' '))
    return `frame:${names.join(' ')}`
  }
  // A background is behind the text.
  return textParents.some((parent) => shareOf(parent) > 0 && isInFront(parent)) ? null : ''
}

/** @param xs  Shares of the viewport's width. @param ys  Of its height. */
function layersAt(xs: number[], ys: number[]): Element[] {
  return xs
    .flatMap((x) => ys.map((y) => layerOf(elementAt(x * innerWidth, y * innerHeight))))
    .filter((layer) => layer !== null)
}

/** The outermost element around another one that is fixed in front of the page. */
function layerOf(element: Element | null): Element | null {
  let layer: Element | null = null
  let at: Element | null | undefined = element
  while (at && at !== document.body && at !== document.documentElement) {
    const { position, zIndex } = getComputedStyle(at)
    if (position === 'fixed' || at.localName === 'dialog' || (position === 'absolute' && Number(zIndex) > 0)) layer = at
    at = at.parentElement ?? hostOf(at)
  }
  return layer?.querySelector('main,article,nav,[role=main]') ? null : layer
}

function elementAt(x: number, y: number): Element | null {
  let element = document.elementFromPoint(x, y)
  let inner = element?.shadowRoot?.elementFromPoint(x, y)
  while (inner && inner !== element) {
    element = inner
    inner = element.shadowRoot?.elementFromPoint(x, y)
  }
  return element
}

function isInFront(element: Element): boolean {
  if (getComputedStyle(element).pointerEvents === 'none') return true
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const front = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y)
  return front !== null && (element.contains(front) || (front.contains(element) && front.localName === 'a'))
}

/** The share of the viewport that an element takes. */
function shareOf(element: Element): number {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const width = Math.min(right, innerWidth) - Math.max(left, 0)
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0)
  return width > 0 && height > 0 ? (width * height) / (innerWidth * innerHeight || 1) : 0
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
}

function buttonSelector(): string {
  return 'button,a,[role=button],input[type=submit],input[type=button]'
}

/** A button element does not show its value. */
function labelOf(element: Element): string {
  const text = element.localName === 'input' ? (element as HTMLInputElement).value : element.textContent
  return text.trim().slice(0, 80)
}

function hostOf(node: Node): Element {
  return (node.getRootNode() as ShadowRoot).host
}

function exists(selector: string): boolean {
  return document.querySelector(selector) !== null
}

function find(selector: string): Element[] {
  return [...document.querySelectorAll(selector)].slice(0, 200).filter(isVisible)
}
