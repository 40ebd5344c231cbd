// Covers parseQuery: names, values, and what it rejects.
import { describe, expect, it } from 'vitest'
import { cacheKey, PageError, parseQuery, writeQuery } from '../../src/query/index.js'

const url = 'https://example.com/'
const parse = (text: string) => parseQuery(`url=${encodeURIComponent(url)}&${text}`).query
const rejection = (input: Parameters<typeof parseQuery>[0]) => {
  try {
    parseQuery(input)
  } catch (error) {
    if (error instanceof PageError) return error
    throw error
  }
  throw new Error(`accepted: ${JSON.stringify(input)}`)
}

describe('names', () => {
  it.each([
    ['screenshot.full_page=true', { screenshot: { fullPage: true } }],
    ['screenshot.full-page=true', { screenshot: { fullPage: true } }],
    ['screenshot.fullPage=true', { screenshot: { fullPage: true } }],
    ['full_page', { screenshot: { fullPage: true } }],
    ['wait_for_selector=%23a', { waitForSelector: '#a' }],
    ['color-scheme=dark', { colorScheme: 'dark' }],
    ['viewport.device_scale_factor=2', { viewport: { deviceScaleFactor: 2 } }],
    ['headers.userAgent=x', { headers: { 'user-agent': 'x' } }],
    ['headers.user_agent=x', { headers: { 'user-agent': 'x' } }],
    ['headers.User-Agent=x', { headers: { 'user-agent': 'x' } }],
    ['headers.api_key=k', { headers: { apiKey: 'k' } }],
    ['headers.apiKey=k', { headers: { apiKey: 'k' } }],
  ])('parses %s in every spelling', (text, expected) => {
    expect(parse(text)).toEqual({ url, ...expected })
  })

  it.each(['__proto__=1', 'headers.__proto__=1', 'meta.constructor=true', 'prototype.x=1'])(
    'rejects %s, which could reach a prototype',
    (text) => {
      expect(rejection(`url=${url}&${text}`)).toMatchObject({ code: 'EINVALQUERY' })
      expect(({} as Record<string, unknown>)['1']).toBeUndefined()
    },
  )

  it('ignores an unknown parameter, and names it', () => {
    const { query, warnings } = parseQuery({ url, colour: 'red', 'screenshot.foo': 1 })
    expect(query).toEqual({ url })
    expect(warnings).toEqual([expect.stringContaining('"colour"'), expect.stringContaining('"screenshot.foo"')])
  })
})

