import { createHash, createHmac } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { signedUrl } from '../../src/client/index.js'
import { cacheKey, isPageError, parseQuery, writeQuery } from '../../src/query/index.js'

const SECRET = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I'
const key = `pp_0123456789ab_${SECRET}`
const endpoint = { free: 'https://free.example', pro: 'https://pro.example' }
const query = { url: 'https://shoreline.example/?a=1&b=ü', screenshot: true, element: '#main', embed: 'screenshot.url' }
const expires = 1_800_000_000

const signatureOf = (text: string) =>
  createHmac('sha256', createHash('sha256').update(SECRET).digest()).update(text).digest('base64url')
const parametersOf = (url: string) => new URL(url).searchParams

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is the canonical query with the ID of the key, the expiry time, and the signature over both', async () => {
  const url = await signedUrl(query, { endpoint, apiKey: key, expires })
  const text = writeQuery({ ...query, keyId: '0123456789ab', expires })
  const signature = 'RanImvuw9NbG2uuD_v6yQe3btK4CedaMF7mX9XWjR6o'
  expect(parametersOf(url).get('signature')).toBe(signature)
  expect(signature).toBe(signatureOf(text))
  expect(url).toBe(`https://pro.example/?${writeQuery({ ...query, keyId: '0123456789ab', expires, signature })}`)
})

it('is the same URL for every spelling of the same query', async () => {
  const url = await signedUrl(query, { endpoint, apiKey: key, expires })
  const text = new URLSearchParams({ ...query, screenshot: '', adblock: 'true', 'screenshot.full-page': 'false' })
  expect(await signedUrl(parseQuery(text), { endpoint, apiKey: key, expires })).toBe(url)
  expect(await signedUrl(parseQuery(url), { endpoint, apiKey: key, expires })).toBe(url)
  expect(parseQuery(url).warnings).toEqual([])
})

it('shares cache entries with requests that send the key', async () => {
  expect(cacheKey(await signedUrl(query, { endpoint, apiKey: key, expires }))).toBe(cacheKey(query))
})

it('contains nothing of the key but its ID, also when the query contains the key', async () => {
  const frozen = Object.freeze({ ...query, headers: Object.freeze({ apiKey: key, 'user-agent': 'me' }) })
  const url = await signedUrl(frozen, { endpoint, apiKey: key, expires })
  expect(url).not.toContain(SECRET)
  expect(parametersOf(url).get('headers.user-agent')).toBe('me')
  expect(parametersOf(url).has('headers.apiKey')).toBe(false)
})

it.each([
  [undefined, 1_700_086_400],
  [90_000, 1_700_000_090],
  [366 * 86_400_000, 1_731_622_400],
  ['90s', 1_700_000_090],
  ['366d', 1_731_622_400],
  ['366 days', 1_731_622_400],
] as const)('with expiresIn %s is valid for that long, by default for a day', async (expiresIn, expiresAt) => {
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] })
  expect(parametersOf(await signedUrl(query, { endpoint, apiKey: key, expiresIn })).get('expires')).toBe(
    String(expiresAt),
  )
})

it('leads to the one host that is both free and pro', async () => {
  expect(await signedUrl(query, { endpoint: '/page-preview', apiKey: key, expires })).toMatch(/^\/page-preview\?/)
})

it.each([
  ['no key', query, { endpoint, apiKey: 'hush-hush', expires }, 'EAUTH', undefined],
  ['no pro host', query, { endpoint: { free: 'https://free.example' }, apiKey: key }, 'EINVALQUERY', 'endpoint'],
  ['an infinite lifetime', query, { endpoint, apiKey: key, expiresIn: Infinity }, 'EINVALQUERY', 'expiresIn'],
  ['a negative lifetime', query, { endpoint, apiKey: key, expiresIn: '-1d' }, 'EINVALQUERY', 'expiresIn'],
  ['a lifetime of zero', query, { endpoint, apiKey: key, expiresIn: 0 }, 'EINVALQUERY', 'expiresIn'],
  [
    'an expiry time with a fraction of a second',
    query,
    { endpoint, apiKey: key, expires: 1.5 },
    'EINVALQUERY',
    'expires',
  ],
  ['a bad query', { url: 'shoreline' }, { endpoint, apiKey: key }, 'EINVALURL', 'url'],
] as const)('refuses %s', async (_, input, options, code, parameter) => {
  const error: unknown = await signedUrl(input, options).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'PageError', code })
  expect(isPageError(error) && Object.keys(error.data)).toEqual(parameter ? [parameter] : [])
  expect(String(error)).not.toContain('hush')
})

it('reports that a page without https cannot sign', async () => {
  vi.stubGlobal('crypto', { subtle: undefined })
  await expect(signedUrl(query, { endpoint, apiKey: key })).rejects.toMatchObject({ code: 'EFATALCLIENT' })
})

it.each(['ms', 's', 'm', 'h', 'd'] as const)('takes %s for as long as the query language does', async (unit) => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] })
  const amount = { ms: 604_800_000, s: 604_800, m: 10_080, h: 168, d: 7 }[unit]
  const url = await signedUrl(query, { endpoint, apiKey: key, expiresIn: `${amount}${unit}` })
  const { ttl } = Object.fromEntries(new URLSearchParams(writeQuery({ ...query, ttl: `${amount}${unit}` })))
  expect(Number(parametersOf(url).get('expires')) * 1_000).toBe(Number(ttl))
})
