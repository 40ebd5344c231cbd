// Covers parseQuery and writeQuery together: any input at all is either parsed or rejected with an error of the table.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageError, fields, parseQuery, writeQuery, type QueryInput } from '../../src/query/index.js'

const url = 'https://example.com/'

/** Parses anything: the result is a fixed point, or a `PageError` names the invalid parameter. */
function expectParsedOrRejected(input: QueryInput): void {
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

const parameters = fc.constantFrom(
  ...Object.keys(fields).flatMap((name) => [name, name.replace(/^screenshot\./, ''), `screenshot.${name}`]),
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
  fc.tuple(parameters, options).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('toString', '__proto__', 'valueOf', 'hasOwnProperty', 'headers.', 'headers..', 'headers.api-key'),
)
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'true', 'false', '0', '1', '-1', '1e9', '1e-7', 'NaN', '9'.repeat(400), '90s', ' 1 m ', ',', url),
  fc.constantFrom('light', 'png', 'auto', 'image', 'screenshot.url', '\ud800', '\u0000', '%', '&=#?', '0x10'),
)

describe('any input', () => {
  it('is parsed or rejected with a PageError, as text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expectParsedOrRejected(text)))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        expectParsedOrRejected(`url=${encodeURIComponent(url)}&${text}`),
      ),
    )
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) =>
        expectParsedOrRejected(new URL(text)),
      ),
    )
  })

  it('is parsed or rejected with a PageError, as parameters with values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, texts), { maxLength: 6 }), (pairs) =>
        expectParsedOrRejected(new URLSearchParams([['url', url], ...pairs])),
      ),
      { numRuns: 1_000 },
    )
  })

  it('is parsed or rejected with a PageError, as a plain object', () => {
    const values = fc.oneof(
      texts,
      fc.boolean(),
      fc.double(),
      fc.bigInt(),
      fc.constantFrom(undefined, null, Symbol('s')),
    )
    const nested = fc.oneof(values, fc.array(values), fc.dictionary(fc.oneof(names, fc.string()), fc.object()))
    fc.assert(
      fc.property(fc.dictionary(names, nested, { maxKeys: 6 }), (object) => expectParsedOrRejected({ ...object, url })),
      { numRuns: 300 },
    )
    fc.assert(fc.property(fc.object(), (object) => expectParsedOrRejected(object)))
    fc.assert(
      fc.property(fc.anything(), (anything) => expectParsedOrRejected(Object(anything) as Record<string, unknown>)),
    )
  })

  it('may be a circular object', () => {
    const circle: Record<string, unknown> = { url }
    circle.colour = circle
    circle.click = [circle, circle]
    expect(parseQuery(circle).query).toEqual({ url })
    expectParsedOrRejected({ url, ping: circle, headers: [circle] })
  })

  it('may be very long', () => {
    expectParsedOrRejected({ url, styles: Array.from({ length: 20_000 }, (_, at) => `.a${at}{}`) })
    expectParsedOrRejected({ url, element: 'a'.repeat(1_000_000) })
    expectParsedOrRejected(`url=${encodeURIComponent(url)}${'&a=1'.repeat(20_000)}`)
  })

  it('never reaches a prototype', () => {
    for (const name of [
      '__proto__',
      'headers.__proto__',
      'ping.__proto__',
      'ping.__PROTO__.x',
      'constructor.prototype.x',
    ])
      expectParsedOrRejected(
        new URLSearchParams([
          ['url', url],
          [name, 'true'],
        ]),
      )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