describe('values', () => {
  it.each([
    ['ping', {}],
    ['ping=', {}],
    ['ping=true', {}],
    ['ping=false', { ping: false }],
    ['screenshot', { screenshot: true }],
    ['screenshot=', { screenshot: true }],
    ['screenshot=false', {}],
    ['javascript=false', { javascript: false }],
    ['ttl=90s', { ttl: 90_000 }],
    ['ttl=1m', { ttl: 60_000 }],
    ['ttl=5%20minutes', { ttl: 300_000 }],
    ['ttl=2 hours', { ttl: 7_200_000 }],
    ['ttl=1 minute', { ttl: 60_000 }],
    ['ttl=2min', { ttl: 120_000 }],
    ['ttl=2 mins', { ttl: 120_000 }],
    ['ttl=90sec', { ttl: 90_000 }],
    ['ttl=90 secs', { ttl: 90_000 }],
    ['ttl=90 seconds', { ttl: 90_000 }],
    ['ttl=1hr', { ttl: 3_600_000 }],
    ['ttl=2 hrs', { ttl: 7_200_000 }],
    ['ttl=2 days', { ttl: 172_800_000 }],
    ['ttl=31d', { ttl: 2_678_400_000 }],
    ['ttl=60000', { ttl: 60_000 }],
    ['ttl=60000ms', { ttl: 60_000 }],
    ['ttl=24h', {}],
    ['timeout=5s', { timeout: 5_000 }],
    ['waitForTimeout=1500ms', { waitForTimeout: 1_500 }],
    ['staleTtl=false', {}],
    ['staleTtl=0', { staleTtl: 0 }],
    ['staleTtl=1h', { staleTtl: 3_600_000 }],
    ['clip=0,10.5,300,200', { screenshot: { clip: '0,10.5,300,200' } }],
    ['screenshot.clip=0, 0, 1, 1', { screenshot: { clip: '0, 0, 1, 1' } }],
    ['padding=500', { screenshot: { padding: 500 } }],
    ['locale=de-AT', { locale: 'de-AT' }],
    ['timezone=America/Argentina/Buenos_Aires', { timezone: 'America/Argentina/Buenos_Aires' }],
    ['geolocation=-33.45, -70.66', { geolocation: '-33.45, -70.66' }],
    ['screenshot.quality=1', { screenshot: { quality: 1 } }],
    ['screenshot.quality=80', { screenshot: true }],
    ['viewport.deviceScaleFactor=1.5', { viewport: { deviceScaleFactor: 1.5 } }],
    ['variant.tiles', { variant: { tiles: true } }],
    ['variant.max-side=1568&variant.max_bytes=1000000', { variant: { maxSide: 1_568, maxBytes: 1_000_000 } }],
    ['title.pick=8f3a01c7&image.pick=00000000', { title: { pick: '8f3a01c7' }, image: { pick: '00000000' } }],
    ['candidates&explain=true', { candidates: true, explain: true }],
    ['embed', { embed: true }],
    ['embed=false', {}],
    ['embed=title', { embed: 'title' }],
    ['filter=title,image.url, title', { filter: 'image.url,title' }],
    ['force', { force: true }],
  ])('parses %s', (text, expected) => {
    expect(parse(text)).toEqual({ url, ...expected })
  })

  it.each([
    ['screenshot=maybe', 'screenshot'],
    ['javascript=1', 'javascript'],
    ['screenshot.type=gif', 'screenshot.type'],
    ['screenshot.quality=0', 'screenshot.quality'],
    ['screenshot.quality=101', 'screenshot.quality'],
    ['screenshot.quality=50.5', 'screenshot.quality'],
    ['screenshot.quality=high', 'screenshot.quality'],
    ['quality=-1', 'screenshot.quality'],
    ['viewport.width=0', 'viewport.width'],
    ['variant.maxSide=15', 'variant.maxSide'],
    ['variant.maxBytes=1MB', 'variant.maxBytes'],
    ['title.pick=8F3A01C7', 'title.pick'],
    ['image.pick=https://example.com/a.png', 'image.pick'],
    ['viewport.width=', 'viewport.width'],
    ['viewport.deviceScaleFactor=9', 'viewport.deviceScaleFactor'],
    ['overlay.browser=blue', 'overlay.browser'],
    ['colorScheme=red', 'colorScheme'],
    ['waitUntil=never', 'waitUntil'],
    ['timeout=29s', 'timeout'],
    ['waitForTimeout=soon', 'waitForTimeout'],
    ['waitForTimeout=1 month', 'waitForTimeout'],
    ['element=', 'element'],
    ['headers=x', 'headers'],
    ['filter=,', 'filter'],
    ['history=0', 'history'],
    ['history=21', 'history'],
  ])('rejects %s, naming the parameter', (text, parameter) => {
    const error = rejection(`url=${url}&${text}`)
    expect(error).toMatchObject({ code: parameter === 'headers' ? 'EHEADERS' : 'EINVALQUERY', status: 400 })
    expect(Object.keys(error.data)).toEqual([parameter])
    expect(error.message).toContain(parameter)
  })

  it.each([
    ['ttl=59s', 'EINVALTTL', 'ttl'],
    ['ttl=32d', 'EINVALTTL', 'ttl'],
    ['staleTtl=32d', 'EINVALSTTL', 'staleTtl'],
    ['staleTtl=25h', 'EINVALSTTL', 'staleTtl'],
    ['ttl=1h&staleTtl=2h', 'EINVALSTTL', 'staleTtl'],
  ] as const)('rejects %s with %s', (text, code, parameter) => {
    expect(rejection(`url=${url}&${text}`)).toMatchObject({ code, data: { [parameter]: expect.any(String) } })
  })

  it.each(['5 may', '5 mour', '5hay', '60000msec', '90second second', '5 minute s'])(
    'rejects %s as a duration: each unit has its own long form',
    (text) => {
      expect(rejection({ url, ttl: text }).code).toBe('EINVALTTL')
    },
  )

  it.each([
    '',
    '&url=',
    '&url=/path',
    '&url=ftp://example.com/',
    '&url=https://me:secret@example.com/',
    '&url=javascript:1',
  ])('rejects "%s" as url', (text) => {
    expect(rejection(`ping=true${text}`)).toMatchObject({ code: 'EINVALURL', data: { url: expect.any(String) } })
  })

  it('rejects a value of more than 8,192 characters with the code of its parameter', () => {
    expect(parseQuery({ url, element: 'a'.repeat(8_192) }).query.element).toHaveLength(8_192)
    expect(rejection({ url, element: 'a'.repeat(8_193) })).toMatchObject({
      code: 'EINVALQUERY',
      message: 'element must be 1 to 8192 characters.',
    })
    expect(rejection({ url, ttl: '0'.repeat(8_193) }).code).toBe('EINVALTTL')
    expect(rejection({ url, headers: { a: 'a'.repeat(8_193) } }).code).toBe('EHEADERS')
  })

  it('rejects a name of 256 characters, and more than 256 parameters', () => {
    expect(rejection({ url, ['a'.repeat(256)]: '1' }).code).toBe('EINVALQUERY')
    const styles = Array.from({ length: 256 }, (_, at) => `.a${at}{}`)
    expect(parseQuery({ url, styles: styles.slice(1) }).query.styles).toHaveLength(255)
    expect(rejection({ url, styles })).toMatchObject({ code: 'EINVALQUERY', data: { query: 'is too long' } })
  })

  it('rejects a URL of more than 8,192 characters', () => {
    const long = `https://example.com/${'a'.repeat(8_192 - 20)}`
    expect(parseQuery({ url: long }).query.url).toHaveLength(8_192)
    expect(rejection({ url: `${long}a` }).code).toBe('EINVALURL')
  })

  it.each([
    'host',
    'content-length',
    'connection',
    'transfer-encoding',
    'cookie2',
    'proxyAuthorization',
    'x_forwarded_for',
    'a b',
  ])('rejects the header %s', (name) => {
    expect(rejection({ url, headers: { [name]: 'x' } })).toMatchObject({ code: 'EHEADERS' })
  })

  it('accepts a header value with letters of other languages', () => {
    expect(parseQuery({ url, headers: { 'x-name': 'Zoë' } }).query.headers).toEqual({ 'x-name': 'Zoë' })
  })

  it('rejects control characters in a header, so that no header can be injected', () => {
    expect(rejection({ url, headers: { 'x-a': 'b\r\nx-evil: 1' } })).toMatchObject({ code: 'EHEADERS' })
  })
})

