import type { PagePreviewProps } from '../react/index.js'

declare global {
  const __VERSION__: string
}

/** The element `<page-preview>`. Its link, if it has one, is for those whom the script never reaches, and gives the words. */
export interface PagePreviewElement extends HTMLElement {
  /** Words and options that go before the attributes. */
  query: Partial<PagePreviewProps>
}

/** `window.PagePreview`. */
export interface PreviewScript {
  readonly version: string
  /** Finds previews below `root` (default: the document), such as in a shadow root that the script cannot see. */
  scan(root?: Element | Document | ShadowRoot): void
  /** Shows a preview in `target`, an element or its selector; what is in there stays as its link. */
  render(target: Element | string, query: Partial<PagePreviewProps>): PagePreviewElement
  /** Asks again for one page, or for all. */
  refresh(url?: string): Promise<void>
  /** Sets defaults for all previews, `hosts` among them; what the script's tag or an element says goes before. */
  configure(options: Partial<PagePreviewProps>): void
  /** Calls back at `load`, `error` or `refresh` of any preview; gives the function that ends it. */
  on(event: string, listener: (event: CustomEvent) => void): () => void
  /** Runs calls that are pushed, as the stub before the script does not. */
  readonly q: { push(...calls: readonly QueuedCall[]): void }
}

/** A call that was made before the script was there: the name of a function, then what it takes. */
export type QueuedCall = {
  [Name in CallName]: readonly [Name, ...Parameters<PreviewScript[Name]>]
}[CallName]

type CallName = 'scan' | 'render' | 'refresh' | 'configure' | 'on'
