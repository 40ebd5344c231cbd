// Functions that run in the page, see `runInPage`: each is sent as text, so it may use its parameters and the page only.

/** The HTML of the document, at most `length` characters. */
export function serializeDocument(length: number): string {
  return document.documentElement?.outerHTML.slice(0, length) ?? ''
}

/** @param activeContent  Selector of what changes a document or shows another one. */
export function readActivity(activeContent: string): { hasPendingFonts: boolean; hasActiveContent: boolean } {
  return {
    hasPendingFonts: document.fonts.status === 'loading',
    hasActiveContent: document.querySelector(activeContent) !== null,
  }
}

export function documentHeight(): number {
  return (document.scrollingElement ?? document.documentElement).scrollHeight
}

/** Whether a visitor can scroll the document to the left and right. The overflow of `html`, or else of `body`, is the viewport's. */
export function scrollsSideways(): boolean {
  const [root, body] = [document.documentElement, document.body].map((element) =>
    element ? getComputedStyle(element).overflowX : 'visible',
  )
  return !/hidden|clip/.test(root === 'visible' ? body! : root!)
}

/** Two frames, which a frame has only while it is in sight. */
export function waitForPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

/** Lays an image over a part of the viewport, and over the document when it scrolls. A canvas depends on no policy of the page. */
export async function layImage(
  base64: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height })
  canvas.dataset['pagePreview'] = 'frame'
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  const place = (left: number, top: number) => {
    const styles = `position:absolute;display:block;pointer-events:none;z-index:2147483647;left:${left}px;top:${top}px;width:${width}px;height:${height}px`
    canvas.style.cssText = ['all:initial', ...styles.split(';')].map((style) => `${style}!important`).join(';')
  }
  place(0, 0)
  document.documentElement.append(canvas)
  const at = canvas.getBoundingClientRect()
  place(x - at.left, y - at.top)
}

export function removeImages(): void {
  for (const canvas of document.querySelectorAll('canvas[data-page-preview=frame]')) canvas.remove()
}

export async function waitForFonts(): Promise<void> {
  await document.fonts.ready
}

/**
 * Scrolls to the element that the hash names if it is out of sight, because what came above it has grown since the browser scrolled
 * there. A page that has scrolled back to its top is left there. @returns Whether it was.
 */
export function scrollToTarget(): boolean {
  const target = document.querySelector(':target')
  const { top = 0, bottom = 0, height = 0 } = target?.getBoundingClientRect() ?? {}
  if (!target || !height || scrollY === 0 || (bottom > 0 && top < innerHeight / 2)) return false
  const before = scrollY
  target.scrollIntoView({ block: 'start', behavior: 'instant' })
  return scrollY !== before
}

export function scrollPosition(): { left: number; top: number } {
  return { left: scrollX, top: scrollY }
}

