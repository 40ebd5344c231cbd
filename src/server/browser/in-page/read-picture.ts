import type { PageScript } from './page-script.js'

interface PictureOptions {
  /** URLs of the images that are in flight. */
  imageUrls: readonly string[]
  maxElements: number
  /** Whether all of the document is captured, or any part of it, and not what the viewport shows. */
  isWhole: boolean
}

/** What a document shows where it is captured, and what it still waits for. */
export interface Picture {
  /** Whether a font is loading that a text there is written in. */
  hasPendingFontsInUse: boolean
  /** Of the images in flight, those that take a place there. */
  visibleImages: string[]
  /** Those that may take one once their size is known. */
  unsizedImages: string[]
  /** Whether a frame takes a place there. */
  hasVisibleFrame: boolean
  /** How much of the document has been parsed, in bytes of UTF-8; `undefined`: all of it. */
  parsedBytes: number | undefined
  /** Whether it says that it loads, or shows nothing yet. */
  isPlaceholder: boolean
  /** Characters of text there. */
  textChars: number
  /** Images, drawings and videos there that have arrived. */
  mediaCount: number
  /** Height of the document, CSS pixels. */
  height: number
}

/**
 * Reads what a document shows, in the isolated world, and at most `maxElements` elements of the document.
 *
 * These functions run in the page: they are sent as text, so they may use each other, their parameters and the page only.
 */
export const readPicture: PageScript<[options: PictureOptions], Picture> = {
  run: readDocument,
  helpers: [ownText, urlsOf, candidatesOf, backgroundsOf, hasExplicitSize, isInViewport, isLoader],
}

function readDocument({ imageUrls, maxElements, isWhole }: PictureOptions): Picture {
  const MEDIA = new Set(['img', 'svg', 'canvas', 'video', 'object', 'embed'])
  const pendingFamilies =
    document.fonts.status === 'loading'
      ? [...document.fonts].flatMap(({ status, family }) =>
          status === 'loading' ? [family.replaceAll(/["']/g, '')] : [],
        )
      : []
  const pending = new Set(imageUrls)
  const visible = new Set<string>()
  const unsized = new Set<string>()
  let [textChars, mediaCount] = [0, 0]
  let [hasVisibleFrame, hasPendingFontsInUse, hasLoader] = [false, false, false]

  const visitElement = (element: Element) => {
    const text = ownText(element)
    const isMedium = MEDIA.has(element.localName)
    const isFrame = element.localName === 'iframe' || element.localName === 'frame'
    if (!text && !isMedium && !isFrame && pending.size === 0 && textChars > 200) return
    const box = element.getBoundingClientRect()
    const isUnsized = element.localName === 'img' && !hasExplicitSize(element as HTMLImageElement, box)
    if (!(isUnsized || (box.width > 2 && box.height > 2)) || !(isWhole || isInViewport(box))) return
    // Images often fade in once they have arrived.
    if (!element.checkVisibility({ visibilityProperty: true })) return
    textChars += text
    if (isFrame && box.width * box.height > 64) hasVisibleFrame = true
    if (!hasLoader && textChars <= 200) hasLoader = isLoader(element)
    const isPending = (url: string) => pending.has(url)
    const urls = pending.size > 0 ? [...urlsOf(element), ...backgroundsOf(element)].filter(isPending) : []
    for (const url of urls) (isUnsized ? unsized : visible).add(url)
    if (isMedium && urls.length === 0 && box.width * box.height > 64) mediaCount++
    if (text && pendingFamilies.length > 0 && !hasPendingFontsInUse) {
      const { fontFamily } = getComputedStyle(element)
      hasPendingFontsInUse = pendingFamilies.some((family) => fontFamily.includes(family))
    }
  }
  let visited = 0
  const visitTree = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (++visited > maxElements) return
      visitElement(element)
      if (element.shadowRoot) visitTree(element.shadowRoot)
    }
  }
  visitTree(document)
  const isEmpty = textChars === 0 && mediaCount === 0
  return {
    hasPendingFontsInUse,
    visibleImages: [...visible],
    unsizedImages: [...unsized].filter((url) => !visible.has(url)),
    hasVisibleFrame,
    parsedBytes: document.readyState === 'loading' ? new Blob([document.documentElement.outerHTML]).size : undefined,
    isPlaceholder: isEmpty || (hasLoader && textChars <= 200),
    textChars,
    mediaCount,
    height: document.scrollingElement?.scrollHeight ?? 0,
  }
}

/** How many characters stand in an element itself. */
function ownText(element: Element): number {
  if (/^(?:script|style|noscript|template|title|option)$/.test(element.localName)) return 0
  let length = 0
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === 3) length += (node as Text).data.trim().length
  return length
}

/** What an element shows as an image. */
function urlsOf(element: Element): string[] {
  const { localName } = element
  if (localName === 'img') return candidatesOf(element as HTMLImageElement)
  if (localName === 'video') return [(element as HTMLVideoElement).poster]
  if (localName === 'input') return [(element as HTMLInputElement).src]
  if (localName === 'object') return [(element as HTMLObjectElement).data]
  if (localName === 'image') {
    const href = (element as SVGImageElement).href.baseVal
    return URL.canParse(href, document.baseURI) ? [new URL(href, document.baseURI).href] : []
  }
  return []
}

/** Before its file has arrived, an image does not tell which of its candidates it has chosen. */
function candidatesOf(image: HTMLImageElement): string[] {
  if (image.currentSrc || image.complete) return [image.currentSrc]
  const picture = image.parentElement?.localName === 'picture' ? image.parentElement : null
  const sources = picture ? [...picture.querySelectorAll('source')] : []
  const words = [image, ...sources].flatMap(({ srcset }) => srcset.slice(0, 20_000).split(/\s+/))
  const urls = words.map((word) => word.replace(/,$/, '')).filter((url) => url && URL.canParse(url, document.baseURI))
  return [image.src, ...urls.map((url) => new URL(url, document.baseURI).href)]
}

/** The images in its styles, and in those of what is generated before and after it. */
function backgroundsOf(element: Element): string[] {
  return ['', '::before', '::after'].flatMap((pseudo) => {
    const style = getComputedStyle(element, pseudo)
    const values = [
      style.backgroundImage,
      style.maskImage,
      style.borderImageSource,
      style.listStyleImage,
      style.content,
    ]
    return values.flatMap((value) =>
      value.includes('url(') ? [...value.matchAll(/url\("([^"]{1,2000})"\)/g)].map(([, url]) => url!) : [],
    )
  })
}

/** Whether its size does not depend on the file that it waits for. */
function hasExplicitSize(image: HTMLImageElement, { width, height }: DOMRect): boolean {
  return image.complete || (width > 0 && height > 0) || (image.hasAttribute('width') && image.hasAttribute('height'))
}

function isInViewport({ left, top, right, bottom }: DOMRect): boolean {
  return bottom >= 0 && right >= 0 && top < innerHeight && left < innerWidth
}

/** Whether it stands where content is to come. */
function isLoader(element: Element): boolean {
  const NAMES = /spinner|loader|loading|skeleton|shimmer|animate-pulse|placeholder-(?:glow|wave)/i
  if (element.localName === 'progress' || element.getAttribute('role') === 'progressbar') return true
  if (element.getAttribute('aria-busy') === 'true' || NAMES.test(element.getAttribute('class') ?? '')) return true
  return /^\s*(?:loading|please wait|one moment)\b/i.test(
    element.firstChild?.nodeType === 3 ? (element.firstChild as Text).data : '',
  )
}
