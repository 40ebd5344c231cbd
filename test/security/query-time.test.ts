// Covers the time in which untrusted queries are parsed: in the service, and in the proxy package within a customer's own server.
import { describe, expect, it } from 'vitest'
import { authorizeQuery, parseAccessRules } from '../../src/proxy/access-rules.js'
import { parseSearch } from '../../src/query/help/index.js'
import { fields } from '../../src/query/index.js'
import { slowestPumpedText, timeRatio } from './pumped-texts.js'

/** As multiples of what Node takes to split 64 kB of parameters. */
const MAX_RATIO = 25
const TEXT_CHARS = 64 * 1_024
const URL_PARAMETER = 'url=https%3A%2F%2Fexample.com%2F'

const filled = (pump: string) => pump.repeat(Math.ceil(TEXT_CHARS / pump.length)).slice(0, TEXT_CHARS)
const numbered = (name: string) =>
  filled('x')
    .slice(0, 5_000)
    .replace(/x/g, (_, at) => `&${name}${at}=a`)
const parameters = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `&${name}${n}=true`).join('')

const rulesFor = (target: string) => parseAccessRules({ targets: [target] })
const anyTarget = rulesFor('*')
const oneTarget = rulesFor('example.com')
const parsers: Record<string, (text: string) => unknown> = {
  'the service': (text) =>
    [parseSearch(new URLSearchParams(text)).parsed].map((parsed) => parsed.text + parsed.cacheKey),
  'the proxy': (text) => authorizeQuery(new URLSearchParams(text), anyTarget).parsed.text,
  'the proxy for one host': (text) => authorizeQuery(new URLSearchParams(text), oneTarget).parsed.text,
}

describe.each(Object.keys(parsers))('%s parses 64 kB in linear time', (name) => {
  const parse = parsers[name]!

  it.each([
    ['digits of a duration', `ttl=${filled('1')}x`],
    ['digits of an exponent', `ttl=1e-${filled('1')}x`],
    ['spaces behind a number', `ttl=1${filled('%20')}x`],
    ['digits of a number', `viewport.deviceScaleFactor=${filled('1')}x`],
    ['unclosed brackets', `overlay.background=url(${filled('%20')}`],
    ['unknown parameters', filled('&a=1')],
    ['unknown parameters of 250 characters', parameters(240, 'abcdefgh'.repeat(31))],
    ['unknown parameters as long as the longest known one', parameters(250, 'abcdefgh'.repeat(3))],
    ['unknown parameters that differ in a letter', parameters(250, 'viewport.devicescalefactor')],
    ['headers', parameters(250, 'headers.a')],
    ['items of a list up to the limit', parameters(250, 'styles.')],
    ['fields up to the limit', parameters(250, 'meta.a')],
    ['the same parameter', filled('&meta')],
    ['items of a list', numbered('styles.')],
    ['fields', numbered('meta.a')],
    ['paths', `filter=${filled('a,')}`],
    ['paths of a list', numbered('filter.')],
    ['separators of a device', `device=${filled('-_')}`],
    ['a long name', `${filled('a-b')}=1`],
    ['a long header name', `headers.${filled('aB')}=1`],
    ['a long header value', `headers.a=${filled('a')}`],
    ['combining characters in a host', `url=http://a${filled('%CC%A7%CC%81')}`],
    ['combining characters in the host of a style sheet', `styles=http://a${'%CC%A7%CC%81'.repeat(4_000)}`],
    ['combining characters in the host of a background', `overlay.background=http://a${'%CC%A7%CC%81'.repeat(4_000)}`],
    ['labels of a host', `url=http://${filled('xn--a.')}`],
  ])('%s', (_, text) => {
    expect(timeRatio(() => parse(`${URL_PARAMETER}&${text}`), MAX_RATIO)).toBeLessThan(MAX_RATIO)
    expect(timeRatio(() => parse(text), MAX_RATIO)).toBeLessThan(MAX_RATIO)
  })

  it('generated texts', () => {
    const tokens = [
      ...Object.keys(fields).map((name) => `&${name}=`),
      '&',
      '=',
      '%20',
      '&headers.a',
      '&ping.',
      URL_PARAMETER,
    ]
    const slowest = slowestPumpedText((text) => parse(`${URL_PARAMETER}${text}`), tokens, MAX_RATIO)
    expect(slowest.ratio, slowest.text).toBeLessThan(MAX_RATIO)
  })
})
