import type { Refund, Work } from '../budget/index.js'
import type { KeyLimits } from '../keys/index.js'
import type { ApiKeyRecord } from '../store/index.js'

/** Called before work starts on behalf of a client; may throw `ERATE`. */
export type ConsumeQuota = (work: Work) => Promise<Refund>

interface LimitedRequest {
  /** `undefined` for a request without a key, to which only the quota of its client applies. */
  key: ApiKeyRecord | undefined
  consumeQuota: ConsumeQuota
}

/**
 * Runs the work of a request within the limits of its key.
 *
 * @param work  Consumes quota by its argument.
 */
export async function withKeyLimits<Result>(
  keyLimits: KeyLimits,
  { key, consumeQuota }: LimitedRequest,
  work: (consumeQuota: ConsumeQuota) => Promise<Result>,
): Promise<Result> {
  if (!key) return work(consumeQuota)
  const use = keyLimits.use(key)
  try {
    return await work((kind) => use.consume(kind))
  } finally {
    use.end()
  }
}
