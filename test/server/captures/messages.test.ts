import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageError, parseQuery, type ErrorCode } from '../../../src/query/index.js'
import { parseHostList } from '../../../src/query/help/index.js'
import { BACKGROUND } from '../../../src/server/budget/index.js'
import {
  decodeExtraction,
  decodeFailure,
  decodeRequest,
  encodeExtraction,
  encodeFailure,
  encodeRequest,
  InvalidMessageError,
  VERSION,
} from '../../../src/server/captures/messages.js'
import { isDueToPage, TransientError, wasNotStarted } from '../../../src/server/jobs/index.js'
import type { Extraction } from '../../../src/server/results/index.js'
import { subjectOfUrl } from '../../../src/server/store/index.js'
import { goodResult } from '../extraction-result.js'
import { requestScope } from '../request-scope.js'

const SECRET = 'a secret that fronts and workers share'
/** The first bytes of each type, as far as they tell it. */
const IMAGES = {
  jpg: '\xff\xd8\xff',
  png: '\x89PNG\r\n\x1a\n',
  webp: 'RIFF\0\0\0\0WEBP',
  avif: '\0\0\0\x1cftypavif',
} as const

const text = fc.option(fc.string({ maxLength: 50 }))
const amount = fc.option(fc.nat())
const colour = fc.constantFrom('#000000', '#a0B0c0')
const media = fc.option(
  fc.record(
    {
      url: fc.constantFrom('https://example.com/a.png', 'data:image/png;base64,AAAA'),
      type: text,
      size: amount,
      size_pretty: text,
      width: amount,
      height: amount,
      alt: fc.string(),
      palette: fc.array(colour),
    },
    { requiredKeys: ['url'] },
  ),
)
const pageText = fc.option(
  fc.record({ untrustedContent: fc.string(), omittedCharacters: fc.nat(), isTruncated: fc.boolean() }),
)
const id = fc.stringMatching(/^[\da-f]{8}$/)
const candidate = (value: fc.Arbitrary<string>) =>
  fc.record(
    {
      id,
      value,
      source: fc.string(),
      score: fc.option(fc.integer()),
      reasons: fc.array(fc.string(), { maxLength: 8 }),
      isSelected: fc.boolean(),
      problem: fc.string(),
      durationMs: fc.nat(),
      type: text,
      size: amount,
      width: amount,
      height: amount,
    },
    { requiredKeys: ['id', 'value', 'source', 'score', 'reasons', 'isSelected'] },
  )
const candidates = fc.record({
  title: fc.array(candidate(fc.string())),
  description: fc.array(candidate(fc.string())),
  image: fc.array(candidate(fc.constantFrom('https://example.com/a.png', 'data:image/png;base64,AAAA'))),
})
const explanation = fc.record({
  requests: fc.array(
    fc.record(
      {
        url: fc.webUrl(),
        statusCode: fc.nat(999),
        size: fc.option(fc.nat()),
        durationMs: fc.nat(),
        cause: fc.constantFrom('redirect' as const, 'refresh' as const),
      },
      { requiredKeys: ['url', 'statusCode', 'size', 'durationMs'] },
    ),
  ),
  documents: fc.array(
    fc.record(
      {
        by: fc.constantFrom('fetch' as const, 'browser' as const),
        userAgent: fc.string(),
        url: fc.webUrl(),
        statusCode: fc.option(fc.nat(999)),
        title: fc.option(fc.string()),
        textChars: fc.nat(),
        state: fc.constantFrom('bot-check' as const, 'login' as const),
        reason: fc.string(),
      },
      { requiredKeys: ['by', 'userAgent', 'url', 'statusCode', 'title', 'textChars'] },
    ),
    { maxLength: 2 },
  ),
  choice: fc.string(),
  fields: fc.dictionary(fc.constantFrom('title', 'image', 'logo'), fc.array(candidate(fc.string()))),
  layers: fc.array(
    fc.record({
      element: fc.string(),
      text: fc.string(),
      count: fc.nat(),
      isHidden: fc.boolean(),
      reason: fc.string(),
    }),
  ),
  pending: fc.array(fc.webUrl(), { maxLength: 10 }),
  blocked: fc.record({ count: fc.nat(), urls: fc.array(fc.webUrl(), { maxLength: 10 }) }),
})
const names = fc.stringMatching(/^[\w-]{1,20}$/).filter((name) => name !== '__proto__')
const result = fc.record(
  {
    data: fc.record(
      {
        title: text,
        description: text,
        date: text,
        url: fc.option(fc.webUrl()),
        image: media,
        video: media,
        pages: fc.nat(),
        markdown: pageText,
        text: pageText,
        state: fc.constantFrom('bot-check' as const, 'login' as const),
      },
      { requiredKeys: [] },
    ),
    statusCode: fc.integer({ min: 0, max: 999 }),
    headers: fc.dictionary(names, fc.string()),
    redirects: fc.array(fc.record({ statusCode: fc.constantFrom(301, 302), url: fc.webUrl() })),
    warnings: fc.array(fc.string()),
    fetchMode: fc.constantFrom('fetch' as const, 'prerender' as const, 'skipped' as const),
    isCutShort: fc.boolean(),
    isUnverified: fc.boolean(),
    candidates,
    explanation,
    timings: fc.dictionary(names, fc.double({ min: 0, max: 30_000, noNaN: true })),
  },
  { requiredKeys: ['data', 'statusCode', 'headers', 'redirects', 'warnings', 'fetchMode', 'timings'] },
)
const image = fc
  .record({
    type: fc.constantFrom('jpg' as const, 'png' as const, 'webp' as const, 'avif' as const),
    rest: fc.uint8Array({ maxLength: 200 }),
    palette: fc.option(fc.array(colour), { nil: undefined }),
    area: fc.constantFrom(undefined, { x: -12.5, y: 0, width: 1280, height: 40_000.5 }),
  })
  .map(({ type, rest, palette, area }) => {
    const bytes = Buffer.concat([Buffer.from(IMAGES[type], 'latin1'), rest])
    const size = bytes.byteLength
    const screenshot = { width: 2, height: 3, type, size, size_pretty: `${size} B`, background_color: '#ffffff' }
    return { image: bytes, screenshot: { ...screenshot, ...(palette && { palette }), ...(area && { area }) } }
  })
