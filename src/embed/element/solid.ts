import type { JSX } from 'solid-js'
import type { PagePreviewElement, PreviewAttributes, PreviewConfig } from './index.js'

type Own = PreviewAttributes & { 'prop:query'?: PreviewConfig }

/** Objects are set by `prop:query`, listeners by `ref`, because a name in JSX cannot have two colons. */
export type PagePreviewJsx = Own & Omit<JSX.HTMLAttributes<PagePreviewElement>, keyof Own>

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'page-preview': PagePreviewJsx
    }
  }
}
