// Covers writeQuery and cacheKey: the canonical text, and the law that parsing and writing are inverse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheKey, fields, parseQuery, writeQuery } from '../../src/query/index.js'

const url = 'https://example.com/a?b=c&d#e'
const spellings = [
  (name: string) => name,
  (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
]
const someText = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.trim() !== '')
const durations = (min: number, max: number) =>
  fc.oneof(
    fc.integer({ min, max }).map(String),
    fc.integer({ min: Math.ceil(min / 1_000), max: Math.floor(max / 1_000) }).map((seconds) => `${seconds}s`),
    fc
      .integer({ min: Math.ceil(min / 1_000), max: Math.floor(max / 1_000) })
      .map((seconds) => `${seconds / 60} minutes`),
  )

/** Texts of parameters that have a pattern. */
const PATTERN_TEXTS: Record<string, string[]> = {
  locale: ['de', 'de-AT', 'zh-hant-tw'],
  timezone: ['UTC', 'Europe/Vienna', 'Etc/GMT+3'],
  geolocation: ['48.2,16.37', '-90, 180'],
  'title.pick': ['8f3a01c7', '00000000'],
  'image.pick': ['5be20d94'],
  'screenshot.clip': ['0,0,1,1', '10.5, 20, 300, 200'],
}

/** Texts that a parameter accepts, for every row of the table. */
function textsOf(name: string): fc.Arbitrary<[string, string][]> {
  const field = fields[name as keyof typeof fields]
  const one = (texts: fc.Arbitrary<string>) => texts.map((text): [string, string][] => [[name, text]])
  const under = (keys: fc.Arbitrary<string>, texts: fc.Arbitrary<string>) =>
    fc
      .dictionary(keys, texts, { maxKeys: 3, noNullPrototype: true })
      .map((entries) => Object.entries(entries).map(([key, text]): [string, string] => [`${name}.${key}`, text]))
  const flag = fc.constantFrom('true', 'false', '')
  switch (field.type) {
    case 'url':
      return fc.constant([])
    case 'boolean':
      return 'subKey' in field
        ? fc.oneof(one(flag), under(fc.constantFrom('audio', 'image', 'title'), flag))
        : one(flag)
    case 'header':
      return under(fc.constantFrom('user-agent', 'apiKey', 'x-a', 'Accept'), fc.constantFrom('a', 'b c', 'é'))
    case 'choice':
      return one(fc.constantFrom(...field.values.map(String)))
    case 'embed':
      return one(fc.constantFrom('true', 'false', 'html', 'screenshot.url', 'image.url', 'title'))
    case 'paths':
      return one(fc.constantFrom('title', 'title,image.url', ' b , a '))
    case 'integer':
      return one(fc.integer({ min: Math.max(field.min, 0), max: Math.min(field.max, 1e9) }).map(String))
    case 'number':
      return one(fc.double({ min: field.min, max: field.max, noNaN: true }).map(String))
    case 'duration':
      // A staleTtl above the ttl of the same query would be invalid.
      return one(
        field.default === false
          ? fc.oneof(fc.constant('false'), durations(0, 60_000))
          : durations(field.min, field.max),
      )
    default:
      if (field.type === 'text' && 'subKey' in field)
        return fc.oneof(
          one(someText),
          fc
            .array(someText, { maxLength: 12 })
            .map((texts) => texts.map((text, at): [string, string] => [`${name}.${at}`, text])),
        )
      return one(name in PATTERN_TEXTS ? fc.constantFrom(...PATTERN_TEXTS[name]!) : someText)
  }
}

const queries = fc
  .subarray(Object.keys(fields))
  .chain((names) => fc.tuple(...names.map(textsOf)))
  .map((parts) => parts.flat().concat([['url', url]]))

