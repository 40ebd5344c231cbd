import type { PagePreviewElement } from './page-preview-element.js'
import type { PreviewEventMap } from './preview-events.js'
import type { PreviewScript, QueuedCall } from './preview-script.js'

export type { PagePreviewElement } from './page-preview-element.js'
export type { CamelAttributes, PreviewAttributes } from './preview-attributes.js'
export type { PreviewEventMap, PreviewEvents, PreviewHandlers } from './preview-events.js'
export type { PreviewScript, QueuedCall } from './preview-script.js'
export type { PreviewOptions, PreviewSettings, PreviewWords } from './preview-settings.js'

declare global {
  interface HTMLElementTagNameMap {
    'page-preview': PagePreviewElement
  }
  /** They bubble, so that every element, the document and the window hear them. */
  interface GlobalEventHandlersEventMap extends PreviewEventMap {}
  interface Window {
    /** The script, or before it is there a stub with a queue of calls. */
    PagePreview?: PreviewScript | { q: QueuedCall[] }
  }
}
