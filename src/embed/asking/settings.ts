import type { ScriptTag } from '../script-tag.js'
import type { PreviewSettings } from '../element/index.js'
import { PrefetchedResponses } from './prefetched-responses.js'
import { readAttributes } from './read-attributes.js'
import { scriptHosts } from './script-hosts.js'

/** What all previews of one page share. Says `change` when defaults or the page's theme change. */
export class Settings extends EventTarget {
  readonly ahead = new PrefetchedResponses()
  /** Previews and marked links that had come near the screen before they could be shown, or are printed. */
  readonly near = new WeakSet<Element>()
  /** That which shows them is there. */
  areShown = false
  /** The page is about to be printed, so all that are there are shown. */
  isPrinted = false
  /** Answers are kept in the browser's storage between visits. */
  readonly isKept: boolean
  readonly #origin: PreviewSettings
  readonly #configured: PreviewSettings
  readonly #said: PreviewSettings

  constructor(tag: ScriptTag | undefined, configured: PreviewSettings) {
    super()
    this.isKept = tag?.dataset.persist !== undefined
    this.#configured = configured
    const { free, pro } = tag?.dataset ?? {}
    this.#origin = tag ? { hosts: scriptHosts(tag) } : {}
    this.#said = tag ? { ...((free ?? pro) !== undefined && this.#origin), ...readAttributes(tag, 'data-') } : {}
  }

  /** Props for every preview that does not say otherwise: the script's tag goes before what is configured, its origin after. */
  get defaults(): PreviewSettings {
    return { ...this.#origin, ...this.#configured, ...this.#said }
  }

  tellChange(): void {
    this.dispatchEvent(new Event('change'))
  }
}
