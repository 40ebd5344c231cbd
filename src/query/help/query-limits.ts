import { MAX_NAME_CHARS, MAX_PARAMETERS } from '../parsed-query.js'
import { MAX_VALUE_CHARS } from '../parameter-values.js'

/** What a query may have at most; anything beyond is `EINVALQUERY`. */
export const queryLimits = {
  parameters: MAX_PARAMETERS,
  /** Length of the name of a parameter. */
  nameChars: MAX_NAME_CHARS,
  /** Length of a value of any type. */
  valueChars: MAX_VALUE_CHARS,
  /** Length of the host of `url`, as it is written. */
  hostChars: 999,
} as const
