import type { JSX } from 'solid-js'
import type { PagePreviewElement, PreviewAttributes, PreviewSettings } from './index.js'

type Own = PreviewAttributes & { 'prop:query'?: PreviewSettings }

/** Objects go through `prop:query`; a handler is put on by `ref`, for JSX has no name with two colons. */
export type PagePreviewJsx = Own & Omit<JSX.HTMLAttributes<PagePreviewElement>, keyof Own>

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'page-preview': PagePreviewJsx
    }
  }
}
