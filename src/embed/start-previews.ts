import { previewRequest } from '../card/index.js'
import { splitProps } from '../react/props/index.js'
import type { PreviewConfig } from './element/index.js'
import { logStartFailure } from './log-start-failure.js'
import { elementProperties, resolveOptions, SharedOptions } from './options.js'
import { Prefetcher } from './prefetcher.js'
import type { MountedPreviews, mountPreviews } from './previews/index.js'
import type { ScriptTag } from './script-tag.js'

/** All previews of a page. */
export interface Previews {
  /** Mounts the preview of an element or a marked link that came near the viewport. */
  mount(element: Element): void
  /** Shows the hover preview of a link that is hovered. */
  hover(link: Element): void
  /** Requests one page again, or all of them. */
  refresh(url: string | undefined): Promise<void>
  /** Renders all previews again, with the options that the page has configured since. */
  update(): void
}

/**
 * Prefetches what comes near the viewport while the code that mounts previews loads.
 *
 * @param tag            The script tag, whose `data-` attributes are options.
 * @param configured     Options of the page; they may change until `update` is called.
 * @param loadMounting   Loads the code that mounts previews.
 */
export function startPreviews(
  tag: ScriptTag | null,
  configured: PreviewConfig,
  loadMounting: () => Promise<{ mountPreviews: typeof mountPreviews }>,
): Previews {
  const sharedOptions = new SharedOptions(tag, configured)
  const prefetcher = new Prefetcher()
  const eagerElements = new WeakSet<Element>()
  const styles = loadStyles()
  // Errors surface where the styles are consumed.
  styles.catch(() => undefined)
  let isMounting = false
  let mounted: Promise<MountedPreviews | undefined> | undefined
  // Only when the first preview comes near the viewport, so that its request is sent first.
  const mountAll = () =>
    (mounted ??= loadMounting()
      .then(({ mountPreviews }) => {
        isMounting = true
        return mountPreviews({ sharedOptions, eagerElements, prefetcher, styles })
      })
      .catch(logStartFailure))
  return {
    mount(element) {
      if (!isMounting) {
        eagerElements.add(element)
        prefetchElement(element, sharedOptions, prefetcher)
      }
      void mountAll().then((previews) => previews?.upgradeLink(element))
    },
    hover: (link) => void mountAll().then((previews) => previews?.showHover(link)),
    refresh: async (url) => (await mounted)?.refresh(url),
    update: () => sharedOptions.notifyChange(),
  }
}

/** Sends the request that the preview of this element will need. */
function prefetchElement(element: Element, sharedOptions: SharedOptions, prefetcher: Prefetcher): void {
  const { query, options } = splitProps({ ...resolveOptions(element, sharedOptions) })
  const { hosts, apiKey, fetch, data, layout } = options
  // A stored result may make the request unnecessary, and a key or a `fetch` of the page is for the client alone.
  if (sharedOptions.isPersistent || !hosts || apiKey || fetch || data) return
  // Properties that were set before the element is defined are read once it is.
  if (elementProperties.some((name) => Object.hasOwn(element, name))) return
  prefetcher.prefetch(previewRequest(query, { hosts }), layout)
}

/** The stylesheet of the previews, as built; undefined if the source itself runs, as in tests. */
declare const __STYLESHEET__: readonly [file: string, integrity: string] | undefined

/** Loads the stylesheet as text for constructed stylesheets, which need no `style-src` of the page. */
async function loadStyles(): Promise<string> {
  if (typeof __STYLESHEET__ === 'undefined') return (await import('../react/styles.css?inline')).default
  const [file, integrity] = __STYLESHEET__
  const response = await fetch(new URL(file, import.meta.url), { integrity })
  return response.text()
}
