import type { PagePreviewProps } from '../react/index.js'
import { enhanceLink } from './enhance-link.js'
import type { PagePreviewElement } from './page-preview-element.js'
import type { ScriptSettings } from './script-settings.js'

declare const __VERSION__: string

/** A call that was made before the script was there: the name of a function, then what it takes. */
export type QueuedCall = readonly [keyof typeof CALLS, ...unknown[]]

/** `window.PagePreview`. */
export interface PreviewScript {
  readonly version: string
  /** Turns each `a[data-page-preview]` below `root` (default: the document) into a preview. */
  scan(root?: ParentNode): void
  /** Shows a preview in `target`, an element or its selector; what is in there stays as its link. */
  render(target: Element | string, query: Partial<PagePreviewProps>): PagePreviewElement
  /** Asks again for one page, or for all. */
  refresh(url?: string): Promise<void>
  /** Sets defaults for all previews, `hosts` among them. */
  configure(options: Partial<PagePreviewProps>): void
  /** Calls back at `load`, `error` or `refresh` of any preview; gives the function that ends it. */
  on(event: string, listener: (event: CustomEvent) => void): () => void
  /** Runs calls that are pushed, as the stub before the script does not. */
  readonly q: { push(...calls: QueuedCall[]): void }
}

const CALLS = { scan: true, render: true, refresh: true, configure: true, on: true } as const

export function previewScript(settings: ScriptSettings): PreviewScript {
  const { queryClient } = settings
  const script: PreviewScript = {
    version: __VERSION__,
    scan(root = document) {
      for (const link of root.querySelectorAll<HTMLAnchorElement>('a[data-page-preview]')) enhanceLink(link)
    },
    render(target, query) {
      const place = typeof target === 'string' ? document.querySelector(target) : target
      if (!place) throw new TypeError(`PagePreview.render: nothing on this page matches ${JSON.stringify(target)}`)
      const element = document.createElement('page-preview') as PagePreviewElement
      element.append(...place.childNodes)
      element.query = query
      place.append(element)
      return element
    },
    async refresh(url) {
      // Those that are far from the screen ask when they come near.
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => url === undefined || new URLSearchParams(String(queryKey[3])).get('url') === url,
      })
    },
    configure: (options) => settings.configure(options),
    on(event, listener) {
      const name = `page-preview:${event}`
      const listen = (event: Event) => event instanceof CustomEvent && listener(event)
      document.addEventListener(name, listen)
      return () => document.removeEventListener(name, listen)
    },
    q: {
      push(...calls) {
        for (const [name, ...given] of calls)
          if (Object.hasOwn(CALLS, name)) (script[name] as (...given: unknown[]) => unknown)(...given)
      },
    },
  }
  return script
}