describe('options, sub-keys and arrays', () => {
  it.each([
    ['element=%23a', { screenshot: true, element: '#a' }],
    ['screenshot.element=%23a', { screenshot: true, element: '#a' }],
    ['screenshot=false&element=%23a', { screenshot: true, element: '#a' }],
    ['overlay.browser=dark', { screenshot: true, overlay: { browser: 'dark' } }],
    ['screenshot.overlay.browser=dark', { screenshot: true, overlay: { browser: 'dark' } }],
    ['type=png', { screenshot: { type: 'png' } }],
    ['screenshot=true&screenshot.type=png', { screenshot: { type: 'png' } }],
    ['screenshot.type=jpg', { screenshot: true }],
    ['history=5', { screenshot: true, history: 5 }],
    ['screenshot.history=5&history=5', { screenshot: true, history: 5 }],
  ])('%s requests a screenshot', (text, expected) => {
    expect(parse(text)).toEqual({ url, ...expected })
  })

  it.each([
    ['ping.audio=false', { ping: { audio: false } }, 'ping.audio=false'],
    ['ping=true&ping.audio=false', { ping: { audio: false } }, 'ping.audio=false'],
    ['ping=false&ping.audio=true', { ping: false, 'ping.audio': true }, 'ping=false&ping.audio=true'],
    ['ping.audio=true', {}, ''],
    ['ping=false&ping.audio=false', { ping: false }, 'ping=false'],
    ['meta.title=true', { meta: { title: true } }, 'meta.title=true'],
    ['meta.title', { meta: { title: true } }, 'meta.title=true'],
    ['meta=false&meta.title=true', { meta: { title: true } }, 'meta.title=true'],
    ['meta=true&meta.title=true', { meta: { title: true } }, 'meta.title=true'],
    ['meta.title=true&meta.image=false', { meta: { title: true } }, 'meta.title=true'],
    ['meta.image=false', { meta: { image: false } }, 'meta.image=false'],
    ['meta=false', { meta: false }, 'meta=false'],
    ['meta=false&meta.title=false', { meta: false }, 'meta=false'],
  ])('in %s a sub-key overrides its parent', (text, expected, written) => {
    const query = parse(text)
    expect(query).toEqual({ url, ...expected })
    const canonical = [...written.split('&'), `url=${encodeURIComponent(url)}`].filter(Boolean).join('&')
    expect(writeQuery(query)).toBe(canonical)
    expect(parse(text)).toEqual(parseQuery(canonical).query)
  })

  it.each([
    ['click=a', 'a'],
    ['click.0=a', 'a'],
    ['click.0=a&click.1=b', ['a', 'b']],
    ['click.1=b&click.0=a', ['a', 'b']],
    ['click.10=k&click.9=j&click.2=c', ['c', 'j', 'k']],
  ])('parses the array %s', (text, click) => {
    expect(parse(text)).toEqual({ url, click })
  })

  it.each([
    ['element=a', 'a'],
    ['element.0=a', 'a'],
    ['element.1=b&element.0=a', ['a', 'b']],
    ['screenshot.element.0=a&screenshot.element.1=b', ['a', 'b']],
    ['screenshot=false&element.0=a&element.1=b', ['a', 'b']],
  ])('parses the elements %s, and requests a screenshot', (text, element) => {
    expect(parse(text)).toEqual({ url, screenshot: true, element })
  })

  it('gives one element the same cache key in a list as alone', () => {
    const key = 'element=a&url=https%3A%2F%2Fexample.com%2F'
    expect([cacheKey({ url, element: 'a' }), cacheKey({ url, element: ['a'] })]).toEqual([key, key])
  })

  it('parses a plain object with arrays, and does not change it', () => {
    const input = Object.freeze({
      url,
      screenshot: Object.freeze({ fullPage: true, element: '#a', overlay: Object.freeze({ browser: 'light' }) }),
      styles: Object.freeze(['a{}', 'b{}']),
      filter: Object.freeze(['title', 'image']),
      viewport: { width: 800 },
      lang: undefined,
      ttl: 60_000,
    })
    expect(parseQuery(input)).toEqual({
      query: {
        url,
        element: '#a',
        overlay: { browser: 'light' },
        screenshot: { fullPage: true },
        styles: ['a{}', 'b{}'],
        filter: 'image,title',
        viewport: { width: 800 },
        ttl: 60_000,
      },
      warnings: [],
    })
  })

  it.each([
    ['full_page=true&fullPage=false', 'screenshot.fullPage'],
    ['element=a&screenshot.element=b', 'element'],
    ['headers.userAgent=a&headers.user-agent=b', 'headers.user-agent'],
    ['ttl=1h&ttl=2h', 'ttl'],
    ['url=https://other.example/', 'url'],
    ['click.0=a&click.0=b', 'click'],
    ['click=a&click.0=b', 'click'],
    ['element.0=a&screenshot.element=b&element.1=b', 'element'],
    ['filter=title&filter.0=image', 'filter'],
  ])('rejects %s: the same parameter twice with different values', (text, parameter) => {
    expect(rejection(`url=${url}&${text}`)).toMatchObject({
      code: 'EINVALQUERY',
      message: expect.stringContaining(parameter),
    })
  })

  it('accepts the same parameter twice with the same value', () => {
    expect(parse('ttl=1h&ttl=60m&element=a&screenshot.element=a&element.0=a')).toEqual({
      url,
      ttl: 3_600_000,
      element: 'a',
      screenshot: true,
    })
  })
})

