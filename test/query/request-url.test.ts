// Covers `requestUrl` of src/query/parsed-query.ts.
import { describe, expect, it } from 'vitest'
import { parseQuery, requestUrl } from '../../src/query/index.js'

const url = 'https://example.com/a?b=c&d#e'

describe('the request URL', () => {
  const endpoint = { free: 'https://free.example', pro: 'https://pro.example' }
  it.each([
    [{ url: 'https://example.com' }, 'https://free.example/?url=https%3A%2F%2Fexample.com'],
    [
      { url: 'https://example.com', headers: { apiKey: 'k' } },
      'https://pro.example/?headers.apiKey=k&url=https%3A%2F%2Fexample.com',
    ],
    [
      { url: 'https://example.com', keyId: 'a', signature: 's' },
      'https://pro.example/?keyId=a&signature=s&url=https%3A%2F%2Fexample.com',
    ],
  ])('chooses the host for %j', (query, expected) => {
    expect(requestUrl(query, endpoint)).toBe(expected)
  })

  it('goes to one URL for both hosts, or to a path of the page’s own origin', () => {
    expect(requestUrl({ url: 'https://a.example' }, 'http://127.0.0.1:3000/')).toBe(
      'http://127.0.0.1:3000/?url=https%3A%2F%2Fa.example',
    )
    expect(requestUrl({ url: 'https://a.example' }, '/page-preview')).toBe('/page-preview?url=https%3A%2F%2Fa.example')
  })

  it('names the missing host', () => {
    expect(() => requestUrl({ url, headers: { apiKey: 'k' } }, { free: 'https://free.example' })).toThrow(/pro/)
  })

  it('is the text of a parsed query behind the host', () => {
    const parsed = parseQuery({ url, element: '#a' })
    expect(requestUrl(parsed, 'https://previews.example')).toBe(`https://previews.example/?${parsed.text}`)
    expect(requestUrl(parsed, { free: '/free', pro: '/pro' }, 'pro')).toBe(`/pro?${parsed.text}`)
  })
})
