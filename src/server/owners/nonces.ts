import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Store } from '../store/index.js'
import { DAY_MS } from '../utc-day.js'

/** Proof that its holder may change a page, if the page shows it; it grants nothing by itself. */
export interface Nonces {
  create(purpose: string): Promise<{ nonce: string; expiresAt: number }>
  /** Whether the nonce is one for this purpose that has not expired. */
  isValid(nonce: string, purpose: string): Promise<boolean>
}

const LIFETIME_MS = DAY_MS
const SECRET_KEY = 'secret of owner nonces'
const SECRET_LIFETIME_MS = 31 * DAY_MS
const SECRET_BYTES = 32

/** Nonces that need no memory, so that requests for them cost none: signed with a secret that all instances on the store share. */
export function createNonces({ entries, locks }: Pick<Store, 'entries' | 'locks'>, clock: () => number): Nonces {
  /** The last secret, which a full store may evict while nonces are still to be valid. */
  let known: string | undefined
  let creating: Promise<string> | undefined

  async function readSecret(): Promise<Buffer> {
    const entry = await entries.readEntry<string>(SECRET_KEY)
    if (entry && entry.expiresAt - clock() > SECRET_LIFETIME_MS / 2) known = entry.body
    else {
      creating ??= locks
        .withLock(SECRET_KEY, createSecret, { signal: new AbortController().signal })
        .finally(() => (creating = undefined))
      known = await creating
    }
    return Buffer.from(known, 'base64')
  }

  /** The same secret for longer, if there is one. */
  async function createSecret(): Promise<string> {
    const stored = async () => (await entries.readEntry<string>(SECRET_KEY))?.body
    const body = (await stored()) ?? known ?? randomBytes(SECRET_BYTES).toString('base64')
    const createdAt = clock()
    await entries.writeEntry(SECRET_KEY, { createdAt, expiresAt: createdAt + SECRET_LIFETIME_MS, images: [], body })
    // Another process on the same folder may have written its own at the same time.
    return (await stored()) ?? body
  }

  const sign = async (expiresAt: number, purpose: string) =>
    `${expiresAt.toString(36)}-${createHmac('sha256', await readSecret())
      .update(`${expiresAt} ${purpose}`)
      .digest('base64url')}`

  return {
    async create(purpose) {
      const expiresAt = clock() + LIFETIME_MS
      return { nonce: await sign(expiresAt, purpose), expiresAt }
    },
    async isValid(nonce, purpose) {
      const [, expiry = ''] = /^([\da-z]{1,10})-[\w-]{43}$/.exec(nonce) ?? []
      const expiresAt = Number.parseInt(expiry, 36)
      if (!(expiresAt > clock())) return false
      const expected = Buffer.from(await sign(expiresAt, purpose))
      const given = Buffer.from(nonce)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
