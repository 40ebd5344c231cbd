/** Sends one GET request; rejects with a `PageError` when there is no response. */
export type SendRequest = (url: string, signal: AbortSignal) => Promise<Response>

/** Reaches a service. */
export interface Transport {
  send: SendRequest
  /** Ends what it needs. */
  close(): Promise<void>
}
