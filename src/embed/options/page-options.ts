import { readAttributes } from '../../card/index.js'
import type { PreviewConfig } from '../element/index.js'
import type { ScriptTag } from '../script-tag.js'
import { scriptHosts } from './script-hosts.js'

/**
 * The options that all previews of a page share. Dispatches `change` when all previews have to render again, and `theme` when the
 * page may have another theme.
 */
export class PageOptions extends EventTarget {
  /** Results are stored in the browser between visits. */
  readonly isPersistent: boolean
  readonly #scriptOrigin: PreviewConfig
  readonly #configured: PreviewConfig
  readonly #ofTag: PreviewConfig

  /**
   * @param tag         The script tag, whose `data-` attributes are options.
   * @param configured  What the page sets by `configure()`; it may change later.
   */
  constructor(tag: ScriptTag | null, configured: PreviewConfig) {
    super()
    this.isPersistent = tag?.dataset.persist !== undefined
    this.#configured = configured
    const { free, pro } = tag?.dataset ?? {}
    this.#scriptOrigin = tag ? { hosts: scriptHosts(tag) } : {}
    this.#ofTag = tag
      ? { ...((free ?? pro) !== undefined && this.#scriptOrigin), ...readAttributes(tag.attributes, 'data-') }
      : {}
  }

  /** Options for every preview that does not set its own: attributes of the tag win over `configure()`, this over the script's origin. */
  get defaults(): PreviewConfig {
    return { ...this.#scriptOrigin, ...this.#configured, ...this.#ofTag }
  }

  /** The page itself says which service to request; else it is the origin of the script. */
  get isServiceNamed(): boolean {
    return Boolean(this.#ofTag.hosts ?? this.#configured.hosts)
  }

  notifyChange(): void {
    this.dispatchEvent(new Event('change'))
  }
}
