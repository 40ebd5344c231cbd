import type { PageState } from '../../query/index.js'

interface RecordStart {
  /** The URL as it was listed. */
  url: string
  /** Hexadecimal; differs for each page and for each set of parameters that changes the result. */
  key: string
  /** ISO 8601, UTC. */
  date: string
}

/** A page that was captured. */
export interface CapturedRecord extends RecordStart {
  status: 'captured'
  /** Name in the folder of the results; `null` when no image was requested. */
  file: string | null
  type: string | null
  /** Pixels. */
  width: number | null
  height: number | null
  /** Bytes. */
  size: number | null
  /** The page's own HTTP status. */
  statusCode: number
  title: string | null
  description: string | null
  warnings?: string[]
}

/** A page that could not be captured. */
export interface FailedRecord extends RecordStart {
  status: 'failed'
  code: string
  message: string
  /** What the page showed instead of its content. */
  state?: PageState
}

/** One line of `results.ndjson`. */
export type CaptureRecord = CapturedRecord | FailedRecord
