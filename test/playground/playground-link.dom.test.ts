import { expect, it } from 'vitest'
import { FIRST_STATE, readLink, writeLink, type PlaygroundState } from '../../src/playground/state/playground-link.js'

const state: PlaygroundState = {
  words: { url: 'https://tern.example/?a=1&b=#c', screenshot: 'true', element: '#a > b', headers: 'a: b\nc: d' },
  layout: 'row',
  theme: 'dark',
  width: 'fill',
}

it('brings back from a link what was written into it', () => {
  expect(readLink(`#${writeLink(state)}`)).toEqual(state)
  expect(readLink('')).toEqual(FIRST_STATE)
  expect(writeLink(FIRST_STATE)).toBe('')
})

it('keeps half-typed words, for reload must not lose them', () => {
  const typed = { ...FIRST_STATE, words: { url: 'htt', ttl: '1' } }
  expect(readLink(writeLink(typed))).toEqual(typed)
})

it('puts no key, cookie or authorization into a link', () => {
  const words = { headers: 'Cookie: a=b\nAuthorization: c\napi_key: d\nX-API-Key: e\naccept: f' }
  expect(readLink(writeLink({ ...FIRST_STATE, words })).words).toEqual({ headers: 'accept: f' })
  expect(writeLink({ ...FIRST_STATE, words: { headers: 'cookie: a' } })).toBe('')
})

it('reads a query that was put there by hand', () => {
  expect(readLink('#url=https://a.example&element=%23b&headers.accept=c&nonsense=1&layout=huge&width=9')).toEqual({
    words: { url: 'https://a.example', element: '#b', screenshot: 'true', headers: 'accept: c' },
    layout: 'card',
    theme: 'auto',
    width: 200,
  })
  expect(readLink('#screenshot').words).toEqual({ screenshot: 'true' })
})