const side = fc.double({ min: 0, max: 10_000_000, noNaN: true })
const place = fc.double({ min: -10_000_000, max: 10_000_000, noNaN: true }).map((value) => value + 0)
const block = fc.record(
  {
    element: fc.string({ minLength: 1, maxLength: 120 }),
    text: fc.string({ maxLength: 200 }),
    textHash: fc.stringMatching(/^[\da-z]{1,11}$/),
    x: place,
    y: place,
    width: side,
    height: side,
    group: fc.string({ minLength: 1, maxLength: 120 }),
    isForeign: fc.constant(true as const),
  },
  { requiredKeys: ['element', 'text', 'x', 'y', 'width', 'height'] },
)
const extractions: fc.Arbitrary<Extraction> = fc
  .record({
    result,
    shot: fc.option(image),
    blocks: fc.option(fc.array(block, { maxLength: 800 }), { nil: undefined }),
    isOfFile: fc.boolean(),
    subjects: fc.array(fc.webUrl().map((url) => subjectOfUrl(url))),
    allowances: fc.array(fc.constantFrom('10.0.0.1:80', 'intranet:8080')),
  })
  .map(({ result, shot, isOfFile, ...rest }) => ({
    ...rest,
    result: { ...result, ...(shot ? { screenshot: shot.screenshot } : isOfFile && { screenshot: null }) },
    image: shot?.image,
  }))

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const roundTrip = (extraction: Extraction) => decodeExtraction(encodeExtraction(extraction, 12))

describe('an extraction', () => {
  it('is the same on the other side, with its image byte for byte', () => {
    fc.assert(
      fc.property(extractions, (extraction) => {
        const { extraction: received, durationMs } = roundTrip(extraction)
        expect({ ...received, image: undefined }).toEqual({ ...(plain(extraction) as Extraction), image: undefined })
        expect(received.image && Buffer.from(received.image)).toEqual(extraction.image)
        expect(durationMs).toBe(12)
      }),
    )
  })
})

const EXTRACTION: Extraction = {
  result: {
    ...goodResult,
    screenshot: {
      width: 1,
      height: 1,
      type: 'png',
      size: 8,
      size_pretty: '8 B',
      background_color: '#ffffff',
    },
  },
  image: Buffer.from(IMAGES.png, 'latin1'),
  blocks: undefined,
  subjects: [subjectOfUrl('https://example.com/')],
  allowances: [],
}

