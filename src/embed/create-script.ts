import type { PagePreviewElement, PreviewConfig, PreviewScript } from './element/index.js'
import { loadParts } from './load-parts.js'
import { logStartFailure } from './log-start-failure.js'
import { observeElements } from './observe-elements.js'
import { reserveSpace } from './reserve-space.js'
import type { ScriptTag } from './script-tag.js'
import type { Previews } from './start-previews.js'

declare const __VERSION__: string

/** Creates `window.PagePreview`: observes the elements of the page, and loads the rest when the first comes near the viewport. */
export function createScript(tag: ScriptTag | null): PreviewScript {
  const configured: PreviewConfig = {}
  let started: Promise<Previews | undefined> | undefined
  const start = () => (started ??= loadParts(tag, configured).catch(logStartFailure))

  const { auto, layout, free, pro } = tag?.dataset ?? {}
  /** Frozen previews are complete: they stay as they are where the page names no service. */
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
