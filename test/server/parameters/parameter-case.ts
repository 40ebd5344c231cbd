import type { PreviewResponse } from './preview-response.js'

/** What one parameter does, and which values are invalid. */
export interface ParameterCase {
  /** The name as written in the request. Default: the name of the parameter. */
  name?: string
  /** Path of the page that shows the effect. */
  path: string
  /** Two different values; the first has the effect. */
  values: [string, string]
  /** Other parameters of the same request. */
  with?: Record<string, string>
  /** Whether the request is signed and sent to the pro host. */
  isSigned?: boolean
  /** Whether the same request without this parameter is sent first, so that its result is cached. */
  isSecond?: boolean
  effect: (response: PreviewResponse) => void | Promise<void>
  /** Of the wrong type, out of range, or empty; none for parameters that accept any text. */
  invalidValues: string[]
  /** Error code for invalid values. Default: `EINVALQUERY`. */
  code?: string
}
