import type { ErrorCode } from '../../query/index.js'

/** Every word that a preview says by itself. */
export interface Messages {
  /** BCP 47: the language of these words, and of numbers, sizes and ages beside them. */
  locale: string
  /** Direction of the preview; default: that of what is around it. */
  dir?: 'rtl' | undefined
  retry: string
  updating: string
  /** @param age  `3d ago`, in the preview's locale. */
  saved: (age: string) => string
  /** Alternative text of a screenshot. */
  screenshot: (host: string) => string
  /** Alternative text of the page's own picture. */
  image: (host: string) => string
  /** Name of the button that starts the page's audio or video; how long it is comes after it. */
  audio: string
  video: string
  /** Said once after Retry, to those who do not see it. */
  loaded: string
  failed: (reason: string) => string
  /** By error code; `EELEMENT.hidden` and `EELEMENT.empty` go before `EELEMENT`, and `EFATAL` stands for all others. */
  reasons: Readonly<Partial<Record<ErrorCode | `EELEMENT.${'hidden' | 'empty'}`, string>>>
}
