import type { PreviewEvents } from './preview-events.js'
import type { PreviewSettings } from './preview-settings.js'
import type { PagePreviewElement } from './page-preview-element.js'

/** `window.PagePreview`. */
export interface PreviewScript {
  readonly version: string
  /** Finds previews below `root` (default: the document), such as in a shadow root that the script cannot see. */
  scan(root?: Element | Document | ShadowRoot): void
  /** Shows a preview in `target`, an element or its selector; what is in there stays as its link. */
  render(target: Element | string, query: PreviewSettings): PagePreviewElement
  /** Asks again for one page, or for all. */
  refresh(url?: string): Promise<void>
  /** Sets defaults for all previews, `hosts` among them; what the script's tag or an element says goes before. */
  configure(options: PreviewSettings): void
  /** Calls back at `load`, `error` or `refresh` of any preview; gives the function that ends it. */
  on<Name extends keyof PreviewEvents>(
    event: Name,
    listener: (event: CustomEvent<PreviewEvents[Name]>) => void,
  ): () => void
  /** Runs calls that are pushed, as the stub before the script does not. */
  readonly q: { push(...calls: readonly QueuedCall[]): void }
}

/** A call that was made before the script was there: the name of a function, then what it takes. */
export type QueuedCall = {
  [Name in CallName]: readonly [Name, ...Parameters<PreviewScript[Name]>]
}[CallName]

type CallName = 'scan' | 'render' | 'refresh' | 'configure' | 'on'
