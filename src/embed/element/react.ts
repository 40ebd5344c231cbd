import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { PagePreviewElement, PreviewAttributes, PreviewHandlers } from './index.js'

type Own = PreviewAttributes & PreviewHandlers

/** Attributes alone: until the script has loaded, React renders an object as the text `[object Object]`. */
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
