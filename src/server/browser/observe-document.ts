/**
 * Reads what a document shows, in the isolated world. Reads at most `maxNodes` nodes, and no further once it has found more text
 * than a page without content has.
 */
export const OBSERVE_DOCUMENT = `({ maxNodes, maxTextChars, enoughChars, maxHtmlChars, maxCharsWithHtml, maxElementsWithHtml, isTextOnly }) => {
  const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'option'])
  const MEDIA = new Set(['img', 'svg', 'canvas', 'video', 'iframe', 'frame', 'embed', 'object'])
  const CAPTCHAS = '.g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,.geetest_holder,altcha-widget,#px-captcha,' +
    'iframe[src*="captcha" i],iframe[src*="challenges.cloudflare.com"],iframe[src*="turnstile"],img[src*="captcha" i],' +
    'input[name*="captcha" i]'
  const LOADERS = '[class*=spinner i],[class*=loader i],[class*=loading i],[class*=skeleton i],[class*=shimmer i],' +
    '[class*=animate-pulse],[class*=placeholder-glow],[class*=placeholder-wave],[role=progressbar],[aria-busy=true],progress'
  const BUTTONS = 'button,a,[role=button],input[type=submit],input[type=button]'
  // A button element does not show its value.
  const labelOf = (element) => String(element.localName === 'input' ? element.value : element.textContent).trim().slice(0, 80)
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const find = (selector) => [...document.querySelectorAll(selector)].slice(0, 200).filter(isVisible)
  const area = innerWidth * innerHeight || 1
  const shareOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const [width, height] = [Math.min(right, innerWidth) - Math.max(left, 0), Math.min(bottom, innerHeight) - Math.max(top, 0)]
    return width > 0 && height > 0 ? width * height / area : 0
  }

  // Visits the nodes below a root in the order of the document, open shadow roots included.
  const visit = (root, onText, onElement) => {
    const stack = [root]
    let nodes = 0
    while (stack.length) {
      if (++nodes > maxNodes) return false
      const node = stack.pop()
      if (node.nodeType === 3) {
        if (/\\S/.test(node.data) && onText(node) === false) return true
        continue
      }
      if (node.nodeType === 1 && (SKIPPED.has(node.localName) || onElement?.(node) === false)) continue
      const children = []
      for (const parent of [node.shadowRoot, node])
        for (let child = parent?.firstChild; child && children.length <= maxNodes; child = child.nextSibling) children.push(child)
      stack.push(...children.reverse())
    }
    return true
  }
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host
  const textBelow = (root) => {
    let text = ''
    visit(root, (node) => {
      if (isVisible(parentOf(node))) text += node.data.slice(0, maxTextChars).replace(/\\s+/g, ' ') + ' '
      return text.length <= maxTextChars
    })
    return text.trim()
  }

  const media = { count: 0, share: 0, frontShare: 0 }
  const fields = { password: 0, text: 0, captcha: 0 }
  const [labels, headings, textParents] = [[], [], []]
  let [text, textChars, hasContent] = ['', 0, false]
  const isInFront = (element) => {
    if (getComputedStyle(element).pointerEvents === 'none') return true
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const front = element.getRootNode().elementFromPoint(x, y)
    return front !== null && (element.contains(front) || front.contains(element) && front.localName === 'a')
  }
  const isRendered = (element) => {
    switch (element.localName) {
      case 'img': return isTextOnly ? !/^[01]$/.test(element.getAttribute('width') ?? '') : element.complete && element.naturalWidth > 1
      case 'video': return element.readyState >= 2 || Boolean(element.poster)
      default: return true
    }
  }
  const addMedium = (element, isOpaque) => {
    const share = shareOf(element)
    if (!isTextOnly && share * area < 64) return
    media.count++
    media.share += share
    // Small ones do not matter, and each takes time to find.
    if (isOpaque && share > 0.01 && isInFront(element)) media.frontShare += share
  }
  const onElement = (element) => {
    const name = element.localName
    if (MEDIA.has(name)) {
      hasContent = true
      if (isVisible(element) && isRendered(element)) addMedium(element, name !== 'iframe' && name !== 'frame')
      return name === 'object'
    }
    // The content of a closed shadow root cannot be read.
    if (name.includes('-') && !element.shadowRoot && element.matches(':defined') && isVisible(element)) addMedium(element, false)
    if (labels.length < 50 && element.matches(BUTTONS) && isVisible(element))
      labels.push(labelOf(element))
    if (headings.length < 3 && /^h[123]$/.test(name) && isVisible(element)) headings.push(textBelow(element).slice(0, 200))
    if ((name === 'input' || name === 'textarea') && isVisible(element)) {
      if (element.type === 'password') fields.password++
      else if (/^(text|email|tel|search|url|number|textarea)$/.test(element.type)) fields.text++
    }
  }
  const onText = (node) => {
    hasContent = true
    if (!isVisible(parentOf(node))) return
    const words = node.data.slice(0, enoughChars).replace(/\\s+/g, ' ').trim()
    textChars += words.length
    if (text.length < maxTextChars) text += words + ' '
    if (textParents.length < 20) textParents.push(parentOf(node))
    return textChars < enoughChars
  }
  const isRead = visit(document.body ?? document.documentElement, onText, onElement)
  // A page of so many nodes has more content than was read.
  if (!isRead) textChars += enoughChars
  if (textChars <= maxCharsWithHtml) fields.captcha = find(CAPTCHAS).length

  const elements = textChars === 0 && media.count === 0 ? [...document.querySelectorAll('body,body *')].slice(0, 300) : []
  for (const element of elements)
    if (/url\\(|gradient/.test(getComputedStyle(element).backgroundImage) && isVisible(element)) addMedium(element, false)
  const isAnimated = (element) => {
    const { animationName, animationIterationCount } = getComputedStyle(element)
    return animationName !== 'none' && animationIterationCount.includes('infinite') && shareOf(element) < 0.05 && isVisible(element)
  }
  const isLoading = () =>
    find(LOADERS).length > 0 || document.querySelector('svg animate, svg animateTransform') !== null ||
    [...document.querySelectorAll('body *')].slice(0, 300).some(isAnimated)

  // What is fixed in front of the page at most of nine points of the viewport.
  const layerOf = (element) => {
    let layer = null
    for (let at = element; at && at !== document.body && at !== document.documentElement; at = at.parentElement ?? at.getRootNode().host) {
      const { position, zIndex } = getComputedStyle(at)
      if (position === 'fixed' || at.localName === 'dialog' || (position === 'absolute' && Number(zIndex) > 0)) layer = at
    }
    return layer && !layer.querySelector('main,article,nav,[role=main]') ? layer : null
  }
  const points = [0.15, 0.5, 0.85].flatMap((x) => [0.15, 0.5, 0.85].map((y) => [x * innerWidth, y * innerHeight]))
  const elementAt = (x, y) => {
    let element = document.elementFromPoint(x, y)
    for (let inner; (inner = element?.shadowRoot?.elementFromPoint(x, y)) && inner !== element; ) element = inner
    return element
  }
  // A wall covers the centre too, where most pages have none.
  const layersAt = (places) => places.map(([x, y]) => layerOf(elementAt(x, y))).filter((layer) => layer !== null)
  const layers = layersAt([points[4]]).length ? layersAt(points) : []
  const readCover = () => {
    if (layers.length < 7) return null
    const roots = [...new Set(layers)]
    const words = roots.map(textBelow).join(' ').trim().slice(0, maxTextChars + 1)
    for (const root of roots)
      for (const button of [...(root.shadowRoot ?? root).querySelectorAll(BUTTONS)].slice(0, 50))
        labels.push(labelOf(button))
    if (words) return words
    const frames = roots.flatMap((root) => root.localName === 'iframe' ? [root] : [...root.querySelectorAll('iframe')])
    if (frames.length)
      return 'frame:' + frames.slice(0, 5).map(({ id, name, title, src }) => [id, name, title, src.slice(0, 200)].join(' ')).join(' ')
    // A background is behind the text.
    return textParents.some((parent) => shareOf(parent) > 0 && isInFront(parent)) ? null : ''
  }

  const isShort = textChars <= maxCharsWithHtml && document.getElementsByTagName('*').length <= maxElementsWithHtml
  return {
    contentType: String(document.contentType),
    title: String(document.title).slice(0, 500),
    headings,
    text: text.slice(0, maxTextChars).trim(),
    textChars,
    html: isShort ? document.documentElement.outerHTML.slice(0, maxHtmlChars) : '',
    hasOwnMetadata: document.querySelector('meta[property="og:title"],meta[property="og:description"],meta[name=description]') !== null,
    hasScripts: document.querySelector('script:not([type*=json]),iframe,object,meta[http-equiv=refresh i]') !== null,
    hasContent,
    media,
    fields,
    cover: readCover(),
    labels,
    isLoading: textChars <= 200 && isLoading(),
  }
}`
