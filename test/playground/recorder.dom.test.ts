import { describe, expect, it, vi } from 'vitest'
import { exchangeFacts } from '../../src/playground/answer/exchange-facts.js'
import { readBody } from '../../src/playground/answer/read-body.js'
import { formatSpan, formatTime, shortDuration } from '../../src/playground/format-time.js'
import { createRecorder } from '../../src/playground/state/create-recorder.js'

describe('the recorder', () => {
  it('hands the answer on unread, and remembers it', async () => {
    const recorder = createRecorder(async () => new Response('{"a":1}', { status: 422, headers: { age: '3' } }))
    const listener = vi.fn()
    recorder.subscribe(listener)
    const asked = recorder.fetch('http://service.test/?url=a')
    expect(recorder.recording()).toEqual({ pendingUrl: 'http://service.test/?url=a' })
    expect(await (await asked).json()).toEqual({ a: 1 })
    const { exchange, pendingUrl } = recorder.recording()
    expect(pendingUrl).toBeUndefined()
    expect(exchange).toMatchObject({ kind: 'answer', status: 422, text: '{"a":1}', byteLength: 7 })
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('goes past the cache of the browser, whose answers tell of another exchange', async () => {
    const fetch = vi.fn(async () => new Response(''))
    await createRecorder(fetch).fetch('/', { headers: { a: 'b' }, cache: 'no-cache' })
    expect(fetch).toHaveBeenCalledWith('/', { headers: { a: 'b' }, cache: 'no-store' })
  })

  it('tells a lost connection and a deadline, and fails as the request does', async () => {
    const lost = createRecorder(() => Promise.reject(new TypeError('refused')))
    await expect(lost.fetch('/')).rejects.toThrow('refused')
    expect(lost.recording().exchange).toMatchObject({ kind: 'lost', reason: 'No connection to the service.' })

    const late = new DOMException('late', 'TimeoutError')
    const slow = createRecorder(() => Promise.reject(late))
    await expect(slow.fetch('/', { signal: AbortSignal.abort(late) })).rejects.toBe(late)
    expect(slow.recording().exchange).toMatchObject({ kind: 'lost', reason: 'The service did not answer in time.' })
  })

  it('forgets a request that was called off, and keeps what was known', async () => {
    const answers = [async () => new Response('known'), () => Promise.reject(new DOMException('off', 'AbortError'))]
    const recorder = createRecorder(() => answers.shift()!())
    await recorder.fetch('/one')
    await expect(recorder.fetch('/two', { signal: AbortSignal.abort() })).rejects.toThrow('off')
    expect(recorder.recording()).toMatchObject({ exchange: { url: '/one', text: 'known' } })
    expect(recorder.recording().pendingUrl).toBeUndefined()
  })
})

describe('what an answer says', () => {
  it('reads every fact of the headers', () => {
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
    expect(exchangeFacts(headers, 1_004_000)).toEqual({
      cache: 'HIT',
      ageMs: 4_000,
      ttlMs: 86_400_000,
      limit: { limit: 250, remaining: 0, resetAt: 1_700_000_000_000 },
      fetchMode: 'prerender',
      plan: 'free',
      retryAfterMs: 60_000,
      steps: [
        { name: 'load', startMs: 0, durationMs: 10.5 },
        { name: 'read', startMs: 10.5, durationMs: 2 },
      ],
      totalMs: 11,
    })
    expect(exchangeFacts(new Headers({ age: '7', 'x-cache-ttl': 'soon' }), 0)).toMatchObject({
      ageMs: 7_000,
      ttlMs: undefined,
      limit: undefined,
      steps: [],
      totalMs: 0,
    })
  })

  it('reads answers, errors and whatever else comes', () => {
    const screenshot = { width: 2, height: 1 }
    const redirects = [{ statusCode: 301, url: 'https://a.example/' }]
    expect(readBody(JSON.stringify({ data: { screenshot }, redirects, warnings: ['w'] }))).toMatchObject({
      code: undefined,
      reasons: [],
      redirects,
      warnings: ['w'],
      picture: screenshot,
    })
    expect(readBody('{"code":"EELEMENT","message":"m","data":{"element":"missing"}}')).toMatchObject({
      code: 'EELEMENT',
      message: 'm',
      reasons: [['element', 'missing']],
    })
    expect(readBody('<p>proxy</p>')).toMatchObject({ text: '<p>proxy</p>', code: undefined, redirects: [] })
    expect(readBody('[null]').text).toBe('[\n  null\n]')
  })
})

it.each([
  [formatTime, 11.6, '12 ms'],
  [formatTime, 1_580, '1.58 s'],
  [formatTime, 28_000, '28.0 s'],
  [formatSpan, 0, '0 s'],
  [formatSpan, 59_400, '59 s'],
  [formatSpan, 11_520_000, '3 h 12 m'],
  [formatSpan, 56_400_000, '15 h 40 m'],
  [formatSpan, 86_400_000, '24 h'],
  [formatSpan, 3 * 86_400_000 + 7_200_000, '3 d 2 h'],
  [formatSpan, 31 * 86_400_000, '31 d'],
  [shortDuration, 90_000, '90s'],
  [shortDuration, 86_400_000, '1d'],
  [shortDuration, 1_500, '1500'],
])('%o writes %d ms as %s', (format, ms, text) => {
  expect(format(ms)).toBe(text)
})
