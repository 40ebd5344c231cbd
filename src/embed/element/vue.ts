import type { EmitFn, HTMLAttributes, PublicProps } from 'vue'
import type { CamelAttributes, PagePreviewElement, PreviewAttributes, PreviewEventMap } from './index.js'

type Own = PreviewAttributes & CamelAttributes

/** The type of the element in templates; objects are set by `:screenshot.prop` and the like. */
export type PagePreviewInTemplates = new () => {
  $props: Own & Omit<HTMLAttributes, keyof Own> & PublicProps
  $emit: EmitFn<{ [Name in keyof PreviewEventMap]: (event: PreviewEventMap[Name]) => void }>
  $el: PagePreviewElement
}

declare module 'vue' {
  interface GlobalComponents {
    'page-preview': PagePreviewInTemplates
  }
}
