import { parseQuery } from '../../query/index.js'
import { BACKGROUND } from '../budget/index.js'
import { ownerActions } from '../owners/index.js'
import { scopeOfQuery, type RequestScope } from '../request-scope.js'
import { produceEntry, resultKey } from '../results/index.js'
import type { AppParts } from './app-parts.js'
import { runWithTimeout, type ReceivedRequest, type Router } from './request-scopes.js'
import { notCached } from './response-headers.js'

/**
 * `POST /owners/refresh?url=…` and `POST /owners/takedown?url=…`: what the owner of a page may do without an account. Without `nonce` the
 * response has the nonce that the page has to show; with it, the page is read, and then the action is performed.
 */
export function ownerRoutes(router: Router, parts: AppParts): void {
  const { owners } = parts
  for (const action of ownerActions)
    router.post(`/owners/${action}`, async (c) => {
      const { url, nonce } = c.req.query()
      const { request } = c.var
      const ownerRequest = { action, url, client: request.network, signal: c.req.raw.signal }
      if (nonce === undefined) {
        const data = await owners.challenge(ownerRequest)
        return Response.json({ status: 'success', data }, { status: 202, headers: notCached })
      }
      const data = await owners.perform(ownerRequest, nonce)
      if (action === 'refresh') revalidate(data.url, request, parts)
      return Response.json({ status: 'success', data }, { headers: notCached })
    })
}

/** Reads the metadata of a page again, in the background; screenshots are captured when they are requested. */
function revalidate(url: string, { network, base }: ReceivedRequest, parts: AppParts): void {
  const scope: Omit<RequestScope, 'signal'> = {
    ...scopeOfQuery(parseQuery({ url })),
    client: BACKGROUND,
    apiKey: undefined,
    owner: parts.ownerOf(network),
    consumeQuota: () => parts.dailyLimit.consume(network, 'revalidation'),
    allowedHosts: undefined,
    plan: 'free',
    base,
    accept: null,
    isPublic: true,
    expiresAt: Infinity,
    hasPriority: false,
    mayReplaceBetter: false,
  }
  const key = resultKey(scope)
  parts.revalidations.schedule(key, network, async (signal) => {
    await runWithTimeout({ ...scope, signal }, (limited) => produceEntry(key, limited, parts, undefined))
  })
}
