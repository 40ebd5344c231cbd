import type { HTMLAttributeReferrerPolicy, HTMLAttributes, ReactNode, Ref } from 'react'
import type { PageData, PageError, PageQuery } from '../../query/index.js'
import type { SourceOptions } from '../data/source-options.js'
import type { Messages } from '../messages/messages.js'
import type { StylingProps } from './styling-props.js'

/** The options of a preview that are not part of its query. */
export interface PreviewOptions extends SourceOptions, StylingProps {
  /** Default `auto`: the theme of the page at this place: nearest `data-theme`, class of the page, `color-scheme`. */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /** Alternative text of the image. Default: "Screenshot of {host}". */
  alt?: string | undefined
  /** Dimensions, type and size of the image are shown, such as "2560 × 1600 · JPG · 272 kB". Default `true`. */
  facts?: boolean | undefined
  /** Sent to the hosts of images and icons. Default: the document's referrer policy. */
  referrerPolicy?: HTMLAttributeReferrerPolicy | undefined
  /** BCP 47, for numbers, sizes and ages, and in which the page is requested. Default: that of the messages; the page has none. */
  locale?: string | undefined
  /** Replaces the English texts, all or some: `import { de } from 'page-preview/messages'`. */
  messages?: Partial<Messages> | undefined
  /** Shown in place of the image while it loads. Default: an empty box. */
  placeholder?: ReactNode
  /** Shown in place of a missing image. Default: the page's icon, or the first letter of its host. */
  fallback?: ReactNode
  /** The first result of a query is shown. */
  onLoad?: ((page: PageData) => void) | undefined
  /** A request has failed. */
  onError?: ((error: PageError) => void) | undefined
  /** A newer result has replaced the one that was shown. */
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
  /** Receives the root element, from React 19 on. */
  ref?: Ref<HTMLElement> | undefined
}
