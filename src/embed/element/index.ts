import type { PagePreviewElement } from './page-preview-element.js'
import type { PreviewEventMap } from './preview-events.js'
import type { PreviewScript, QueuedCall } from './preview-script.js'

export type { PagePreviewElement } from './page-preview-element.js'
export type { CamelAttributes, PreviewAttributes } from './preview-attributes.js'
export type { PreviewEventMap, PreviewEvents, PreviewHandlers } from './preview-events.js'
export type { PreviewScript, QueuedCall } from './preview-script.js'
export type { PreviewConfig, PreviewOptions, PreviewParameters } from './preview-config.js'

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
