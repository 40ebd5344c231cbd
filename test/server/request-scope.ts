import { parseQuery, type ParsedQuery } from '../../src/query/index.js'
import { scopeOfQuery, type RequestScope } from '../../src/server/request-scope.js'

/** The scope of a request of the free host by a client with the name `a` and without limits. */
export function requestScope(
  sent: Record<string, unknown> | ParsedQuery,
  overrides: Partial<RequestScope> = {},
): RequestScope {
  return {
    ...scopeOfQuery(parseQuery(sent)),
    client: 'a',
    apiKey: undefined,
    owner: 'a',
    signal: new AbortController().signal,
    consumeQuota: async () => async () => undefined,
    allowedHosts: undefined,
    plan: 'free',
    base: 'http://previews.test',
    accept: null,
    isPublic: true,
    expiresAt: Infinity,
    hasPriority: false,
    mayReplaceBetter: false,
    ...overrides,
  }
}
