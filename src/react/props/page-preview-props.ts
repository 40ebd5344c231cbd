import type { HTMLAttributeReferrerPolicy, HTMLAttributes, ReactNode, Ref } from 'react'
import type { PageData, PageError, PageQuery } from '../../query/index.js'
import type { SourceOptions } from '../data/source-options.js'
import type { Messages } from '../messages/messages.js'
import type { StylingProps } from './styling-props.js'

/** The options of a preview that are not part of its query. */
export interface PreviewOptions extends SourceOptions, StylingProps {
  /**
   * `auto`: the theme of the page at this place, by the nearest `data-theme`, a class of the page, or `color-scheme`.
   *
   * @default 'auto'
   * @example theme: 'dark'
   */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /**
   * Alternative text of the image. Default: "Screenshot of {host}", or "Picture of {host}" for the page's own image.
   *
   * @example alt: 'The tide tables of Skerry'
   */
  alt?: string | undefined
  /**
   * Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB".
   *
   * @default true
   * @example facts: false
   */
  facts?: boolean | undefined
  /**
   * Sent to the hosts of images and icons. Default: the document's referrer policy.
   *
   * @example referrerPolicy: 'no-referrer'
   */
  referrerPolicy?: HTMLAttributeReferrerPolicy | undefined
  /**
   * Language of numbers and ages in the card, and of the request for the page, as a BCP 47 tag. Default: for the card that of the
   * messages, for the request none.
   *
   * @example locale: 'de-AT'
   */
  locale?: string | undefined
  /**
   * Replaces the English texts, all or some. `import { de } from 'page-preview/messages'`. Default: the English ones.
   *
   * @example messages: { ...de, retry: 'Erneut versuchen' }
   */
  messages?: Partial<Messages> | undefined
  /**
   * Shown in place of the image while it loads. Default: an empty box.
   *
   * @example placeholder: <Spinner />
   */
  placeholder?: ReactNode
  /**
   * Shown in place of a missing image. Default: the page's icon, or the first letter of its host.
   *
   * @example fallback: <p>No image</p>
   */
  fallback?: ReactNode
  /**
   * Called when the first result of a query is shown.
   *
   * @example onLoad: (page) => console.log(page.title)
   */
  onLoad?: ((page: PageData) => void) | undefined
  /**
   * Called when a request has failed.
   *
   * @example onError: (error) => report(error.code)
   */
  onError?: ((error: PageError) => void) | undefined
  /**
   * Called when a newer result has replaced the one that was shown.
   *
   * @example onRefresh: (page) => console.log(page.screenshot?.url)
   */
  onRefresh?: ((page: PageData) => void) | undefined
}

/**
 * Every parameter of the query language, the options above, and any attribute of the root element. Where a parameter and an
 * attribute have the same name, it is the parameter.
 */
export interface PagePreviewProps
  extends
    Omit<PageQuery, 'locale'>,
    PreviewOptions,
    Omit<HTMLAttributes<HTMLElement>, keyof PageQuery | keyof PreviewOptions> {
  /**
   * Receives the root element, from React 19 on.
   *
   * @example ref: rootRef
   */
  ref?: Ref<HTMLElement> | undefined
}
