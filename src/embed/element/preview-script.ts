import type { PreviewEvents } from './preview-events.js'
import type { PreviewConfig } from './preview-config.js'
import type { PagePreviewElement } from './page-preview-element.js'

/** `window.PagePreview`. */
export interface PreviewScript {
  readonly version: string
  /** Observes the previews below `root` (default: the document): needed for shadow roots, and for links that were marked later. */
  scan(root?: Element | Document | ShadowRoot): void
  /**
   * Renders a preview in `target`, an element or its selector; the content of the element becomes the link of the preview.
   *
   * @throws  When no element matches the selector.
   */
  render(target: Element | string, query: PreviewConfig): PagePreviewElement
  /** Requests one page again, or all of them. */
  refresh(url?: string): Promise<void>
  /** Sets defaults for all previews, such as `hosts`; the attributes of the script tag and of each element take precedence. */
  configure(options: PreviewConfig): void
  /** Listens to `load`, `error` or `refresh` of all previews; returns the function that stops listening. */
  on<Name extends keyof PreviewEvents>(
    event: Name,
    listener: (event: CustomEvent<PreviewEvents[Name]>) => void,
  ): () => void
  /** Runs calls at once that are pushed after the script has loaded; until then, the stub queues them. */
  readonly q: { push(...calls: readonly QueuedCall[]): void }
}

/** A call that was queued before the script had loaded: the name of a function, then its arguments. */
export type QueuedCall = {
  [Name in FunctionName]: readonly [Name, ...Parameters<PreviewScript[Name]>]
}[FunctionName]

type FunctionName = 'scan' | 'render' | 'refresh' | 'configure' | 'on'
