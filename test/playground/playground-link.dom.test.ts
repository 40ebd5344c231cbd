import { expect, it } from 'vitest'
import { INITIAL_STATE, readLink, writeLink, type PlaygroundState } from '../../src/playground/playground-link.js'

const state: PlaygroundState = {
  values: {
    url: 'https://tern.example/?a=1&b=#c',
    screenshot: 'true',
    element: '#a > b',
    headers: 'accept-language: b\nreferer: d',
  },
  layout: 'row',
  theme: 'dark',
  width: 'fill',
}

it('restores the state from a link', () => {
  expect(readLink(`#${writeLink(state)}`)).toEqual(state)
  expect(readLink('')).toEqual(INITIAL_STATE)
  expect(writeLink(INITIAL_STATE)).toBe('')
})

it('includes incomplete values, so that a reload does not lose them', () => {
  const incomplete = { ...INITIAL_STATE, values: { url: 'htt', ttl: '1' } }
  expect(readLink(writeLink(incomplete))).toEqual(incomplete)
})

it.each([
  'Cookie: a',
  'Authorization: a',
  'api_key: a',
  'X-API-Key: a',
  'Proxy-Authorization: a',
  'x-auth-token: a',
  'X-Access-Token: a',
  'x-csrf-token: a',
  'acme-secret: a',
  'no colon',
])('leaves out of a link what may be a key, a cookie or credentials: %s', (header) => {
  const harmless = 'accept: f\nUser-Agent: g\nsec-ch-ua-mobile: ?1'
  const values = { headers: `${harmless}\n${header}` }
  expect(readLink(writeLink({ ...INITIAL_STATE, values })).values).toEqual({ headers: harmless })
})

it('has no headers if none may be in it', () => {
  expect(writeLink({ ...INITIAL_STATE, values: { headers: 'cookie: a' } })).toBe('')
})

it('reads a query that was written by hand', () => {
  expect(readLink('#url=https://a.example&element=%23b&headers.accept=c&nonsense=1&layout=huge&width=9')).toEqual({
    values: { url: 'https://a.example', element: '#b', screenshot: 'true', headers: 'accept: c' },
    layout: 'card',
    theme: 'auto',
    width: 200,
  })
  expect(readLink('#screenshot').values).toEqual({ screenshot: 'true' })
})
