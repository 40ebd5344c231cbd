/// <reference types="vite/client" />
import { NEAR_VIEWPORT_PX } from '../react/use-proximity.js'
import type { PagePreviewElement, PreviewConfig, PreviewScript } from './element/index.js'
import type { LazyPreviews, startPreviews, StartElement } from './first-requests.js'
import reservedSpaceStyles from './reserved-card-space.css?inline'
import { builtinMember, FROZEN, logStartFailure, type ScriptTag } from './script-tag.js'

declare const __VERSION__: string

/** Creates `window.PagePreview`: observes the elements of the page, and loads the rest when the first comes near the viewport. */
export function createScript(tag: ScriptTag | null): PreviewScript {
  const configured: PreviewConfig = {}
  let started: Promise<LazyPreviews | undefined> | undefined
  const start = () => (started ??= loadParts(tag, configured).catch(logStartFailure))

  const { auto, layout, endpoint } = tag?.dataset ?? {}
  // The condition of `SharedOptions.isFrozen`, which costs bytes here if it is imported.
  const isFrozen = (element: Element & { query?: PreviewConfig }) =>
    element.matches(FROZEN) && !(element.query?.endpoint || configured.endpoint || endpoint)

  const scan = observeElements(auto, isFrozen, start, (event, element, startedBy) =>
    start().then((previews) => previews?.[event](element, startedBy)),
  )
  // After the first scan, whose measurements would otherwise force another layout.
  if (!layout) reserveSpace()

  const script: PreviewScript = {
    version: __VERSION__,
    scan,
    render(target, query) {
      const parent = target instanceof Element ? target : document.querySelector(target)
      if (!parent) throw new Error(`PagePreview.render: no element matches "${target as string}"`)
      const element: PagePreviewElement =
        parent.querySelector<PagePreviewElement>(':scope>page-preview') ?? document.createElement('page-preview')
      element.query = query
      if (!element.parentNode) {
        element.append(...parent.childNodes)
        parent.append(element)
      }
      return element
    },
    refresh: async (url) => (await started)?.refresh(url),
    configure(options) {
      Object.assign(configured, options)
      scan()
      void started?.then((previews) => previews?.update())
    },
    on(name, listener) {
      const type = `page-preview:${name}`
      const handler = { handleEvent: listener }
      addEventListener(type, handler)
      return () => removeEventListener(type, handler)
    },
    q: {
      push(...calls) {
        for (const [name, ...args] of calls)
          try {
            ;(script[name] as (...args: readonly unknown[]) => unknown)?.(...args)
          } catch (error) {
            reportError(error)
          }
      },
    },
  }
  return script
}

type Root = Element | Document | ShadowRoot

const HOVER_LINK = 'a[data-page-preview=hover]'
const PREVIEW = ':is(page-preview,a[data-page-preview]):not([data-page-preview=hover],[data-page-preview=false])'
const EAGER =
  ':is([loading=eager],[data-loading=eager],[priority],[data-priority]):not([priority=false],[data-priority=false])'

/**
 * Observes the previews of a page, also later ones.
 *
 * @param autoSelector  Plain links that get a hover preview; an invalid selector is reported once.
 * @param isFrozen      Previews that are left as they are.
 * @param onPreview     Called when a preview is probably near the viewport, a frame before the observer reports it.
 * @param notify        Called with `mount` for a preview that comes near the viewport, is eager or about to be printed, and with
 *                      `hover` for a link that is hovered, touched or focused, which opens its hover preview.
 * @returns             Observes previews below another root, such as a shadow root.
 */
function observeElements(
  autoSelector: string | undefined,
  isFrozen: (element: Element) => boolean,
  onPreview: () => unknown,
  notify: (event: 'mount' | 'hover', element: Element, startedBy?: Event) => unknown,
): (root?: Root) => void {
  let hoverSelector = `${HOVER_LINK},${autoSelector || HOVER_LINK}`
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) notify('mount', target)
    },
    { rootMargin: `${NEAR_VIEWPORT_PX}px` },
  )
  const scan = (root: Root = document, eager = EAGER) => {
    for (const element of [root, ...builtinMember(root, 'querySelectorAll').call(root, PREVIEW)])
      if (element instanceof Element && Element.prototype.matches.call(element, PREVIEW) && !isFrozen(element)) {
        for (const { top } of element.getClientRects()) if (Math.abs(top) < innerHeight + NEAR_VIEWPORT_PX) onPreview()
        // Observing it again reports it again, for a link that is marked a second time.
        observer.unobserve(element)
        observer.observe(element)
        if (element.matches(eager)) notify('mount', element)
      }
  }
  const handlePointer = (event: Event) => {
    try {
      // From a shadow root, the target itself is hidden. Not `node.matches`, which a field of a form or a custom element can replace.
      event
        .composedPath()
        .some(
          (node) =>
            node instanceof Element &&
            Element.prototype.matches.call(node, hoverSelector) &&
            notify('hover', node, event),
        )
    } catch (error) {
      hoverSelector = HOVER_LINK
      reportError(error)
    }
  }

  scan()
  new MutationObserver((mutations) => {
    for (const { addedNodes } of mutations) for (const node of addedNodes) if (node instanceof Element) scan(node)
  }).observe(document, { childList: true, subtree: true })
  addEventListener('pointerover', handlePointer)
  addEventListener('focusin', handlePointer)
  addEventListener('beforeprint', () => scan(document, '*'))
  return scan
}

/** Reserves the space of previews until they are mounted, so that nothing on the page shifts. */
function reserveSpace(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(reservedSpaceStyles)
  builtinMember(document, 'adoptedStyleSheets').push(sheet)
}

/** Name and hash of the files that load with the first preview, as built; undefined if the source itself runs, as in tests. */
declare const __SCRIPT_PARTS__: readonly [prefetch: HashedFile, previews: HashedFile] | undefined

type HashedFile = readonly [name: string, integrity: string]
type Load<Part> = () => Promise<Part>
type Parts = readonly [
  prefetch: Load<{ startPreviews: typeof startPreviews }>,
  previews: Load<{ startElement: StartElement }>,
]

/**
 * Loads both parts of the script at once and starts the first, which does not wait for the second. The browser checks them
 * against the hashes that are built into this script.
 *
 * @throws  When a file does not load or has another hash, or when there is no script tag whose URL locates the files.
 */
async function loadParts(tag: ScriptTag | null, configured: PreviewConfig): Promise<LazyPreviews> {
  const [prefetch, previews]: Parts =
    typeof __SCRIPT_PARTS__ === 'undefined'
      ? SOURCES
      : [preload(...__SCRIPT_PARTS__[0], tag), preload(...__SCRIPT_PARTS__[1], tag)]
  return (await prefetch()).startPreviews(tag, configured, previews)
}

const SOURCES: Parts = [() => import('./first-requests.js'), () => import('./previews.js')]

/** `import()` takes no hash, but waits for a `modulepreload` of the same URL that has one. */
function preload<Part>(name: string, integrity: string, tag: ScriptTag | null): Load<Part> {
  const { href } = new URL(name, tag?.src)
  builtinMember(document, 'head').append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity, href, nonce: tag?.nonce }),
  )
  return () => import(/* @vite-ignore */ href)
}
