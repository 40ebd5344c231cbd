import type { Dispatcher } from 'undici'
import type { ReservedMemory } from '../../budget/index.js'
import type { Images } from '../../images/index.js'
import type { Guard } from '../../network/index.js'

/** What every request to a target needs. */
export interface FetchContext {
  /** Checks the URL of each hop before it is requested. */
  guard: Pick<Guard, 'check'>
  /** Connects only to the addresses that `guard` has checked. */
  dispatcher: Dispatcher
  /** Where large bodies reserve memory. Default: `maxBytes` of each body is its only limit. */
  memory?: ReservedMemory | undefined
  signal: AbortSignal
}

/** What checking the URLs of a page needs. */
export interface PingContext extends FetchContext {
  /** Reads the colours of images. */
  images: Images
  /** The client that the page is read for. */
  client: string
}