describe('an embedded image', () => {
  it.each([
    ['embed=screenshot.url&screenshot', { ttl: 2_678_400_000, staleTtl: 86_400_000 }],
    ['embed&screenshot', { ttl: 2_678_400_000, staleTtl: 86_400_000 }],
    ['embed=image.url', { ttl: 2_678_400_000, staleTtl: 86_400_000 }],
    ['embed=image.url&ttl=1h', { ttl: 3_600_000, staleTtl: 3_600_000 }],
    ['embed=image.url&ttl=24h', { ttl: 86_400_000, staleTtl: 86_400_000 }],
    ['embed=image.url&staleTtl=false', { ttl: 2_678_400_000, staleTtl: false }],
  ])('is cached longer by default: %s', (text, expected) => {
    expect(parse(text)).toMatchObject(expected)
    expect(parseQuery(writeQuery(parse(text))).query).toEqual(parse(text))
  })

  it('keeps the usual defaults for an embedded text', () => {
    expect(parse('embed=title')).toEqual({ url, embed: 'title' })
  })
})

describe('input', () => {
  it.each([
    ['a URL', new URL(`http://127.0.0.1:3000/?url=${url}&screenshot`)],
    ['search parameters', new URLSearchParams({ url, screenshot: '' })],
    ['the text of a URL', `https://service.example/?url=${url}&screenshot`],
    ['a path', `/page-preview?url=${url}&screenshot`],
    ['a query string', `?url=${url}&screenshot`],
    ['an object', { url, screenshot: true }],
    ['an object with a URL', { url: new URL(url), screenshot: true }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { url, screenshot: true })],
    ['a URL with a fragment', `https://service.example/?url=${url}&screenshot#top`],
  ])('can be %s', (_, input) => {
    expect(parseQuery(input).query).toEqual({ url, screenshot: true })
  })
})