/** The message of a worker with the fields at some paths replaced; `undefined` removes one. */
function messageWith(changes: Record<string, unknown>): Uint8Array {
  const bytes = encodeExtraction(EXTRACTION, 1)
  const line = JSON.parse(Buffer.from(bytes.subarray(0, bytes.indexOf(0x0a))).toString()) as Fields
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.')
    const parent = names.slice(0, -1).reduce((fields, name) => fields[name] as Fields, line)
    parent[names.at(-1)!] = value
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), EXTRACTION.image!])
}

const candidatesWith = (changes: Fields) => ({
  title: [],
  description: [],
  image: [
    {
      id: '00000000',
      value: 'https://example.com/a.png',
      source: 'meta',
      score: 0,
      reasons: [],
      isSelected: true,
      ...changes,
    },
  ],
})

const blockWith = (changes: Fields) => ({ element: 'p', text: '', x: 0, y: 0, width: 1, height: 1, ...changes })

type Fields = { [name: string]: unknown }

describe('what a worker must not send', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a link that runs a script', { 'result.data.url': 'javascript:alert(1)' }],
    ['an image that runs a script', { 'result.data.image': { url: 'javascript:alert(1)' } }],
    ['an object as title', { 'result.data.title': { toString: 'x' } }],
    ['a header of another type', { 'result.headers': { a: 1 } }],
    ['a timing that ends its header', { 'result.timings': { 'a\r\nset-cookie: b': 1 } }],
    ['a time that is no number', { 'result.timings': { load: '1' } }],
    ['a colour that ends its style', { 'result.screenshot.background_color': 'red;}' }],
    ['a place that is no number', { 'result.screenshot.area': { x: '0', y: 0, width: 1, height: 1 } }],
    ['a redirect to a file', { 'result.redirects': [{ statusCode: 301, url: 'file:///etc/passwd' }] }],
    ['a state that no page has', { 'result.data.state': 'fine' }],
    ['a status of another type', { 'result.statusCode': '200' }],
    ['an image of a type that is not served', { 'result.screenshot.type': 'svg' }],
    ['an image of another type than it says', { 'result.screenshot.type': 'jpg' }],
    ['an image that is shorter than it says', { 'result.screenshot.size': 9 }],
    ['an image without its description', { 'result.screenshot': undefined }],
    ['a block at no place', { blocks: [blockWith({ x: null })] }],
    ['a block at a place without end', { blocks: [blockWith({ y: 1e9 })] }],
    ['a block that is smaller than nothing', { blocks: [blockWith({ width: -1 })] }],
    ['a block without an element', { blocks: [blockWith({ element: undefined })] }],
    ['a block with another hash', { blocks: [blockWith({ textHash: '<b>' })] }],
    ['a block that is foreign by halves', { blocks: [blockWith({ isForeign: 'yes' })] }],
    ['blocks that are no list', { blocks: {} }],
    ['a subject that is none', { subjects: ['example.com'] }],
    ['a candidate that runs a script', { 'result.candidates': candidatesWith({ value: 'javascript:alert(1)' }) }],
    ['a candidate without an id', { 'result.candidates': candidatesWith({ id: '../' }) }],
    ['an explanation of another type', { 'result.explanation': 'because' }],
    ['no result', { result: undefined }],
    ['a list instead of a result', { result: [] }],
    ['no version', { version: undefined }],
    ['a version that is far ahead', { version: VERSION + 2 }],
  ])('%s', (_, changes) => {
    expect(() => decodeExtraction(messageWith(changes))).toThrow(InvalidMessageError)
  })

  it.each([
    ['nothing', Buffer.of()],
    ['a line without end', Buffer.from('{"version":1}')],
    ['no JSON', Buffer.from('<html>\n')],
    ['an endless line', Buffer.alloc(3_000_000, 0x20)],
  ])('%s', (_, bytes) => expect(() => decodeExtraction(bytes)).toThrow(InvalidMessageError))
})

const repeat = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value)

it('keeps no more of a long explanation than a worker of this version sends', () => {
  const long = 'x'.repeat(800)
  const other = {
    id: '00000000',
    value: long,
    source: long,
    score: 1,
    reasons: repeat(12, long),
    isSelected: false,
  }
  const request = { url: long, statusCode: 200, size: null, durationMs: 1 }
  const explanation = {
    requests: repeat(60, request),
    documents: [],
    choice: long,
    fields: { title: repeat(60, other) },
    layers: repeat(60, { element: long, text: long, count: 1, isHidden: true, reason: long }),
    pending: repeat(60, long),
    blocked: { count: 1, urls: repeat(60, long) },
  }
  const { extraction } = decodeExtraction(messageWith({ 'result.explanation': explanation }))
  expect(JSON.stringify(extraction.result.explanation).length).toBeLessThan(100_000)
})

