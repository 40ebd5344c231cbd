import type { PreviewOptions, PreviewSettings, PreviewWords } from './preview-settings.js'

/**
 * The element `<page-preview>`. Its link, if it has one, is for those whom the script never reaches, and gives the words.
 * Every word and option is a property, but `click` and `scroll`, which mean something else on every element: `query` takes those.
 */
export interface PagePreviewElement extends HTMLElement, Omit<PreviewWords, 'click' | 'scroll'>, PreviewOptions {
  /** Words and options that go before the attributes. */
  query: PreviewSettings
}
