import type { PreviewScript, PreviewSettings } from './element/index.js'
import { findPreviews } from './find-previews.js'
import type { RunningPreviews } from './previews/index.js'
import { loadPreviews } from './load-previews.js'
import { reservePlaces } from './reserve-places.js'

declare const __VERSION__: string

/** Watches the page, answers its calls, and brings what makes previews when the first is about to be seen. */
export function createScript(tag: HTMLScriptElement | undefined): PreviewScript {
  const configured: PreviewSettings = {}
  let running: Promise<RunningPreviews | undefined> | undefined
  const start = () =>
    (running ??= loadPreviews(tag, configured).catch((error: unknown) => {
      console.error('page-preview cannot start; links stay as they are:', error)
      return undefined
    }))

  reservePlaces()
  const scan = findPreviews(
    tag?.dataset.auto,
    (found) => void start().then((previews) => previews?.enhance(found)),
    (link) => void start().then((previews) => previews?.hover(link)),
  )

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
      const listen = (event: Event) => event instanceof CustomEvent && listener(event)
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
