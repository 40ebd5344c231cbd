import type { Plan } from './plan.js'

/** What a listener knows about the connection of a request. */
export interface Connection {
  /** IP address of the peer. Default: `127.0.0.1`. */
  clientAddress?: string
  /** Default: decided by `proHost` and `proPublicUrl`, else free. */
  plan?: Plan
}
