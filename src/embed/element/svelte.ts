import type { HTMLAttributes } from 'svelte/elements'
import type { PagePreviewElement, PreviewAttributes, PreviewHandlers, PreviewSettings } from './index.js'

type Own = PreviewAttributes & PreviewHandlers & { query?: PreviewSettings }

/** Svelte gives an object to the property of its name, whether the script has come or not. */
export type PagePreviewInMarkup = Own & Omit<HTMLAttributes<PagePreviewElement>, keyof Own>

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'page-preview': PagePreviewInMarkup
  }
}