/** Waits two frames, which intersection observers need to run and to render. */
export function scrollToPosition(left: number, top: number): Promise<void> {
  return new Promise((resolve) => {
    scrollTo({ left, top, behavior: 'instant' })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
}

export function loadEagerly(): void {
  for (const element of document.querySelectorAll<HTMLImageElement>('[loading="lazy"]')) element.loading = 'eager'
}

/**
 * Loads images that a script loads only once scrolling has stopped with them in sight: their URLs wait in attributes.
 *
 * @param within  Edges in the viewport; `null` for the whole page.
 * @returns       How many.
 */
export function loadWaitingImages(within: { left: number; top: number; right: number; bottom: number } | null): number {
  const MAX_IMAGES = 500
  const MAX_SOURCES = 20
  const isWithin = (element: Element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return !within || (left < within.right && right > within.left && top < within.bottom && bottom > within.top)
  }
  const SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-echo']
  const BACKGROUNDS = ['data-bg', 'data-background', 'data-background-image', 'data-bg-src', 'data-lazy-background']
  const valueOf = (element: Element, names: readonly string[]) =>
    names.map((name) => element.getAttribute(name)?.trim()).find(Boolean)
  const PLACEHOLDER = /placeholder|blank|lazy|loading|spacer|spinner|transparent|1x1/i
  /** A preview that is enlarged this much is blurred. */
  const MIN_ENLARGEMENT = 4
  const candidatesOf = (element: Element) => valueOf(element, ['data-srcset', 'data-lazy-srcset'])
  const sourcesOf = (image: Element) => {
    const sources: HTMLSourceElement[] = []
    let each = image.previousElementSibling
    for (; each instanceof HTMLSourceElement && sources.length < MAX_SOURCES; each = each.previousElementSibling)
      sources.push(each)
    return sources.filter(candidatesOf)
  }
  const waiting = [...document.images]
    .filter((image) => valueOf(image, SOURCES) || candidatesOf(image) || sourcesOf(image).length > 0)
    .filter(isWithin)
    .slice(0, MAX_IMAGES)
  const uses = new Map<string, number>()
  for (const { currentSrc } of waiting) uses.set(currentSrc, (uses.get(currentSrc) ?? 0) + 1)
  const isPlaceholder = ({ currentSrc, complete, naturalWidth, width }: HTMLImageElement) =>
    !currentSrc ||
    (complete &&
      (naturalWidth <= 2 ||
        naturalWidth * MIN_ENLARGEMENT <= width ||
        currentSrc.startsWith('data:') ||
        uses.get(currentSrc)! > 1 ||
        PLACEHOLDER.test(currentSrc.slice(0, 2_000).split('/').at(-1)!)))
  let count = 0
  for (const image of waiting.filter(isPlaceholder)) {
    const [source, candidates] = [valueOf(image, SOURCES), candidatesOf(image)]
    for (const each of sourcesOf(image)) each.srcset = candidatesOf(each)!
    if (candidates) image.srcset = candidates
    if (source) image.src = source
    count++
  }
  const backgrounds = [...document.querySelectorAll(BACKGROUNDS.map((name) => `[${name}]`).join())]
  for (const element of backgrounds.filter(isWithin).slice(0, MAX_IMAGES)) {
    const value = valueOf(element, BACKGROUNDS)!
    const inner = /^url\((.*)\)$/.exec(value.slice(0, 4_000))?.[1] ?? value.slice(0, 4_000)
    const url = inner.trim().replace(/^["']|["']$/g, '')
    const isUrl = /^(?:https?:|\/|\.{1,2}\/|[\w-]+\/)[^\s"'()\\]+$/.test(url)
    if (!isUrl || !(element instanceof HTMLElement) || getComputedStyle(element).backgroundImage.includes('url('))
      continue
    const style = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style')!.get!.call(
      element,
    ) as CSSStyleDeclaration
    style.setProperty('background-image', `url("${url}")`)
    count++
  }
  return count
}

/** Whether the page consists of frames that scroll, as before there were better layouts; they cannot grow. */
export function isScrollingFrameset(): boolean {
  if (!(document.body instanceof HTMLFrameSetElement)) return false
  return [...document.querySelectorAll('frame')].some(({ contentDocument, clientHeight }) => {
    const content = contentDocument?.scrollingElement
    return !content || content.scrollHeight > clientHeight + 20
  })
}

/** An adopted style sheet is not an element, so it neither depends on the page's policy nor changes its structure. */
export function adoptSheet(text: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** @returns Whether it could be loaded. */
export function linkSheet(href: string): Promise<boolean> {
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.addEventListener('load', () => resolve(true))
    link.addEventListener('error', () => resolve(false))
    document.head.append(link)
  })
}

/** Whether a value is a background of colours and gradients. */
export function isCssBackground(value: string): boolean {
  return CSS.supports('background', value) && (/-gradient\(/i.test(value) || CSS.supports('color', value))
}

/** What is drawn around a screenshot: sizes in pixels, `factor` in pixels per CSS pixel. */
export interface DrawnWindow {
  layout: { width: number; height: number; left: number; top: number; barHeight: number; unit: number }
  /** A CSS background; `undefined`: none is drawn. */
  background: string | undefined
  /** `undefined`: only background and shadow are drawn. */
  window: { theme: 'light' | 'dark'; host: string } | undefined
  factor: number
  styles: string
  /** HTML of the service. */
  buttons: string
}

/** Input of the caller is only ever set as a style value or as text, never parsed as HTML. */
export function buildWindow({ layout, background, window, factor, styles, buttons }: DrawnWindow): void {
  const add = (parent: HTMLElement, className: string) =>
    parent.appendChild(Object.assign(document.createElement('div'), { className }))
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }))
  document.body.style.margin = '0'
  const root = add(document.body, window?.theme ?? '')
  root.style.cssText = `position:absolute;overflow:hidden;left:0;top:0;width:${layout.width}px;height:${layout.height}px`
  root.style.setProperty('--unit', `${layout.unit}px`)
  root.style.setProperty('--bar-height', `${layout.barHeight}px`)
  if (background !== undefined) {
    const backdrop = add(root, '')
    // Lengths in the background are CSS pixels.
    backdrop.style.cssText = `position:absolute;inset:0;zoom:${factor}`
    backdrop.style.background = background
  }
  const box = add(root, 'window')
  const { left, top, barHeight, width, height } = layout
  const boxWidth = width - 2 * left
  Object.assign(box.style, {
    left: `${left}px`,
    top: `${top - barHeight}px`,
    width: `${boxWidth}px`,
    height: `${height - left - top + barHeight}px`,
  })
  if (!window) return
  const bar = add(box, 'bar')
  bar.innerHTML = buttons
  if (boxWidth > 300 * layout.unit) add(bar, 'host').textContent = window.host
}
