import { describe, expect, it } from 'vitest'
import { cacheKey, PageError, parseQuery, writeQuery } from '../../src/query/index.js'

const url = 'https://example.com/'

describe('a parsed query', () => {
  it('is returned as it is when it is parsed again', () => {
    const parsed = parseQuery({ url, screenshot: true })
    expect(parseQuery(parsed)).toBe(parsed)
  })

  it('carries its canonical text and its cache key', () => {
    const parsed = parseQuery({ url, ttl: '1h', element: '#a', headers: { apiKey: 'secret' } })
    expect(parsed.text).toBe(writeQuery(parsed.query))
    expect(parsed.cacheKey).toBe(cacheKey(parsed.query))
    expect(parsed.cacheKey).not.toMatch(/secret|ttl/)
  })
})

describe('the API key of a query', () => {
  const parsed = parseQuery({ url, headers: { apiKey: 'secret', accept: 'text/html' } })

  it('can be read and removed; the other headers stay', () => {
    expect(parsed.apiKey).toBe('secret')
    expect(parsed.withoutApiKey().apiKey).toBeUndefined()
    expect(parsed.withoutApiKey().query.headers).toEqual({ accept: 'text/html' })
    expect(parsed.withoutApiKey().text).not.toContain('secret')
  })

  it('leaves no empty headers behind', () => {
    expect(parseQuery({ url, headers: { apiKey: 'secret' } }).withoutApiKey().query).toEqual({ url })
  })

  it('is still there in the query that it was removed from', () => {
    parsed.withoutApiKey()
    expect(parsed.apiKey).toBe('secret')
  })

  it('is undefined without one', () => {
    const withoutKey = parseQuery({ url })
    expect(withoutKey.apiKey).toBeUndefined()
    expect(withoutKey.withoutApiKey()).toBe(withoutKey)
  })
})

describe('a query derived with changes', () => {
  const parsed = parseQuery({
    url,
    embed: 'screenshot.url',
    screenshot: { fullPage: true },
    filter: 'title',
    colour: 1,
  })

  it.each([
    [{ embed: undefined }, { screenshot: { fullPage: true }, filter: 'title' }],
    [{ filter: undefined, embed: undefined }, { screenshot: { fullPage: true } }],
    [{ embed: 'title' }, { embed: 'title', screenshot: { fullPage: true }, filter: 'title' }],
    [
      { embed: undefined, screenshot: { type: 'png' } as const },
      { screenshot: { type: 'png' }, filter: 'title' },
    ],
    [{ embed: undefined, screenshot: undefined }, { filter: 'title' }],
    [
      { embed: undefined, viewport: { width: 320 } },
      { screenshot: { fullPage: true }, filter: 'title', viewport: { width: 320 } },
    ],
  ])('with %j is like a query that was parsed with them', (changes, expected) => {
    const derived = parsed.with(changes)
    expect(derived.query).toEqual({ url, ...expected })
    expect(derived.text).toBe(writeQuery({ url, ...expected }))
  })

  it('removes one name of a group alone', () => {
    const audio = parseQuery({ url, ping: false, 'ping.audio': true })
    expect(audio.with({ 'ping.audio': undefined }).text).toBe(writeQuery({ url, ping: false }))
  })

  it('replaces an option of the screenshot wherever it was written', () => {
    const element = parseQuery({ url, element: ['#a', '#b'], history: 2 })
    expect(element.with({ screenshot: { element: '#c' } }).text).toBe(writeQuery({ url, element: '#c', history: 2 }))
  })

  it('keeps the defaults of an embedded image only while it is embedded', () => {
    expect(parsed.query).toMatchObject({ ttl: 2_678_400_000, staleTtl: 86_400_000 })
    expect(parsed.with({ embed: undefined }).query).not.toHaveProperty('ttl')
  })

  it('keeps the warnings, and does not change the original', () => {
    const { text } = parsed
    expect(parsed.with({ filter: undefined }).warnings).toEqual(parsed.warnings)
    expect(parsed.text).toBe(text)
  })

  it('rejects an invalid change, naming the parameter', () => {
    expect(() => parsed.with({ ttl: '1s' })).toThrow(PageError)
    expect(() => parsed.with({ url: undefined })).toThrow(expect.objectContaining({ code: 'EINVALURL' }))
  })
})
