import { QueryClient } from '@tanstack/react-query'
import type { PagePreviewProps } from '../react/index.js'

/** What all previews of one script share. Says `change` when its defaults change. */
export class ScriptSettings extends EventTarget {
  readonly queryClient = new QueryClient()
  #defaults: Partial<PagePreviewProps>

  constructor(defaults: Partial<PagePreviewProps>) {
    super()
    this.#defaults = defaults
    this.queryClient.mount()
  }

  /** Props for every preview that does not say otherwise. */
  get defaults(): Partial<PagePreviewProps> {
    return this.#defaults
  }

  configure(defaults: Partial<PagePreviewProps>): void {
    this.#defaults = { ...this.#defaults, ...defaults }
    this.dispatchEvent(new Event('change'))
  }
}
