import type { ErrorCode } from './page-error.js'

/** How the values of a parameter are written. */
export type ValueType =
  | 'boolean'
  | 'choice'
  | 'coordinates'
  | 'duration'
  | 'embed'
  | 'header'
  | 'integer'
  | 'list'
  | 'locale'
  | 'number'
  | 'optional duration'
  | 'paths'
  | 'rectangle'
  | 'switches'
  | 'text'
  | 'time zone'
  | 'url'

/** One row of the table of parameters. Durations and their bounds are milliseconds. */
export interface Parameter {
  readonly type: ValueType
  /** For `choice`: every accepted value. */
  readonly values?: readonly (string | number)[]
  readonly min?: number
  readonly max?: number
  /** What a query without this parameter means. */
  readonly default?: string | number | boolean
  /** Code of the error for an invalid value. Default: `EINVALQUERY`. */
  readonly code?: ErrorCode
}