describe('the canonical text', () => {
  it('is the same after parsing and writing it again, for every query', () => {
    fc.assert(
      fc.property(queries, (entries) => {
        const text = writeQuery(new URLSearchParams(entries))
        expect(writeQuery(text)).toBe(text)
        expect(writeQuery(parseQuery(text).query)).toBe(text)
        expect(parseQuery(text)).toEqual({ query: parseQuery(new URLSearchParams(entries)).query, warnings: [] })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    'ping.a%0Ab=false',
    'headers.a.b.c.d=x',
    'ping.toString=false',
    'meta.a__b=true',
    'waitForTimeout=0.0000001',
    'embed=%20',
    'element=%ED%A0%80',
    'filter.1=b,a&filter.0=c',
    'element.1=b&element.0=a&padding=0',
    'click=a&click.0=a',
    'screenshot.element.0=a&screenshot.element.1=b',
    'clip=1, 2, 3, 4&geolocation=1, 2',
    'embed=image.url&ttl=31d',
    'embed=image.url&ttl=24h',
    'screenshot=false&screenshot.type=jpg&element=a',
  ])('is the same after parsing and writing it again, for %s', (text) => {
    const canonical = writeQuery(`${text}&url=${encodeURIComponent(url)}`)
    expect(writeQuery(canonical)).toBe(canonical)
    expect(writeQuery(parseQuery(canonical).query)).toBe(canonical)
  })

  it('does not depend on spelling or order', () => {
    fc.assert(
      fc.property(queries, fc.infiniteStream(fc.nat(2)), fc.boolean(), (entries, choices, isReversed) => {
        const respelled = entries.map(([name, text]): [string, string] => [
          spellings[choices.next().value!]!(name),
          text,
        ])
        const reordered = isReversed ? respelled.toReversed() : respelled
        expect(writeQuery(new URLSearchParams(reordered))).toBe(writeQuery(new URLSearchParams(entries)))
      }),
      { numRuns: 300 },
    )
  })

  it('is sorted, with defaults left out, element and overlay flat, the rest nested', () => {
    expect(
      writeQuery({
        url: 'https://example.com',
        ping: true,
        ttl: '24h',
        screenshot: { type: 'png', quality: 80, element: '#a', overlay: { browser: 'dark' } },
        headers: { userAgent: 'x' },
      }),
    ).toBe('element=%23a&headers.user-agent=x&overlay.browser=dark&screenshot.type=png&url=https%3A%2F%2Fexample.com')
  })

  it('has screenshot only if none of its options implies it', () => {
    expect(writeQuery({ url, screenshot: true, element: 'a' })).not.toContain('screenshot')
    expect(writeQuery({ url, screenshot: { type: 'jpg' } })).toContain('screenshot=true')
  })
})

describe('the cache key', () => {
  const delivery = {
    embed: 'screenshot.url',
    variant: { width: 640, maxSide: 1_568, maxBytes: 1_000_000, type: 'webp', tiles: true },
    filter: 'title',
    ttl: '1h',
    staleTtl: '1m',
    force: true,
    timeout: '5s',
    headers: { apiKey: 'secret' },
    expires: 1,
    keyId: 'k',
    signature: 's',
    unknown: 'x',
  }

  it('leaves out what controls delivery', () => {
    expect(cacheKey({ url, screenshot: true, ...delivery })).toBe(cacheKey({ url, screenshot: true }))
  })

  it.each(Object.entries(delivery))('is the same with %s', (name, value) => {
    expect(cacheKey({ url, screenshot: true, [name]: value })).toBe(cacheKey({ url, screenshot: true }))
  })

  it.each([
    { element: '#a' },
    { headers: { 'user-agent': 'x' } },
    { device: 'iPhone 6' },
    { ping: false },
    { url: `${url}:~:text=words` },
    { url: url.replace(/#.*/, '') },
    { element: ['#a', '#b'] },
    { screenshot: { clip: '0,0,10,10' } },
    { element: '#a', padding: 10 },
    { locale: 'de' },
    { timezone: 'Asia/Tokyo' },
    { geolocation: '48.2,16.37' },
    { meta: { title: true } },
    { history: 1 },
  ])('differs with %j', (parameters) => {
    expect(cacheKey({ url, screenshot: true, ...parameters })).not.toBe(cacheKey({ url, screenshot: true }))
  })
})

describe('the cache key of a device', () => {
  it('is the same in every case and with every separator', () => {
    const keys = ['iPhone 6', 'IPHONE 6', 'iphone_6', ' iphone-6 '].map((device) => cacheKey({ url, device }))
    expect(new Set(keys).size).toBe(1)
  })

  it.each(['Macbook Pro 13', 'MACBOOK PRO 13', 'macbook_pro_13'])(
    'leaves out the default device written as %s',
    (device) => {
      expect(cacheKey({ url, device })).toBe(cacheKey({ url }))
    },
  )
})
