// Covers read-headers of src/playground/read-response.ts.
import { expect, it } from 'vitest'
import { readHeaders } from '../../src/playground/read-response.js'

it('reads every value that the panel displays', () => {
  const headers = new Headers({
    'x-cache-status': 'HIT',
    'x-timestamp': '1000000',
    'x-cache-ttl': '86400000',
    'x-rate-limit-limit': '250',
    'x-rate-limit-remaining': '0',
    'x-rate-limit-reset': '1700000000',
    'x-fetch-mode': 'prerender',
    'x-pricing-plan': 'free',
    'retry-after': '60',
    'server-timing': 'load;dur=10.5, read;desc="the head";dur=2, nothing, total;dur=11',
  })
  expect(readHeaders(headers, 1_004_000)).toEqual({
    cache: 'HIT',
    ageMs: 4_000,
    ttlMs: 86_400_000,
    rateLimit: { limit: 250, remaining: 0, resetAt: 1_700_000_000_000 },
    fetchMode: 'prerender',
    plan: 'free',
    retryAfterMs: 60_000,
    steps: [
      { name: 'load', startMs: 0, durationMs: 10.5 },
      { name: 'read', startMs: 10.5, durationMs: 2 },
    ],
    totalMs: 11,
  })
  expect(readHeaders(new Headers({ age: '7', 'x-cache-ttl': 'soon' }), 0)).toMatchObject({
    ageMs: 7_000,
    ttlMs: undefined,
    rateLimit: undefined,
    steps: [],
    totalMs: 0,
  })
})
