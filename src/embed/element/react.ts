import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { PagePreviewElement, PreviewAttributes, PreviewHandlers } from './index.js'

type Own = PreviewAttributes & PreviewHandlers

/** Attributes alone: what React renders before the script has come would turn an object into its text. */
export type PagePreviewJsx = DetailedHTMLProps<
  Own & Omit<HTMLAttributes<PagePreviewElement>, keyof Own>,
  PagePreviewElement
>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'page-preview': PagePreviewJsx
    }
  }
}
