import { describe, expect, it } from 'vitest'
import { normaliseDate } from '../../../../src/server/page/values/normalise-date.js'

const now = Date.UTC(2026, 0)
const dateOf = (text: string, lang?: string) => normaliseDate(text, { lang, now })

describe('a date with a time', () => {
  it.each([
    ['2024-03-12T10:00:00-05', '2024-03-12T15:00:00.000Z'],
    ['2024-03-12 10:00:00+02', '2024-03-12T08:00:00.000Z'],
    ['2024-03-12 23:30:00.123456+02', '2024-03-12T21:30:00.000Z'],
    ['2024-03-12T10:00+05:30', '2024-03-12T04:30:00.000Z'],
    ['2024-03-12T10:00:00+0530', '2024-03-12T04:30:00.000Z'],
    ['20240312T100000-08', '2024-03-12T18:00:00.000Z'],
    ['2024-03-12T10:00:00Z', '2024-03-12T10:00:00.000Z'],
    ['2024-03-12 10:00 UTC', '2024-03-12T10:00:00.000Z'],
    ['2024-03-12 08:30 PM', '2024-03-12T20:30:00.000Z'],
    ['2024-03-12 08:30:10 p.m.', '2024-03-12T20:30:10.000Z'],
    ['2024-03-12 12:05 AM', '2024-03-12T00:05:00.000Z'],
    ['2024-03-12 12:05 pm', '2024-03-12T12:05:00.000Z'],
    ['2024/3/12 9:15', '2024-03-12T00:00:00.000Z'],
  ])('%s: %s', (text, expected) => expect(dateOf(text)).toBe(expected))
})

describe('a date without a time', () => {
  it.each([
    ['2024-03-12', '2024-03-12T00:00:00.000Z'],
    ['2024-03-12 - 14', '2024-03-12T00:00:00.000Z'],
    ['2024-03-12 to 2024-03-14', '2024-03-12T00:00:00.000Z'],
    ['20240312', '2024-03-12T00:00:00.000Z'],
    ['2024/3/1', '2024-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s: %s', (text, expected) => expect(dateOf(text)).toBe(expected))

  it.each([
    '2024-02-30',
    '2023-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '20240230',
    '2024/2/30',
  ])('does not exist: %s', (text) => expect(dateOf(text)).toBeUndefined())
})

describe('a date in numbers', () => {
  const [february, january] = ['2024-02-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z']
  it.each([
    ['en_US', january],
    ['en-US', january],
    ['en', january],
    ['EN_us', january],
    ['', january],
    ['en-GB', february],
    ['en_GB', february],
    ['en_AU', february],
    ['de', february],
    ['fr_FR', february],
    ['enm', february],
  ])('01/02/2024 in %j: %s', (lang, expected) => expect(dateOf('01/02/2024', lang)).toBe(expected))
})

describe('a date in words', () => {
  it.each([
    ['fi', '12. maaliskuuta 2024', '2024-03-12T00:00:00.000Z'],
    ['fin', '12. maaliskuuta 2024', '2024-03-12T00:00:00.000Z'],
    ['fil', '12. maaliskuuta 2024', undefined],
    ['fil', 'March 12, 2024', '2024-03-12T00:00:00.000Z'],
    ['de-AT', '12. März 2024', '2024-03-12T00:00:00.000Z'],
    ['deu', '12. März 2024', '2024-03-12T00:00:00.000Z'],
    ['fr_CA', '12 mars 2024', '2024-03-12T00:00:00.000Z'],
    ['pl', '12 marca 2024', '2024-03-12T00:00:00.000Z'],
    ['constructor', 'March 12, 2024', '2024-03-12T00:00:00.000Z'],
  ])('%s: %s: %s', (lang, text, expected) => expect(dateOf(text, lang)).toBe(expected))
})
