import type { ErrorCode } from './page-error.js'

/** How the values of a parameter are written. */
export type ValueType =
  | 'boolean'
  | 'choice'
  | 'duration'
  | 'embed'
  | 'header'
  | 'integer'
  | 'list'
  | 'number'
  | 'optional duration'
  | 'paths'
  | 'switches'
  | 'text'
  | 'url'

/** One row of the table of parameters. Durations and their bounds are milliseconds. */
export interface Parameter {
  readonly type: ValueType
  /** For `choice`: every accepted value. */
  readonly values?: readonly (string | number)[]
  /** For `text`: what every accepted value matches. */
  readonly pattern?: RegExp
  /** What the accepted values are, as in "must be …"; absent where `values`, or `min` and `max`, say it. */
  readonly description?: string
  readonly min?: number
  readonly max?: number
  /** What a query without this parameter means. */
  readonly default?: string | number | boolean
  /** Code of the error for an invalid value. Default: `EINVALQUERY`. */
  readonly code?: ErrorCode
}
