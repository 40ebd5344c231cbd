import type { PreviewOptions, PreviewConfig, PreviewParameters } from './preview-config.js'

/**
 * The element `<page-preview>`. The link inside, if there is one, is what readers without JavaScript get, and its text stands
 * in until the title of the page is known. Every parameter and option is a property, except `click` and `scroll`, which every
 * element has already: these are set through `query`.
 */
export interface PagePreviewElement extends HTMLElement, Omit<PreviewParameters, 'click' | 'scroll'>, PreviewOptions {
  /** Parameters and options that win over the attributes. */
  query: PreviewConfig
}
