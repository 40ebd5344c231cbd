import type { PageData, PageError } from '../../query/index.js'
import type { PreviewConfig, PreviewOptions, PreviewParameters } from './preview-config.js'

export type { CamelAttributes, PreviewAttributes } from './preview-attributes.js'
export type { PreviewConfig, PreviewOptions, PreviewParameters } from './preview-config.js'

/**
 * The element `<page-preview>`. The link inside, if there is one, is shown without JavaScript, and its text until the title of
 * the page is known. Every parameter and option is a property, except `click` and `scroll`, which every
 * element has already: these are set through `query`.
 */
export interface PagePreviewElement extends HTMLElement, Omit<PreviewParameters, 'click' | 'scroll'>, PreviewOptions {
  /** Parameters and options that take precedence over the attributes. */
  query: PreviewConfig
}

/** The `detail` of each event of a preview, by the name after `page-preview:`. */
export interface PreviewEvents {
  /** The first result of this query has loaded. */
  load: PageData
  error: PageError
  /** A newer result has replaced the shown one. */
  refresh: PageData
}

/** The events by their full names. */
export type PreviewEventMap = {
  [Name in keyof PreviewEvents as `page-preview:${Name}`]: CustomEvent<PreviewEvents[Name]>
}

/** Handlers for frameworks that accept the name of any event after `on`. */
export type PreviewHandlers = {
  [Name in keyof PreviewEventMap as `on${Name}`]?: ((event: PreviewEventMap[Name]) => void) | undefined
}

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
  /** Sets defaults for all previews, such as `endpoint`; the attributes of the script tag and of each element take precedence. */
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

declare global {
  interface HTMLElementTagNameMap {
    'page-preview': PagePreviewElement
  }
  /** The events bubble, so listeners can be on any element, the document and the window. */
  interface GlobalEventHandlersEventMap extends PreviewEventMap {}
  interface Window {
    /** The script; until it has loaded, a stub with a queue of calls. */
    PagePreview?: PreviewScript | { q: QueuedCall[] }
  }
}
