import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheKey, parseQuery } from '../../../src/query/index.js'
import { deviceNames, resolveDevice, resolveVisitor } from '../../../src/server/browser/emulation.js'

const device = (query: Record<string, unknown>) =>
  resolveDevice(parseQuery({ url: 'https://example.com/', ...query }).query)

describe('a device', () => {
  it.each([
    [{}, { width: 1280, height: 800, deviceScaleFactor: 2, isMobile: false, hasTouch: false }],
    [{ device: 'MACBOOK pro 13 landscape' }, { width: 1280, height: 800 }],
    [{ device: 'ipad-pro' }, { width: 1024, height: 1366, isMobile: true, hasTouch: true }],
    [{ device: 'iPad Pro landscape' }, { width: 1366, height: 1024 }],
    [
      { device: 'iPad Pro landscape', viewport: { isLandscape: false } },
      { width: 1024, height: 1366 },
    ],
    [
      { device: 'iPad Pro', viewport: { isLandscape: true } },
      { width: 1366, height: 1024 },
    ],
    [
      { device: 'iPad Pro', viewport: { width: 500, isMobile: false } },
      { width: 500, height: 1366, isMobile: false },
    ],
    [{ viewport: { isLandscape: false } }, { width: 1280, height: 800 }],
    [{ viewport: { width: 300, height: 700, isLandscape: true } }, { width: 700, height: 300 }],
  ])('is resolved from %o', (query, expected) => {
    expect(device(query)).toMatchObject(expected)
  })

  it.each([
    ['iPhne 6', 'iPhone 6'],
    ['ipad prro', 'iPad Pro'],
    ['macbok pro 13', 'Macbook Pro 13'],
    ['iphon', 'iPhone 4'],
  ])('that is unknown is rejected with the most similar name: %s', (name, similar) => {
    const reason = `is not a known device; the nearest is ${similar}`
    expect(() => device({ device: name })).toThrow(
      expect.objectContaining({ code: 'EINVALQUERY', data: { device: reason } }),
    )
  })
})

describe('the names of devices', () => {
  const url = 'https://example.com/'

  it.each(deviceNames)('resolve to one device with one cache key in every spelling: %s', (name) => {
    for (const spelling of [
      name.toUpperCase(),
      name.toLowerCase(),
      name.replaceAll(' ', '-'),
      name.replaceAll(' ', '_'),
    ]) {
      expect(device({ device: spelling })).toEqual(device({ device: name }))
      expect(cacheKey({ url, device: spelling })).toBe(cacheKey({ url, device: name }))
    }
  })

  it.each(['-iPhone 15', 'iPhone 15_', ' _iPhone 15- ', 'iPhone - 15', '--IPHONE__15', `${'-'.repeat(200)}iPhone 15`])(
    'may have separators anywhere: %s',
    (spelling) => {
      expect(cacheKey({ url, device: spelling })).toBe(cacheKey({ url, device: 'iPhone 15' }))
      expect(device({ device: spelling })).toEqual(device({ device: 'iPhone 15' }))
    },
  )

  it('resolve to the same device, or to the same error, if they have the same cache key', () => {
    const outcome = (name: string) => {
      try {
        return device({ device: name })
      } catch (error) {
        return String(error)
      }
    }
    const separators = fc.string({ unit: fc.constantFrom(' ', '-', '_', '\t', '\u00a0'), maxLength: 3 })
    const words = fc.oneof(
      fc.constantFrom(...deviceNames).map((name) => name.split(' ')),
      fc.array(fc.string({ unit: fc.constantFrom('i', 'P', 'İ', '1', 'ß', '-', ' '), minLength: 1, maxLength: 4 }), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    const spellings = words.chain((parts) => {
      const spelling = fc
        .tuple(separators, fc.array(separators, { minLength: parts.length, maxLength: parts.length }), fc.boolean())
        .map(([start, gaps, isUpper]) => {
          const name = start + parts.map((part, index) => part + (gaps[index] || '-')).join('')
          return isUpper ? name.toUpperCase() : name
        })
      return fc.tuple(spelling, spelling)
    })
    let pairs = 0
    fc.assert(
      fc.property(spellings, ([one, other]) => {
        if (cacheKey({ url, device: one }) !== cacheKey({ url, device: other })) return
        pairs++
        expect(outcome(one)).toEqual(outcome(other))
      }),
    )
    expect(pairs).toBeGreaterThan(20)
  })

  it('have different cache keys for different devices', () => {
    expect(new Set(deviceNames.map((name) => cacheKey({ url, device: name }))).size).toBe(deviceNames.length)
  })
})

describe('a visitor', () => {
  const url = 'https://example.com/'
  it('leaves language, time zone and position to the browser by default', () => {
    expect(resolveVisitor({ url })).toEqual({ languages: undefined, timezone: undefined, position: undefined })
  })

  it.each([
    ['de', ['de']],
    ['de-at', ['de-AT', 'de']],
    ['zh-hant-tw', ['zh-Hant-TW', 'zh']],
    ['de-AT-u-co-phonebk', ['de-AT', 'de']],
  ])('reads %s as browsers list it', (locale, languages) => {
    expect(resolveVisitor({ url, locale }).languages).toEqual(languages)
  })

  it('knows time zones in any case, and positions', () => {
    expect(resolveVisitor({ url, timezone: 'europe/VIENNA', geolocation: '-33.45,-70.66' })).toMatchObject({
      timezone: 'Europe/Vienna',
      position: { latitude: -33.45, longitude: -70.66 },
    })
  })

  it.each([
    [{ locale: 'abcd' }, 'locale'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ geolocation: '91,0' }, 'geolocation'],
    [{ geolocation: '0,-181' }, 'geolocation'],
  ])('rejects %j', (query, parameter) => {
    expect(() => resolveVisitor({ url, ...query })).toThrow(
      expect.objectContaining({ code: 'EINVALQUERY', data: { [parameter]: expect.any(String) } }),
    )
  })
})
