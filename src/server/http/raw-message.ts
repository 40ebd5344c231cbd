import type { Connection } from './connection.js'

/** A request as a listener receives it, before a `Request` is created from it. */
export interface RawRequest extends Connection {
  method: string | undefined
  /** Absolute. */
  url: string
  ifNoneMatch: string | undefined
  acceptEncoding?: string | undefined
  forwardedFor: string | undefined
  requestId?: string | undefined
  traceparent?: string | undefined
  /** The hosts that the request is restricted to, unparsed. */
  allowHosts?: string | undefined
}

/** A response that a listener can write without changes. */
export interface RawResponse {
  status: number
  /** Names and values alternate. */
  headers: string[]
  /** Bytes, or text with one character per byte (latin1). */
  body: Uint8Array | string | undefined
}