it('has room for as many blocks as a page may have, and keeps no more', () => {
  const long = { element: 'x'.repeat(120), text: '文'.repeat(200), textHash: 'h'.repeat(11), group: 'g'.repeat(120) }
  const place = { x: 1_234.567_891_234, y: 1_234.567_891_234, width: 1_234.567_891_234, height: 1_234.567_891_234 }
  const blocks = repeat(800, { ...long, ...place })
  expect(decodeExtraction(messageWith({ blocks })).extraction.blocks).toEqual(blocks)
  expect(JSON.stringify(blocks).length * 3).toBeLessThan(2_000_000)
  const longer = repeat(900, { ...place, element: 'x'.repeat(300), text: 'y'.repeat(300) })
  const received = decodeExtraction(messageWith({ blocks: longer })).extraction.blocks!
  expect(received).toEqual(repeat(800, { ...place, element: 'x'.repeat(120), text: 'y'.repeat(200) }))
})

describe('a neighbouring version', () => {
  it.each([VERSION - 1, VERSION + 1])(
    'is understood without its optional fields and with unknown ones: %i',
    (version) => {
      const unknown = { isNew: true, 'result.data.mood': 'new', 'result.isNew': { deep: true } }
      const message = messageWith({ ...unknown, version, durationMs: undefined })
      const { extraction, durationMs } = decodeExtraction(message)
      expect({ ...extraction, image: undefined }).toEqual({ ...EXTRACTION, image: undefined })
      expect(durationMs).toBeUndefined()
    },
  )

  it.each([VERSION - 1, VERSION + 1])('may send a request: %i', (version) => {
    const body = JSON.stringify({ version, query: 'url=https://example.com/', timeoutMs: 1, isNew: true })
    expect(decodeRequest(body, new Headers()).query.url).toBe('https://example.com/')
  })
})

describe('a request', () => {
  it('carries what a page is extracted for, and nothing that delivers its result', () => {
    const url = 'https://example.com/a?b#c'
    const sent = { url, screenshot: true, 'screenshot.type': 'png', 'headers.cookie': 'a=b', timeout: '5s' }
    const delivery = {
      embed: 'screenshot.url',
      ttl: '2h',
      force: true,
      keyId: 'k',
      signature: 's',
      expires: 9,
      filter: 'a',
    }
    const allowedHosts = parseHostList(['example.com', '*.example.com'])
    const scope = requestScope({ ...sent, ...delivery }, { allowedHosts, hasPriority: true })
    const { headers, body } = encodeRequest(scope, { client: 'a key', hasPriority: true }, SECRET)
    const received = decodeRequest(body, new Headers(headers))
    const { query } = parseQuery({ url, screenshot: { type: 'png' }, headers: { cookie: 'a=b' } })
    expect(received).toMatchObject({ query, timeoutMs: 5_000, hasPriority: true })
    expect(received.allowedHosts!.text).toBe('example.com,*.example.com')
    expect(received.allowedHosts!.allows('https://a.example.com/')).toBe(true)
    expect(received.allowedHosts!.allows('https://example.org/')).toBe(false)
    expect(JSON.stringify({ ...headers, authorization: '' }) + body).not.toMatch(/signature|keyId|a key|shared/)
  })

  it('says how far the clock of the page is ahead, if it is', () => {
    const requestAhead = (clockAheadMs: number | undefined) => {
      const scope = requestScope({ url: 'https://example.com/' }, { clockAheadMs })
      const { headers, body } = encodeRequest(scope, { client: 'a' }, SECRET)
      return decodeRequest(body, new Headers(headers))
    }
    expect(requestAhead(4_271_000).clockAheadMs).toBe(4_271_000)
    expect(requestAhead(undefined)).not.toHaveProperty('clockAheadMs')
    for (const wrong of ['-1', '1e12', '1e999', '"1"', 'null']) {
      const body = JSON.stringify({ version: VERSION, query: 'url=https://example.com/', timeoutMs: 1 })
      const sent = body.replace('}', `,"clockAheadMs":${wrong}}`)
      expect(() => decodeRequest(sent, new Headers())).toThrow(InvalidMessageError)
    }
  })

  it('is at hosts that both of two lists allow', () => {
    const text = 'a.example,b.example b.example,c.example'
    const allowedHosts = { text, allows: () => true }
    const { headers, body } = encodeRequest(
      requestScope({ url: 'https://b.example/' }, { allowedHosts }),
      { client: 'a' },
      SECRET,
    )
    const hosts = decodeRequest(body, new Headers(headers)).allowedHosts!
    expect(['a', 'b', 'c'].map((name) => hosts.allows(`https://${name}.example/`))).toEqual([false, true, false])
  })

  it.each([
    { waiter: { client: 'key', hasPriority: true }, class: 'pro', isBackground: false },
    { waiter: { client: '192.0.2.1' }, class: 'free', isBackground: false },
    { waiter: { client: BACKGROUND }, class: 'background', isBackground: true },
  ])('has the class of who waits for it: $class', ({ waiter, isBackground, ...expected }) => {
    const { headers, body } = encodeRequest(requestScope({ url: 'https://example.com/' }), waiter, SECRET)
    expect(headers['x-class']).toBe(expected.class)
    const { client, hasPriority } = decodeRequest(body, new Headers(headers))
    expect({ isBackground: client === BACKGROUND, hasPriority }).toEqual({
      isBackground,
      hasPriority: expected.class === 'pro',
    })
  })

  it('names its client and its host by hashes that the secret keys', () => {
    const headersOf = (client: string, url: string, secret = SECRET) =>
      encodeRequest(requestScope({ url }), { client }, secret).headers
    const one = headersOf('192.0.2.1', 'https://example.com/a')
    expect(headersOf('192.0.2.1', 'https://example.com/b')).toEqual(one)
    expect(headersOf('192.0.2.2', 'https://example.com/a')['x-client']).not.toBe(one['x-client'])
    expect(headersOf('192.0.2.1', 'https://example.org/')['x-target']).not.toBe(one['x-target'])
    expect(headersOf('192.0.2.1', 'https://example.com/', `${SECRET}.`)['x-target']).not.toBe(one['x-target'])
  })
})

