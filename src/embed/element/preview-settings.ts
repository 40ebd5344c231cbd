import type { ClientOptions } from '../../client/index.js'
import type { PageData, PageQuery } from '../../query/index.js'
import type { Messages } from '../../react/messages/index.js'

/** The words of the language, as JavaScript says them. */
export type PreviewWords = {
  -readonly [W in keyof PageQuery as W extends `${string}.${string}` ? never : W]?: PageQuery[W] | undefined
}

/** What a preview is beside its query; the same as in React, in types that need no React. */
export interface PreviewOptions {
  /** Default `card`. */
  layout?: 'card' | 'row' | 'image' | 'inline' | undefined
  /** Default `auto`: that of the page around it. */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /** `eager` asks at once. Default `lazy`: when the preview is less than 600 pixels away from the screen. */
  loading?: 'lazy' | 'eager' | undefined
  /** Of the picture; default "Screenshot of {host}". */
  alt?: string | undefined
  /** BCP 47, for numbers, sizes and ages. Default: that of the messages. */
  locale?: string | undefined
  /** The preview is what the page is about: asks at once, and its picture goes before others. Default `false`. */
  priority?: boolean | undefined
  /** Asks again this often while the preview is on screen and the page is looked at, milliseconds. Default: never. */
  refreshInterval?: number | undefined
  /** Own data: nothing is requested. */
  data?: PageData | undefined
  /** Words in the place of the English ones, in part or in full: `import { de } from 'page-preview/messages'`. */
  messages?: Partial<Messages> | undefined
}

/** All that can be said of a preview, and of where to ask. */
export interface PreviewSettings
  extends PreviewWords, PreviewOptions, Partial<Pick<ClientOptions, 'hosts' | 'apiKey' | 'fetch'>> {}
