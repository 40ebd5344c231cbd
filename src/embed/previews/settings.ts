import { QueryClient } from '@tanstack/react-query'
import type { ErrorCode, PageError } from '../../query/index.js'
import type { PreviewSettings } from '../element/index.js'
import { readAttributes } from './read-attributes.js'
import { scriptHosts } from './script-hosts.js'

const SERVICE_FAILURES: readonly ErrorCode[] = ['EFATALCLIENT', 'ETIMEOUTCLIENT', 'ERATE', 'EAUTH', 'EBUSY']

/** What all previews of one page share. Says `change` when defaults or the page's theme change. */
export class Settings extends EventTarget {
  readonly queryClient = new QueryClient()
  readonly #configured: PreviewSettings
  readonly #said: PreviewSettings

  constructor(
    tag: HTMLScriptElement | undefined,
    configured: PreviewSettings,
    readonly sheet: CSSStyleSheet,
  ) {
    super()
    this.#configured = configured
    this.#said = tag ? { hosts: scriptHosts(tag), ...readAttributes(tag, 'data-') } : {}
    this.queryClient.mount()
    const themes = new MutationObserver(() => this.tellChange())
    themes.observe(document, { attributeFilter: ['data-theme'], subtree: true })
    for (const switched of [document.documentElement, document.body])
      themes.observe(switched, { attributeFilter: ['class', 'style'] })
    addEventListener('beforeprint', () => {
      this.isPrinted = true
      this.tellChange()
    })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.tellChange())
  }

  /** All previews are shown, for the page is about to be printed. */
  isPrinted = false
  #hasWarned = false

  /** Props for every preview that does not say otherwise: the script's tag goes before what is configured. */
  get defaults(): PreviewSettings {
    return { hosts: this.#said.hosts, ...this.#configured, ...this.#said }
  }

  /** Tells whoever made the page, once, when it is the service and not a page that fails. */
  warnOf({ code, message }: PageError): void {
    if (this.#hasWarned || !SERVICE_FAILURES.includes(code)) return
    this.#hasWarned = true
    console.warn(`page-preview: ${message} (${code}); links still work.`)
  }

  tellChange(): void {
    this.dispatchEvent(new Event('change'))
  }
}
