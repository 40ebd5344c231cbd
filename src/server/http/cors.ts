const EXPOSED_HEADERS = [
  'x-cache-status',
  'x-timestamp',
  'x-cache-ttl',
  'age',
  'cache-status',
  'etag',
  'cache-control',
  'x-request-id',
  'x-response-time',
  'x-fetch-mode',
  'x-pricing-plan',
  'server-timing',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'ratelimit-policy',
  'ratelimit',
  'retry-after',
  'x-image-width',
  'x-image-height',
  'x-image-size',
].join(', ')

/** Any page may read any answer, and all facts about it: nothing here depends on who asks from where. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}
