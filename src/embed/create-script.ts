import type { ScriptTag } from './script-tag.js'
import type { Previews } from './asking/index.js'
import type { PagePreviewElement, PreviewScript, PreviewSettings } from './element/index.js'
import { findPreviews } from './find-previews.js'
import { loadPreviews } from './load-previews.js'
import { tellFailure } from './tell-failure.js'
import { reservePlaces } from './reserve-places.js'

declare const __VERSION__: string

/** Watches the page, answers its calls, and brings what makes previews when the first is about to be seen. */
export function createScript(tag: ScriptTag | undefined): PreviewScript {
  const configured: PreviewSettings = {}
  let running: Promise<Previews | undefined> | undefined
  const load = () => (running ??= loadPreviews(tag, configured).catch(tellFailure))

  const scan = findPreviews(tag?.dataset.auto, load, (what, found) =>
    load().then((previews) => previews?.[what](found)),
  )
  // After the first look, which would have to lay the page out anew.
  if (!tag?.dataset.layout) reservePlaces()

  const script: PreviewScript = {
    version: __VERSION__,
    scan,
    render(target, query) {
      const place = target instanceof Element ? target : document.querySelector(target)
      if (!place) throw new Error(`nothing matches "${target as string}"`)
      const element: PagePreviewElement =
        place.querySelector<PagePreviewElement>(':scope>page-preview') ?? document.createElement('page-preview')
      element.query = query
      if (!element.parentNode) {
        element.append(...place.childNodes)
        place.append(element)
      }
      return element
    },
    refresh: async (url) => (await running)?.refresh(url),
    configure(options) {
      Object.assign(configured, options)
      void running?.then((previews) => previews?.changed())
    },
    on(event, listener) {
      const name = `page-preview:${event}`
      const listen = { handleEvent: listener }
      document.addEventListener(name, listen)
      return () => document.removeEventListener(name, listen)
    },
    q: {
      push(...calls) {
        for (const [name, ...given] of calls)
          try {
            ;(script[name] as (...given: readonly unknown[]) => unknown)?.(...given)
          } catch (error) {
            reportError(error)
          }
      },
    },
  }
  return script
}
