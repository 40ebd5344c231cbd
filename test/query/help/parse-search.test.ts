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

it.each([
  ['meta.titel', 'No field is named "meta.titel"; did you mean meta.title?'],
  ['ping.audoi', 'No field is named "ping.audoi"; did you mean ping.audio?'],
  ['meta.nonsense', 'No field is named "meta.nonsense".'],
])('a switch for a field that no result has is named with the nearest known one: %s', (name, warning) => {
  expect(parse({ url, [name]: 'true', 'meta.image': 'true' }).warnings).toEqual([warning])
})

describe('many unknown parameters', () => {
  const search = (names: readonly string[]) => parse({ url, ...Object.fromEntries(names.map((name) => [name, '1'])) })
  const numbered = (count: number, name = 'colorSchem') => Array.from({ length: count }, (_, n) => `${name}${n}`)

  it.each([
    ['200 names', numbered(200), 190],
    ['11 names', numbered(11), 1],
    ['names of 250 characters', numbered(240, 'abcdefgh'.repeat(31)), 230],
    ['names in quotes', numbered(30, '"title" '), 20],
  ])('are named up to ten, and counted beyond: %s', (_, names, more) => {
    const { warnings } = search(names)
    expect(warnings).toHaveLength(11)
    for (const [index, name] of names.slice(0, 10).entries()) expect(warnings[index]).toContain(`"${name}" was ignored`)
    expect(warnings[10]).toBe(`${more} more unknown ${more > 1 ? 'parameters were' : 'parameter was'} ignored.`)
  })

  it('are all named if there are ten', () => {
    expect(search(numbered(10)).warnings).toEqual(
      numbered(10).map((name) => `Unknown parameter "${name}" was ignored; did you mean colorScheme?`),
    )
  })

  it('are named once if they are the same', () => {
    expect(parseSearch(new URLSearchParams(`url=${url}${'&a=1'.repeat(250)}`)).warnings).toEqual([
      'Unknown parameter "a" was ignored.',
    ])
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
  [{ ttl: '5s' }, 'ttl must be between 1m and 31d, e.g. 12h.'],
  [{ staleTtl: '40d' }, 'staleTtl must be between 0 and 31d, e.g. 12h, or false.'],
  [{ timeout: '1m' }, 'timeout must be between 0 and 28s, e.g. 12s.'],
  [{ 'screenshot.quality': '200' }, 'screenshot.quality must be a whole number from 1 to 100.'],
])('names the bounds of %j as people write them', (parameters, message) => {
  expect(() => parse({ url, ...(parameters as Record<string, string>) })).toThrow(expect.objectContaining({ message }))
})
