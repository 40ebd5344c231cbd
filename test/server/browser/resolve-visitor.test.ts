import { expect, it } from 'vitest'
import { resolveVisitor } from '../../../src/server/browser/resolve-visitor.js'

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
