import type { ObservedDocument } from '../../page-state/index.js'

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
  /** Whether images, fonts and media have been skipped. */
  isTextOnly: boolean
}

/**
 * Reads what a document shows, in the isolated world. Reads at most `maxNodes` nodes, and no further once it has found more text
 * than a page without content has.
 *
 * It runs in the page, see `runInPage`: it is sent as text, so it may use its parameters and the page only.
 */
export function observeDocument(options: ObservationOptions): ObservedDocument {
  const { maxNodes, maxTextChars, enoughChars, maxHtmlChars, maxCharsWithHtml, maxElementsWithHtml, isTextOnly } =
    options
  const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'option'])
  const MEDIA = new Set(['img', 'svg', 'canvas', 'video', 'iframe', 'frame', 'embed', 'object'])
  const CAPTCHAS =
    '.g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,.geetest_holder,altcha-widget,#px-captcha,' +
    'iframe[src*="captcha" i],iframe[src*="challenges.cloudflare.com"],iframe[src*="turnstile"],img[src*="captcha" i],' +
    'input[name*="captcha" i]'
  const LOADERS =
    '[class*=spinner i],[class*=loader i],[class*=loading i],[class*=skeleton i],[class*=shimmer i],' +
    '[class*=animate-pulse],[class*=placeholder-glow],[class*=placeholder-wave],[role=progressbar],[aria-busy=true],progress'
  const BUTTONS = 'button,a,[role=button],input[type=submit],input[type=button]'
  const isText = (node: Node): node is Text => node.nodeType === 3
  const isElement = (node: Node): node is HTMLElement => node.nodeType === 1
  // A button element does not show its value.
  const labelOf = (element: Element) =>
    (element.localName === 'input' ? (element as HTMLInputElement).value : element.textContent).trim().slice(0, 80)
  const isVisible = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const find = (selector: string) => [...document.querySelectorAll(selector)].slice(0, 200).filter(isVisible)
  const area = innerWidth * innerHeight || 1
  const shareOf = (element: Element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const width = Math.min(right, innerWidth) - Math.max(left, 0)
    const height = Math.min(bottom, innerHeight) - Math.max(top, 0)
    return width > 0 && height > 0 ? (width * height) / area : 0
  }

  // Visits the nodes below a root in the order of the document, open shadow roots included.
  const visit = (
    root: Node,
    onText: (node: Text) => boolean,
    onElement?: (element: HTMLElement) => boolean,
  ): boolean => {
    const stack = [root]
    let nodes = 0
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (++nodes > maxNodes) return false
      if (isText(node)) {
        if (/\S/.test(node.data) && !onText(node)) return true
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
  const hostOf = (node: Node) => (node.getRootNode() as ShadowRoot).host
  const parentOf = (node: Node): Element => node.parentElement ?? hostOf(node)
  const textBelow = (root: Node) => {
    let text = ''
    visit(root, (node) => {
      if (isVisible(parentOf(node))) text += `${node.data.slice(0, maxTextChars).replace(/\s+/g, ' ')} `
      return text.length <= maxTextChars
    })
    return text.trim()
  }

  const media = { count: 0, share: 0, frontShare: 0 }
  const fields = { password: 0, text: 0, captcha: 0 }
  const labels: string[] = []
  const headings: string[] = []
  const textParents: Element[] = []
  let text = ''
  let textChars = 0
  let hasContent = false
  const isInFront = (element: Element) => {
    if (getComputedStyle(element).pointerEvents === 'none') return true
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const front = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y)
    return front !== null && (element.contains(front) || (front.contains(element) && front.localName === 'a'))
  }
  const isRenderedImage = ({ complete, naturalWidth }: HTMLImageElement) => complete && naturalWidth > 1
  const isRendered = (element: Element) => {
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
  const addMedium = (element: Element, isOpaque: boolean) => {
    const share = shareOf(element)
    if (!isTextOnly && share * area < 64) return
    media.count++
    media.share += share
    // Small ones do not matter, and each takes time to find.
    if (isOpaque && share > 0.01 && isInFront(element)) media.frontShare += share
  }
  const addField = ({ type }: { type: string }) => {
    if (type === 'password') fields.password++
    else if (/^(text|email|tel|search|url|number|textarea)$/.test(type)) fields.text++
  }
  const onElement = (element: HTMLElement) => {
    const name = element.localName
    if (MEDIA.has(name)) {
      hasContent = true
      if (isVisible(element) && isRendered(element)) addMedium(element, name !== 'iframe' && name !== 'frame')
      return name === 'object'
    }
    // The content of a closed shadow root cannot be read.
    if (name.includes('-') && !element.shadowRoot && element.matches(':defined') && isVisible(element))
      addMedium(element, false)
    if (labels.length < 50 && element.matches(BUTTONS) && isVisible(element)) labels.push(labelOf(element))
    if (headings.length < 3 && /^h[123]$/.test(name) && isVisible(element))
      headings.push(textBelow(element).slice(0, 200))
    if ((name === 'input' || name === 'textarea') && isVisible(element)) addField(element as HTMLInputElement)
    return true
  }
  const onText = (node: Text) => {
    hasContent = true
    const parent = parentOf(node)
    if (!isVisible(parent)) return true
    const words = node.data.slice(0, enoughChars).replace(/\s+/g, ' ').trim()
    textChars += words.length
    if (text.length < maxTextChars) text += `${words} `
    if (textParents.length < 20) textParents.push(parent)
    return textChars < enoughChars
  }
  const isRead = visit(document.body ?? document.documentElement, onText, onElement)
  // A page of so many nodes has more content than was read.
  if (!isRead) textChars += enoughChars
  if (textChars <= maxCharsWithHtml) fields.captcha = find(CAPTCHAS).length

  const elements =
    textChars === 0 && media.count === 0 ? [...document.querySelectorAll('body,body *')].slice(0, 300) : []
  for (const element of elements)
    if (/url\(|gradient/.test(getComputedStyle(element).backgroundImage) && isVisible(element))
      addMedium(element, false)
  const isAnimated = (element: Element) => {
    const { animationName, animationIterationCount } = getComputedStyle(element)
    const isEndless = animationName !== 'none' && animationIterationCount.includes('infinite')
    return isEndless && shareOf(element) < 0.05 && isVisible(element)
  }
  const isLoading = () =>
    find(LOADERS).length > 0 ||
    document.querySelector('svg animate, svg animateTransform') !== null ||
    [...document.querySelectorAll('body *')].slice(0, 300).some(isAnimated)

  // What is fixed in front of the page at most of nine points of the viewport.
  const layerOf = (element: Element | null) => {
    let layer: Element | null = null
    let at: Element | null | undefined = element
    while (at && at !== document.body && at !== document.documentElement) {
      const { position, zIndex } = getComputedStyle(at)
      if (position === 'fixed' || at.localName === 'dialog' || (position === 'absolute' && Number(zIndex) > 0))
        layer = at
      at = at.parentElement ?? hostOf(at)
    }
    return layer?.querySelector('main,article,nav,[role=main]') ? null : layer
  }
  const elementAt = (x: number, y: number) => {
    let element = document.elementFromPoint(x, y)
    let inner = element?.shadowRoot?.elementFromPoint(x, y)
    while (inner && inner !== element) {
      element = inner
      inner = element.shadowRoot?.elementFromPoint(x, y)
    }
    return element
  }
  const layersAt = (xs: number[], ys: number[]) =>
    xs
      .flatMap((x) => ys.map((y) => layerOf(elementAt(x * innerWidth, y * innerHeight))))
      .filter((layer) => layer !== null)
  const readCover = () => {
    // A wall covers the centre too, where most pages have none.
    if (layersAt([0.5], [0.5]).length === 0) return null
    const layers = layersAt([0.15, 0.5, 0.85], [0.15, 0.5, 0.85])
    if (layers.length < 7) return null
    const roots = [...new Set(layers)]
    const words = roots
      .map(textBelow)
      .join(' ')
      .trim()
      .slice(0, maxTextChars + 1)
    for (const root of roots)
      for (const button of [...(root.shadowRoot ?? root).querySelectorAll(BUTTONS)].slice(0, 50))
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

  const isShort = textChars <= maxCharsWithHtml && document.getElementsByTagName('*').length <= maxElementsWithHtml
  // A form of the same name hides a property of the document.
  const textOf = (property: unknown) => String(property)
  const exists = (selector: string) => document.querySelector(selector) !== null
  return {
    contentType: textOf(document.contentType),
    title: textOf(document.title).slice(0, 500),
    headings,
    text: text.slice(0, maxTextChars).trim(),
    textChars,
    html: isShort ? document.documentElement.outerHTML.slice(0, maxHtmlChars) : '',
    hasOwnMetadata: options.ownMetadata.some((name) => exists(`meta[property="${name}"],meta[name="${name}"]`)),
    hasActiveContent: exists(options.activeContent),
    hasContent,
    media,
    fields,
    cover: readCover(),
    labels,
    isLoading: textChars <= 200 && isLoading(),
  }
}
