import type { DailyLimit, Refund, Work } from '../budget/index.js'
import type { RequestContext } from './request-context.js'
import type { RequestMetadata } from './response-headers.js'

/** Applies the daily limit: to requests without a key, which are those of the free host, and of images of both. */
export interface RequestQuota {
  /**
   * Counts work that a request starts.
   *
   * @throws {PageError} `ERATE` when the client's quota of the day is used up.
   */
  consume(request: RequestContext, work: Work): Promise<Refund>
  /** What the response's headers report, with the quota that is left now. */
  readMetadata(request: RequestContext): Promise<RequestMetadata>
}

export const createRequestQuota = (dailyLimit: DailyLimit): RequestQuota => ({
  consume: ({ client }, work) => dailyLimit.consume(client, work),
  async readMetadata({ requestId, startedAt, plan, client }) {
    const quota = plan === 'free' ? await dailyLimit.readState(client) : undefined
    return { requestId, startedAt, plan, quota }
  },
})
