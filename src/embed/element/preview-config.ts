import type { Layout } from '../../card/index.js'
import type { ClientOptions } from '../../client/index.js'
import type { PageData, PageQuery } from '../../query/index.js'
import type { Messages } from '../../react/messages/index.js'

/** The parameters of the query, as JavaScript values. */
export type PreviewParameters = {
  -readonly [Name in keyof PageQuery as Name extends `${string}.${string}` ? never : Name]?: PageQuery[Name] | undefined
}

/** The options of a preview other than its query: the same as in React, in types that need no React. */
export interface PreviewOptions {
  /**
   * A card, a row with a small image, an image with a caption, or a chip in running text.
   *
   * @default 'card'
   * @example layout: 'row'
   */
  layout?: Layout | undefined
  /**
   * `auto`: the theme of the page around the preview.
   *
   * @default 'auto'
   * @example theme: 'dark'
   */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /**
   * `lazy` requests the page once the preview is less than 600 pixels away from the viewport, `eager` at once.
   *
   * @default 'lazy'
   * @example loading: 'eager'
   */
  loading?: 'lazy' | 'eager' | undefined
  /**
   * Alternative text of the image. Default: "Screenshot of {host}"; for the page's own image its text, or "Picture of {host}".
   *
   * @example alt: 'The tide tables of Skerry'
   */
  alt?: string | undefined
  /**
   * Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB"; as attribute `facts="off"`.
   *
   * @default true
   * @example facts: false
   */
  facts?: boolean | undefined
  /**
   * Language of numbers and ages in the card, and of the request for the page, as a BCP 47 tag. Default: the language
   * of the messages for the card, none for the request.
   *
   * @example locale: 'de-AT'
   */
  locale?: string | undefined
  /**
   * The preview is the main content of the page: requested at once, its image with high priority.
   *
   * @default false
   * @example priority: true
   */
  priority?: boolean | undefined
  /**
   * Milliseconds between requests while the preview is near the viewport of a visible page. Default: no repeated requests.
   *
   * @example refreshInterval: 60_000
   */
  refreshInterval?: number | undefined
  /**
   * Data of your own; nothing is requested.
   *
   * @example data: { title: 'Tides', image: { url: '/tides.png' } }
   */
  data?: PageData | undefined
  /**
   * Replaces the English texts, all or some. `import { de } from 'page-preview/messages'`. Default: the English ones.
   *
   * @example messages: { ...de, retry: 'Erneut versuchen' }
   */
  messages?: Partial<Messages> | undefined
}

/** The parameters and options of a preview, and the service to request it from. */
export interface PreviewConfig
  extends PreviewParameters, PreviewOptions, Partial<Pick<ClientOptions, 'endpoint' | 'apiKey' | 'fetch'>> {}
