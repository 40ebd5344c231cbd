import type { EmitFn, HTMLAttributes, PublicProps } from 'vue'
import type { CamelAttributes, PagePreviewElement, PreviewAttributes, PreviewEventMap } from './index.js'

type Own = PreviewAttributes & CamelAttributes

/** What stands in a template as a component does; objects go through `:query.prop`. */
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
