import type { ErrorCode } from '../../query/index.js'

/** Every text that a preview adds to the page's own. */
export interface Messages {
  /** BCP 47: the language of these texts, and of the numbers, sizes and ages with them. */
  locale: string
  /** Direction of the preview. Default: the direction of its parent element. */
  dir?: 'rtl' | undefined
  /** The button after a failure. */
  retry: string
  /** On the image while a newer result is fetched. */
  updating: string
  /** On the image of a result that could not be renewed; `age` is a text such as `3d ago`. */
  saved: (age: string) => string
  /** Alternative text of a screenshot while the title of the page is unknown. */
  screenshot: (host: string) => string
  /** Alternative text of the page's own image, if the page states no text for it and has no title. */
  image: (host: string) => string
  /** Name of the button that plays the page's audio; its duration follows. */
  audio: string
  /** Name of the button that plays the page's video; its duration follows. */
  video: string
  /** Announced to screen readers when a retry has succeeded. */
  loaded: string
  /** In place of the description after a failure; `reason` is one of `reasons`. */
  failed: (reason: string) => string
  /** Why there is no preview, by error code; `EELEMENT.hidden` and `EELEMENT.empty` take precedence over `EELEMENT`, and `EFATAL` covers all others. */
  reasons: Readonly<Partial<Record<ErrorCode | `EELEMENT.${'hidden' | 'empty'}`, string>>>
}

/** English, without the texts that load with what shows them: bundlers split at modules. */
export const englishLabels = {
  locale: 'en',
  updating: 'Updating',
} as const satisfies Partial<Messages>
