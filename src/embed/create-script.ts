import type { PreviewScript, PreviewSettings } from './element/index.js'
import { findPreviews } from './find-previews.js'
import { loadPreviews } from './load-previews.js'
import { reservePlaces } from './reserve-places.js'

declare const __VERSION__: string

/** Watches the page, answers its calls, and brings what makes previews when the first is about to be seen. */
export function createScript(tag: HTMLScriptElement | undefined): PreviewScript {
  const configured: PreviewSettings = {}
  let running: ReturnType<typeof loadPreviews> | undefined
  const load = () => (running ??= loadPreviews(tag, configured))

  const scan = findPreviews(
    tag?.dataset.auto,
    load,
    (found) => void load().then((previews) => previews?.near(found)),
    (link) => void load().then((previews) => previews?.hover(link)),
  )
  // After the first look, which would have to lay the page out anew.
  reservePlaces()

  const script: PreviewScript = {
    version: __VERSION__,
    scan,
    render(target, query) {
      const place = typeof target === 'string' ? document.querySelector(target) : target
      if (!place) throw new TypeError(`PagePreview.render: nothing matches "${target as string}"`)
      const element = document.createElement('page-preview')
      element.append(...place.childNodes)
      element.query = query
      place.append(element)
      return element
    },
    async refresh(url) {
      await (await running)?.refresh(url)
    },
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
        for (const [name, ...given] of calls) (script[name] as (...given: readonly unknown[]) => unknown)?.(...given)
      },
    },
  }
  return script
}
