import { readAttributes } from '../../card/index.js'
import type { PreviewConfig } from '../element/index.js'
import type { ScriptTag } from '../script-tag.js'
import { scriptHosts } from './script-hosts.js'

/**
 * The options that all previews of a page share. Dispatches `change` when all previews have to render again, and `theme` when the
 * page may have another theme.
 */
export class SharedOptions extends EventTarget {
  /** Results are stored in the browser between visits. */
  readonly isPersistent: boolean
  readonly #scriptOrigin: PreviewConfig
  readonly #configured: PreviewConfig
  readonly #tagOptions: PreviewConfig

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
    this.#tagOptions = tag
      ? { ...((free ?? pro) !== undefined && this.#scriptOrigin), ...readAttributes(tag.attributes, 'data-') }
      : {}
  }

  /** Defaults of all previews. Attributes of the tag take precedence over `configure()`, and these over the script's origin. */
  get defaults(): PreviewConfig {
    return { ...this.#scriptOrigin, ...this.#configured, ...this.#tagOptions }
  }

  /** Whether the page names the service to request; otherwise it is the origin of the script. */
  get isServiceNamed(): boolean {
    return Boolean(this.#tagOptions.hosts ?? this.#configured.hosts)
  }

  notifyChange(): void {
    this.dispatchEvent(new Event('change'))
  }
}
