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
  'x-image-source',
].join(', ')

/** Every origin may read every response with all its headers, because no response depends on cookies or the origin. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}

/** The response to `OPTIONS`. */
export const preflightHeaders = {
  ...corsHeaders,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'x-api-key',
  'access-control-max-age': '86400',
}
