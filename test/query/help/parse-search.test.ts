import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../../src/query/help/index.js'

const url = 'https://example.com'
const parse = (parameters: Record<string, string>) => parseSearch(new URLSearchParams(parameters))

describe('an unknown parameter', () => {
  it.each([
    ['colorSchem', 'Unknown parameter "colorSchem" was ignored; did you mean colorScheme?'],
    ['fullpage', 'Unknown parameter "fullpage" was ignored; did you mean fullPage?'],
    ['screenshot.qualty', 'Unknown parameter "screenshot.qualty" was ignored; did you mean screenshot.quality?'],
    ['utm_source', 'Unknown parameter "utm_source" was ignored.'],
    ['v', 'Unknown parameter "v" was ignored.'],
  ])('is named with the nearest known one: %s', (name, warning) => {
    const { parsed, warnings } = parse({ url, [name]: 'x' })
    expect(warnings).toEqual([warning])
    expect(parsed.text).toBe('url=https%3A%2F%2Fexample.com')
  })
})

describe('an invalid url', () => {
  it.each([
    [{ url: 'example.com/a' }, 'must be an absolute http(s) URL: write url=https://example.com/a'],
    [{ url: '/about' }, 'must be an absolute http(s) URL, e.g. url=https://example.com'],
    [{ url: 'ftp://example.com' }, 'must be an absolute http(s) URL, e.g. url=https://example.com'],
    [{}, 'is missing: write url=https://example.com'],
  ])('is refused with what to write: %j', (parameters, reason) => {
    expect(() => parse(parameters as Record<string, string>)).toThrow(
      expect.objectContaining({ code: 'EINVALURL', message: `url ${reason}.`, data: { url: reason } }),
    )
  })
})

it.each([
  [{ ttl: '5s' }, 'ttl must be between 1m and 31d, e.g. ttl=12h.'],
  [{ staleTtl: '40d' }, 'staleTtl must be between 0 and 31d, e.g. staleTtl=12h, or false.'],
  [{ timeout: '1m' }, 'timeout must be between 0 and 28s, e.g. 12s.'],
  [{ 'screenshot.quality': '200' }, 'screenshot.quality must be a whole number from 1 to 100.'],
])('names the bounds of %j as people write them', (parameters, message) => {
  expect(() => parse({ url, ...(parameters as Record<string, string>) })).toThrow(expect.objectContaining({ message }))
})