describe('an error of a worker', () => {
  it.each<{ error: PageError; what: string }>([
    { error: new PageError('EUNREACHABLE', 'Refused.'), what: 'of the page' },
    {
      error: new PageError('ETIMEOUT', 'Late.', { cause: new TransientError('A name server.') }),
      what: 'not of the page',
    },
    { error: new PageError('EBUSY', 'Full.', { retryAfterMs: 4_000 }), what: 'of a full queue' },
    { error: new PageError('EBRWSRTIMEOUT', 'Not opened.'), what: 'before the page was opened' },
    {
      error: new PageError('EBRWSRTIMEOUT', 'Late.', { cause: new PageError('ETIMEOUT', 'Late.') }),
      what: 'after the page was opened',
    },
    { error: new PageError('EELEMENT', 'Missing.', { data: { element: 'missing' } }), what: 'with a reason' },
    { error: new PageError('EFATAL', 'Crashed.'), what: 'of the browser' },
  ])('is cached, refunded and reported as here: $what', ({ error }) => {
    const { status, body } = encodeFailure(error)
    const received = decodeFailure(Buffer.from(body))
    expect(status).toBe(error.status)
    const { code, message, data, retryAfterMs } = received
    expect({ code, message, data, retryAfterMs }).toEqual({
      code: error.code,
      message: error.message,
      data: error.data,
      retryAfterMs: error.retryAfterMs,
    })
    expect(isDueToPage(received)).toBe(isDueToPage(error))
    expect(wasNotStarted(received)).toBe(wasNotStarted(error))
  })

  it('says nothing of an unexpected one', () => {
    expect(encodeFailure(new TypeError('a secret detail')).body).not.toContain('secret detail')
  })

  it.each<ErrorCode>(['EAUTH', 'ERATE', 'EFATALCLIENT'])('is not %s, which is not for a worker to say', (code) => {
    const { body } = encodeFailure(new PageError(code, 'No.'))
    expect(() => decodeFailure(Buffer.from(body))).toThrow(InvalidMessageError)
  })

  it.each(['', '<html>503 Service Unavailable</html>', '{}', '[1]', '{"version":1,"code":"EBUSY"}'])(
    'is not what a balancer responds: %s',
    (body) => expect(() => decodeFailure(Buffer.from(body))).toThrow(InvalidMessageError),
  )
})
