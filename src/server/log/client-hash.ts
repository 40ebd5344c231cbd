import { createHmac, randomBytes } from 'node:crypto'

const DAY_MS = 86_400_000
const HASH_CHARS = 16

/**
 * Hashes addresses of clients with a random key that is never stored and changes every 24 hours, so that the lines of one
 * client can be grouped within a day and the address cannot be computed.
 */
export function createClientHash(): (client: string) => string {
  let keyedAt = -Infinity
  let key = Buffer.alloc(0)
  return (client) => {
    const now = performance.now()
    if (now - keyedAt >= DAY_MS) {
      key = randomBytes(32)
      keyedAt = now
    }
    return createHmac('sha256', key).update(client).digest('hex').slice(0, HASH_CHARS)
  }
}
