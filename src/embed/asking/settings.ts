import type { PreviewSettings } from '../element/index.js'
import { AskedAhead } from './asked-ahead.js'
import { readAttributes } from './read-attributes.js'
import { scriptHosts } from './script-hosts.js'

/** What all previews of one page share. Says `change` when defaults or the page's theme change. */
export class Settings extends EventTarget {
  readonly ahead = new AskedAhead()
  /** Previews and marked links that had come near the screen before they could be shown. */
  readonly near = new WeakSet<Element>()
  /** That which shows them is there. */
  areShown = false
  /** The page is about to be printed, so all are shown. */
  isPrinted = false
  /** Answers are kept in the browser's storage between visits. */
  readonly isKept: boolean
  readonly #configured: PreviewSettings
  readonly #said: PreviewSettings

  constructor(tag: HTMLScriptElement | undefined, configured: PreviewSettings) {
    super()
    this.isKept = tag?.dataset.persist !== undefined
    this.#configured = configured
    this.#said = tag ? { hosts: scriptHosts(tag), ...readAttributes(tag, 'data-') } : {}
  }

  /** Props for every preview that does not say otherwise: the script's tag goes before what is configured. */
  get defaults(): PreviewSettings {
    return { hosts: this.#said.hosts, ...this.#configured, ...this.#said }
  }

  tellChange(): void {
    this.dispatchEvent(new Event('change'))
  }
}
