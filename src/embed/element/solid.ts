import type { JSX } from 'solid-js'
import type { InheritedName, PagePreviewElement, PreviewAttributes, PreviewConfig } from './index.js'

/** Every element has properties of the other names: `prop:query` carries them. */
type PropertyName = Exclude<keyof PreviewConfig, InheritedName>

type Own = PreviewAttributes & { [Name in PropertyName as `prop:${Name}`]?: PreviewConfig[Name] } & {
  'prop:query'?: PreviewConfig
}

/** Objects are set by `prop:screenshot` and the like, listeners by `ref`, because a name in JSX cannot have two colons. */
export type PagePreviewJsx = Own & Omit<JSX.HTMLAttributes<PagePreviewElement>, keyof Own>

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'page-preview': PagePreviewJsx
    }
  }
}
