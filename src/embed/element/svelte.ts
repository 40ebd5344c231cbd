import type { HTMLAttributes } from 'svelte/elements'
import type { PagePreviewElement, PreviewAttributes, PreviewHandlers, PreviewConfig } from './index.js'

type Own = PreviewAttributes & PreviewHandlers & { query?: PreviewConfig }

/** Svelte sets an object as the property of that name, whether the script has loaded or not. */
export type PagePreviewInMarkup = Own & Omit<HTMLAttributes<PagePreviewElement>, keyof Own>

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'page-preview': PagePreviewInMarkup
  }
}
