import type { PagePreviewElement, PreviewConfig, PreviewScript } from './element/index.js'
import { logStartFailure } from './log-start-failure.js'
import { observeElements } from './observe-elements.js'
import type { mountPreviews } from './previews/index.js'
import styles from './reserved-card-space.css?inline'
import type { ScriptTag } from './script-tag.js'
import type { Previews, startPreviews } from './start-previews.js'

declare const __VERSION__: string

/** Creates `window.PagePreview`: observes the elements of the page, and loads the rest when the first comes near the viewport. */
export function createScript(tag: ScriptTag | null): PreviewScript {
  const configured: PreviewConfig = {}
  let started: Promise<Previews | undefined> | undefined
  const start = () => (started ??= loadParts(tag, configured).catch(logStartFailure))

  const { auto, layout, free, pro } = tag?.dataset ?? {}
  /** Frozen previews are complete: they stay as they are if the page names no service. */
  const isFrozen = (element: Element) =>
    element.matches('[data-frozen]') && !(free ?? pro ?? configured.hosts ?? 'hosts' in element)

  const scan = observeElements(auto, isFrozen, start, (event, element) =>
    start().then((previews) => previews?.[event](element)),
  )
  // After the first scan, whose measurements would otherwise force another layout.
  if (!layout) reserveSpace()

  const script: PreviewScript = {
    version: __VERSION__,
    scan,
    render(target, query) {
      const parent = target instanceof Element ? target : document.querySelector(target)
      if (!parent) throw new Error(`nothing matches "${target as string}"`)
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

/** Reserves the space of previews until they are mounted, so that nothing on the page shifts. */
function reserveSpace(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  const sheets: CSSStyleSheet[] = Reflect.get(Document.prototype, 'adoptedStyleSheets', document)
  sheets.push(sheet)
}

/** Name and hash of the files that load with the first preview, as built; undefined if the source itself runs, as in tests. */
declare const __SCRIPT_PARTS__: readonly [prefetch: HashedFile, previews: HashedFile] | undefined

type HashedFile = readonly [name: string, integrity: string]
type Load<Part> = () => Promise<Part>
type Parts = readonly [
  prefetch: Load<{ startPreviews: typeof startPreviews }>,
  previews: Load<{ mountPreviews: typeof mountPreviews }>,
]

/**
 * Loads both parts of the script at once and starts the first, which does not wait for the second. The browser checks them
 * against the hashes that are built into this script.
 *
 * @throws  When a file does not load or has another hash, or when there is no script tag whose URL locates the files.
 */
async function loadParts(tag: ScriptTag | null, configured: PreviewConfig): Promise<Previews> {
  const [prefetch, previews]: Parts =
    typeof __SCRIPT_PARTS__ === 'undefined'
      ? SOURCES
      : [preload(...__SCRIPT_PARTS__[0], tag), preload(...__SCRIPT_PARTS__[1], tag)]
  return (await prefetch()).startPreviews(tag, configured, previews)
}

const SOURCES: Parts = [() => import('./start-previews.js'), () => import('./previews/index.js')]

/** `import()` takes no hash, but waits for a `modulepreload` of the same URL that has one. */
function preload<Part>(name: string, integrity: string, tag: ScriptTag | null): Load<Part> {
  const { href } = new URL(name, tag?.src)
  // Not `document.head`, which an image of this name would replace.
  Reflect.get(Document.prototype, 'head', document).append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity, href, nonce: tag?.nonce }),
  )
  return () => import(/* @vite-ignore */ href)
}
