import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageError, fields, parseQuery, writeQuery, type QueryInput } from '../../src/query/index.js'

const url = 'https://example.com/'

/** Reads anything: a query that is a fixed point, or a `PageError` that names what is wrong. */
function read(input: QueryInput): void {
  try {
    const { query } = parseQuery(input)
    const text = writeQuery(input)
    expect(writeQuery(query)).toBe(text)
    expect(parseQuery(text).query).toEqual(query)
  } catch (error) {
    if (!(error instanceof PageError)) throw error
    const [name = '', reason = ''] = Object.entries(error.data)[0] ?? []
    expect(error.message).toBe(`${name} ${reason}.`)
    expect(error.status).toBe(400)
  }
}

const words = fc.constantFrom(
  ...Object.keys(fields).flatMap((word) => [word, word.replace(/^screenshot\./, ''), `screenshot.${word}`]),
)
const options = fc.constantFrom(
  '',
  '.0',
  '.1',
  '.10',
  '.x',
  '.X-Y_z',
  '.__proto__',
  '.Constructor',
  '.toString',
  '.',
  '..',
)
const names = fc.oneof(
  fc.tuple(words, options).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('toString', '__proto__', 'valueOf', 'hasOwnProperty', 'headers.', 'headers..', 'headers.api-key'),
)
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'true', 'false', '0', '1', '-1', '1e9', '1e-7', 'NaN', '9'.repeat(400), '90s', ' 1 m ', ',', url),
  fc.constantFrom('light', 'png', 'auto', 'image', 'screenshot.url', '\ud800', '\u0000', '%', '&=#?', '0x10'),
)

describe('whatever is given', () => {
  it('is read or refused with a PageError, as text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => read(text)))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => read(`url=${encodeURIComponent(url)}&${text}`)))
    fc.assert(fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => read(new URL(text))))
  })

  it('is read or refused with a PageError, as words with values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, texts), { maxLength: 6 }), (pairs) =>
        read(new URLSearchParams([['url', url], ...pairs])),
      ),
      { numRuns: 1_000 },
    )
  })

  it('is read or refused with a PageError, as a plain object', () => {
    const values = fc.oneof(
      texts,
      fc.boolean(),
      fc.double(),
      fc.bigInt(),
      fc.constantFrom(undefined, null, Symbol('s')),
    )
    const nested = fc.oneof(values, fc.array(values), fc.dictionary(fc.oneof(names, fc.string()), fc.object()))
    fc.assert(
      fc.property(fc.dictionary(names, nested, { maxKeys: 6 }), (object) => read({ ...object, url })),
      { numRuns: 300 },
    )
    fc.assert(fc.property(fc.object(), (object) => read(object)))
    fc.assert(fc.property(fc.anything(), (anything) => read(Object(anything) as Record<string, unknown>)))
  })

  it('may go in a circle', () => {
    const circle: Record<string, unknown> = { url }
    circle.colour = circle
    circle.click = [circle, circle]
    expect(parseQuery(circle).query).toEqual({ url })
    read({ url, ping: circle, headers: [circle] })
  })

  it('may be huge', () => {
    read({ url, styles: Array.from({ length: 20_000 }, (_, at) => `.a${at}{}`) })
    read({ url, element: 'a'.repeat(1_000_000) })
    read(`url=${encodeURIComponent(url)}${'&a=1'.repeat(20_000)}`)
  })

  it('reaches no prototype', () => {
    for (const name of [
      '__proto__',
      'headers.__proto__',
      'ping.__proto__',
      'ping.__PROTO__.x',
      'constructor.prototype.x',
    ])
      read(
        new URLSearchParams([
          ['url', url],
          [name, 'true'],
        ]),
      )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
