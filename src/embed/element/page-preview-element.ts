import type { PreviewOptions, PreviewConfig, PreviewParameters } from './preview-config.js'

/**
 * The element `<page-preview>`. The link inside, if there is one, is shown without JavaScript, and its text until the title of
 * the page is known. Every parameter and option is a property, except `click` and `scroll`, which every
 * element has already: these are set through `query`.
 */
export interface PagePreviewElement extends HTMLElement, Omit<PreviewParameters, 'click' | 'scroll'>, PreviewOptions {
  /** Parameters and options that take precedence over the attributes. */
  query: PreviewConfig
}
