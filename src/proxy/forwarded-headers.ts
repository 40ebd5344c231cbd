const REQUEST_HEADERS = ['accept', 'if-none-match', 'if-range', 'range']

/**
 * The headers that the service exposes to other origins, and others. The list of the service cannot be imported, because a proxy
 * runs without it.
 */
const RESPONSE_HEADERS = [
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
  'vary',
  'x-cache-status',
  'x-cache-ttl',
  'x-content-type-options',
  'x-fetch-mode',
  'x-image-height',
  'x-image-size',
  'x-image-source',
  'x-image-width',
  'x-pricing-plan',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-request-id',
  'x-response-time',
  'x-timestamp',
]

/** No cookie, no credential, no address of the caller. */
export const forwardedRequestHeaders = (headers: Headers): Headers => pick(headers, REQUEST_HEADERS)

export function forwardedResponseHeaders(headers: Headers): Headers {
  const forwarded = pick(headers, RESPONSE_HEADERS)
  // `fetch` has decompressed the body, so the length no longer fits.
  if (headers.has('content-encoding')) forwarded.delete('content-length')
  return forwarded
}

const pick = (headers: Headers, names: readonly string[]) =>
  new Headers([...headers].filter(([name]) => names.includes(name)))
