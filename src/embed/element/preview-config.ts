import type { ClientOptions } from '../../client/index.js'
import type { PageData, PageQuery } from '../../query/index.js'
import type { Messages } from '../../react/messages/index.js'

/** The parameters of the query, as JavaScript values. */
export type PreviewParameters = {
  -readonly [Name in keyof PageQuery as Name extends `${string}.${string}` ? never : Name]?: PageQuery[Name] | undefined
}

/** The options of a preview beside its query: those of the React component, in types that need no React. */
export interface PreviewOptions {
  /** Default `card`. */
  layout?: 'card' | 'row' | 'image' | 'inline' | undefined
  /** Default `auto`: the theme of the page. */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /** When to request the page: `eager` at once; `lazy`, the default, when the preview is less than 600 pixels from the viewport. */
  loading?: 'lazy' | 'eager' | undefined
  /** Alternative text of the image; default "Screenshot of {host}". */
  alt?: string | undefined
  /** Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB". Default `true`; as attribute `off`. */
  facts?: boolean | undefined
  /** BCP 47, for numbers, sizes and ages, and in which the page is requested. Default: that of the messages; the page has none. */
  locale?: string | undefined
  /** The preview is the main content of the page: requested at once, its image with high priority. Default `false`. */
  priority?: boolean | undefined
  /** Milliseconds between requests while the preview is in the viewport of a visible page. Default: no repeated requests. */
  refreshInterval?: number | undefined
  /** Data of your own; nothing is requested. */
  data?: PageData | undefined
  /** Some or all texts in another language: `import { de } from 'page-preview/messages'`. */
  messages?: Partial<Messages> | undefined
}

/** The parameters and options of a preview, and the service to request it from. */
export interface PreviewConfig
  extends PreviewParameters, PreviewOptions, Partial<Pick<ClientOptions, 'hosts' | 'apiKey' | 'fetch'>> {}
