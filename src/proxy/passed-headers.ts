const ASKED = ['if-none-match', 'if-range', 'range']

const ANSWERED = [
  'accept-ranges',
  'access-control-expose-headers',
  'age',
  'cache-control',
  'cache-status',
  'content-disposition',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'referrer-policy',
  'retry-after',
  'server-timing',
  'timing-allow-origin',
  'x-cache-status',
  'x-cache-ttl',
  'x-content-type-options',
  'x-fetch-mode',
  'x-image-height',
  'x-image-size',
  'x-image-width',
  'x-pricing-plan',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-request-id',
  'x-response-time',
  'x-timestamp',
]

/** What of a request concerns the service: no cookie, no credential, no address of the caller. */
export const askedHeaders = (headers: Headers): Headers => pick(headers, ASKED)

/** What of an answer concerns the caller. */
export function answeredHeaders(headers: Headers): Headers {
  const passed = pick(headers, ANSWERED)
  // `fetch` has unpacked the body, and its length was that of the packed one.
  if (headers.has('content-encoding')) passed.delete('content-length')
  return passed
}

const pick = (headers: Headers, names: readonly string[]) =>
  new Headers([...headers].filter(([name]) => names.includes(name)))
