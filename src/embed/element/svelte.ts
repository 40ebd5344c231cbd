import type { HTMLAttributes } from 'svelte/elements'
import type { InheritedName, PagePreviewElement, PreviewAttributes, PreviewHandlers, PreviewConfig } from './index.js'

/** Every element has properties of the other names: `query` carries them. */
type Properties = Omit<PreviewConfig, InheritedName>

type Own = Omit<PreviewAttributes, keyof Properties> & {
  [Name in keyof Properties]?:
    | Properties[Name]
    | (Name extends keyof PreviewAttributes ? PreviewAttributes[Name] : never)
} & PreviewHandlers & { query?: PreviewConfig }

/** Svelte sets an object as the property of that name, whether the script has loaded or not. */
export type PagePreviewInMarkup = Own & Omit<HTMLAttributes<PagePreviewElement>, keyof Own>

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'page-preview': PagePreviewInMarkup
  }
}
