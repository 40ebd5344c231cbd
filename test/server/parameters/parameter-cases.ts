import { expect } from 'vitest'
import type { ParameterName } from '../../../src/query/index.js'
import { candidateId } from '../../../src/server/explainer.js'
import { isLike } from '../browser/pixels.js'
import type { ParameterCase } from './parameter-case.js'

const RED = [255, 0, 0]
const GREEN = [0, 192, 0]
const BLUE = [0, 0, 255]
/** Keeps screenshots small, so that the tests are fast. */
const SMALL = { 'viewport.width': '100', 'viewport.height': '60', 'viewport.deviceScaleFactor': '1' }
const PROBE = { ...SMALL, element: '#probe', 'screenshot.type': 'png' }
const expectColour = (actual: number[], expected: number[]) =>
  expect(isLike(actual, expected), String(actual)).toBe(true)
const NOT_BOOLEAN = ['maybe', '1', 'null']

/** A case on the page whose title lists what it observes of its environment. */
const mirrored = (
  value: string,
  other: string,
  observed: string,
  more: Pick<ParameterCase, 'invalidValues'> & Partial<ParameterCase>,
): ParameterCase => ({
  path: '/mirror',
  values: [value, other],
  effect: (response) => {
    expect(response.header('x-fetch-mode')).toBe('prerender')
    expect(response.title!.split(' ')).toContain(observed)
  },
  ...more,
})

const deliveryCases: Partial<Record<ParameterName, ParameterCase>> = {
  embed: {
    path: '/painted',
    values: ['title', 'description'],
    effect: (response) =>
      expect([response.header('content-type'), String(response.bytes)]).toEqual([
        'text/plain; charset=utf-8',
        'Painted',
      ]),
    invalidValues: [],
  },
  'variant.width': {
    path: '/painted',
    values: ['320', '640'],
    with: { screenshot: 'true', embed: 'screenshot.url' },
    effect: (response) => expect(response.header('x-image-width')).toBe('320'),
    invalidValues: ['321', '0', 'wide', ''],
  },
  'variant.maxSide': {
    path: '/painted',
    values: ['256', '512'],
    with: { screenshot: 'true', embed: 'screenshot.url' },
    effect: (response) =>
      expect([response.header('x-image-width'), response.header('x-image-height')]).toEqual(['256', '160']),
    invalidValues: ['15', '65501', '-1', '1e3', '512.5', 'wide', ''],
  },
  'variant.maxBytes': {
    path: '/painted',
    values: ['4000', '8000'],
    with: { screenshot: 'true', embed: 'screenshot.url', 'screenshot.type': 'png' },
    effect: ({ bytes }) => expect(bytes.byteLength).toBeLessThanOrEqual(4_000),
    invalidValues: ['1999', '25000001', '-1', '1e6', '1MB', ''],
  },
  'variant.tiles': {
    path: '/painted',
    values: ['true', 'false'],
    with: { screenshot: 'true' },
    effect: (response) => expect(response.data.screenshot!.tiles).toHaveLength(4),
    invalidValues: NOT_BOOLEAN,
  },
  'variant.type': {
    path: '/painted',
    values: ['webp', 'png'],
    with: { ...SMALL, screenshot: 'true', embed: 'screenshot.url' },
    effect: (response) => expect(response.header('content-type')).toBe('image/webp'),
    invalidValues: ['gif', 'WEBP', ''],
  },
  filter: {
    path: '/painted',
    values: ['title,lang', 'title'],
    effect: ({ data }) => expect(data).toEqual({ title: 'Painted', lang: 'en' }),
    invalidValues: [',', ' ', ''],
  },
  timeout: {
    path: '/never',
    values: ['300ms', '400'],
    effect: ({ status, bytes }) =>
      expect([status, JSON.parse(String(bytes))]).toMatchObject([504, { code: 'ETIMEOUT' }]),
    invalidValues: ['29s', 'soon', '-1', ''],
  },
  ttl: {
    path: '/painted',
    values: ['90s', '2h'],
    effect: (response) => expect(response.header('x-cache-ttl')).toBe('90000'),
    invalidValues: ['59s', '32d', '5', 'for ever', ''],
    code: 'EINVALTTL',
  },
  staleTtl: {
    path: '/painted',
    values: ['0', '1h'],
    isSecond: true,
    effect: (response) => expect(response.header('x-cache-status')).toBe('STALE'),
    invalidValues: ['32d', '25h', 'true', '-1'],
    code: 'EINVALSTTL',
  },
  force: {
    path: '/painted',
    values: ['true', 'false'],
    isSecond: true,
    effect: (response) => expect(response.header('x-cache-status')).toBe('BYPASS'),
    invalidValues: NOT_BOOLEAN,
  },
  expires: signedCase(['0', '-1', 'tomorrow', '1.5', '99999999999', '']),
  keyId: signedCase(['']),
  signature: signedCase(['']),
}

function signedCase(invalidValues: string[]): ParameterCase {
  return {
    path: '/painted',
    values: ['1', '2'],
    isSigned: true,
    effect: (response) => expect([response.status, response.header('x-pricing-plan')]).toEqual([200, 'pro']),
    invalidValues,
  }
}

const extractionCases: Partial<Record<ParameterName, ParameterCase>> = {
  url: {
    path: '/painted?of=url',
    values: ['', ''],
    effect: (response) =>
      expect(response.data).toMatchObject({ title: 'Painted', url: expect.stringContaining('?of=url') }),
    invalidValues: [
      '',
      'example.com',
      '/path',
      'ftp://example.com/',
      'https://me:secret@example.com/',
      'javascript:1',
      `http://a.test/${'a'.repeat(8_192)}`,
      'http://no-such-host.invalid/',
    ],
    code: 'EINVALURL',
  },
  headers: {
    name: 'headers.x-probe',
    path: '/echo',
    values: ['here', 'there'],
    effect: ({ title }) => expect(title).toBe('x-probe: here'),
    invalidValues: ['a\nb', 'a\0b'],
    code: 'EHEADERS',
  },
  ping: {
    path: '/media',
    values: ['false', 'true'],
    effect: ({ data, visits }) => {
      expect(data).toMatchObject({
        image: { type: null, width: null },
        audio: { url: expect.stringMatching(/dead\.mp3$/) },
      })
      expect(visits()).toHaveLength(1)
    },
    invalidValues: NOT_BOOLEAN,
  },
  meta: {
    path: '/media',
    values: ['false', 'true'],
    effect: (response) => expect([response.data, response.header('x-fetch-mode')]).toEqual([{}, 'skipped']),
    invalidValues: NOT_BOOLEAN,
  },
  palette: {
    path: '/media',
    values: ['true', 'false'],
    effect: ({ data }) => expect(data.image!.palette).toEqual(['#ff0000']),
    invalidValues: NOT_BOOLEAN,
  },
  'title.pick': {
    path: '/choices',
    values: [candidateId('Another title'), candidateId('The best title')],
    effect: ({ body }) => expect([body.data.title, body.warnings]).toEqual(['Another title', undefined]),
    invalidValues: ['', 'true', 'Another title', '8F3A01C7', '8f3a01c', '8f3a01c71'],
  },
  'image.pick': {
    path: '/choices',
    values: ['00000000', '00000001'],
    effect: ({ body }) =>
      expect([body.data.image!.url, body.warnings]).toEqual([
        expect.stringMatching(/red\.png$/),
        ['image.pick: the image with the id 00000000 is not on the page; the result has the best image instead.'],
      ]),
    invalidValues: ['', 'true', '/blue.png', '8F3A01C7', '8f3a01c', '8f3a01c71'],
  },
  candidates: {
    path: '/choices',
    values: ['true', 'false'],
    effect: ({ body: { candidates } }) => {
      expect(candidates!.title.map(({ value }) => value)).toEqual(['The best title', 'Choices', 'Another title'])
      expect(candidates!.image.map(({ isSelected, width, problem }) => [isSelected, width, problem])).toEqual([
        [true, 64, undefined],
        [false, undefined, 'responded with status 404'],
        [false, 64, undefined],
      ])
    },
    invalidValues: NOT_BOOLEAN,
  },
  history: {
    path: '/text',
    values: ['2', '1'],
    effect: ({ data }) =>
      expect(data.history).toMatchObject({
        versions: [{ title: 'Text', screenshot: { url: data.screenshot!.url }, changes: [] }],
        ignored: [],
      }),
    invalidValues: ['0', '21', '1.5', 'all', ''],
  },
  markdown: {
    path: '/text',
    values: ['true', 'false'],
    effect: ({ data }) =>
      expect(data.markdown).toEqual({
        untrustedContent: '# Text\n\nShown **here**.',
        omittedCharacters: 6,
        isTruncated: false,
      }),
    invalidValues: NOT_BOOLEAN,
  },
  text: {
    path: '/text',
    values: ['true', 'false'],
    effect: ({ data }) =>
      expect(data.text).toEqual({ untrustedContent: 'Text\n\nShown here.', omittedCharacters: 6, isTruncated: false }),
    invalidValues: NOT_BOOLEAN,
  },
  explain: {
    path: '/choices',
    values: ['true', 'false'],
    effect: ({ body: { explanation } }) => {
      expect(explanation!.requests).toMatchObject([{ statusCode: 200, size: expect.any(Number) }])
      expect(explanation!.documents).toMatchObject([{ by: 'fetch', title: 'Choices' }])
      expect(explanation!.fields.title).toMatchObject([{ source: 'meta og:title', isSelected: true }, {}, {}])
    },
    invalidValues: NOT_BOOLEAN,
  },
}

const screenshotCases: Partial<Record<ParameterName, ParameterCase>> = {
  screenshot: {
    path: '/painted',
    values: ['true', 'false'],
    with: SMALL,
    effect: async (response) =>
      expect(await response.screenshotSize()).toEqual({ width: 100, height: 60, format: 'jpeg' }),
    invalidValues: NOT_BOOLEAN,
  },
  element: {
    path: '/painted',
    values: ['#probe', '#bottom'],
    with: { ...SMALL, 'screenshot.type': 'png' },
    effect: async (response) => {
      expect(await response.screenshotSize()).toEqual({ width: 40, height: 20, format: 'png' })
      expectColour(await response.pixel(20, 10), GREEN)
    },
    invalidValues: ['', '..x'],
  },
  'overlay.browser': {
    path: '/painted',
    values: ['light', 'dark'],
    with: PROBE,
    effect: async (response) => expect((await response.screenshotSize()).height).toBeGreaterThan(40),
    invalidValues: ['blue', '', 'true'],
  },
  'overlay.background': {
    path: '/painted',
    values: ['#ff0000', 'linear-gradient(red, blue)'],
    with: PROBE,
    effect: async (response) => expectColour(await response.pixel(1, 1), RED),
    invalidValues: [''],
  },
  'screenshot.clip': {
    path: '/painted',
    values: ['30,10,20,20', '0,320,30,20'],
    with: { ...SMALL, 'screenshot.type': 'png' },
    effect: async (response) => {
      expect(await response.screenshotSize()).toEqual({ width: 20, height: 20, format: 'png' })
      expectColour(await response.pixel(3, 3), GREEN)
      expectColour(await response.pixel(15, 15), [255, 255, 255])
    },
    invalidValues: ['', 'true', '0,0,10', '0,0,10,10,10', '-1,0,10,10', '0,0,0,10', '0,0,10,1e9', '0,400,10,10'],
  },
  'screenshot.padding': {
    path: '/painted',
    values: ['10', '20'],
    with: { ...PROBE, element: '#bottom' },
    // The document ends below the element and to its left.
    effect: async (response) => {
      expect(await response.screenshotSize()).toEqual({ width: 200, height: 30, format: 'png' })
      expectColour(await response.pixel(0, 15), BLUE)
    },
    invalidValues: ['-1', '501', '1.5', 'wide', ''],
  },
  'screenshot.fullPage': {
    path: '/painted',
    values: ['true', 'false'],
    with: { ...SMALL, 'screenshot.type': 'png' },
    effect: async (response) => expect((await response.screenshotSize()).height).toBe(340),
    invalidValues: NOT_BOOLEAN,
  },
  'screenshot.type': {
    path: '/painted',
    values: ['webp', 'avif'],
    with: SMALL,
    effect: async (response) => expect((await response.screenshotSize()).format).toBe('webp'),
    invalidValues: ['gif', 'jpeg', '', 'true'],
  },
  'screenshot.quality': {
    path: '/noise',
    values: ['5', '100'],
    with: SMALL,
    // At the default quality, so much noise needs more bytes.
    effect: ({ data }) => expect(data.screenshot!.size).toBeLessThan(4_000),
    invalidValues: ['0', '101', '50.5', 'high', ''],
  },
  'screenshot.omitBackground': {
    path: '/painted',
    values: ['true', 'false'],
    with: { ...PROBE, styles: 'html{background:transparent!important}' },
    effect: async (response) => expect((await response.pixel(0, 0))[3]).toBe(0),
    invalidValues: NOT_BOOLEAN,
  },
  scroll: {
    path: '/painted',
    values: ['#bottom', '#probe'],
    with: { ...SMALL, screenshot: 'true' },
    effect: async (response) => expectColour(await response.pixel(50, -5), BLUE),
    invalidValues: ['', '..x'],
  },
  styles: {
    path: '/painted',
    values: ['#probe{background:#ff0000!important}', '#probe{background:#00f!important}'],
    with: PROBE,
    effect: async (response) => expectColour(await response.pixel(20, 10), RED),
    invalidValues: [''],
  },
  animations: mirrored('true', 'false', 'reducedMotion=false', { invalidValues: NOT_BOOLEAN }),
}

const renderingCases: Partial<Record<ParameterName, ParameterCase>> = {
  device: mirrored('iPhone 6', 'iPad Pro', 'screen=375x667', { invalidValues: ['', 'Toaster'] }),
  'viewport.width': mirrored('432', '433', 'w=432', { invalidValues: ['0', '10001', '1.5', 'wide', ''] }),
  'viewport.height': mirrored('321', '322', 'h=321', { invalidValues: ['0', '10001', '1.5', 'high', ''] }),
  'viewport.deviceScaleFactor': mirrored('1.5', '3', 'dpr=1.5', { invalidValues: ['0', '5.1', 'two', ''] }),
  'viewport.isMobile': mirrored('true', 'false', 'w=980', {
    invalidValues: NOT_BOOLEAN,
    with: { 'viewport.width': '400' },
  }),
  'viewport.hasTouch': mirrored('true', 'false', 'touch=5', { invalidValues: NOT_BOOLEAN }),
  'viewport.isLandscape': mirrored('true', 'false', 'screen=667x375', {
    invalidValues: NOT_BOOLEAN,
    with: { device: 'iPhone 6' },
  }),
  colorScheme: mirrored('dark', 'light', 'dark=true', { invalidValues: ['red', '', 'true'] }),
  locale: mirrored('de-at', 'fr', 'language=de-AT,de', {
    invalidValues: ['', 'de_AT', 'german-', 'd', 'abcd', 'de AT'],
  }),
  timezone: mirrored('asia/tokyo', 'Europe/Vienna', 'zone=Asia/Tokyo', {
    invalidValues: ['', 'Mars/Olympus', '+02:00', '2', 'Europe/Vienna '],
  }),
  geolocation: {
    path: '/position',
    values: ['48.2082,16.3738', '1,2'],
    effect: ({ title }) => expect(title).toBe('48.2082 16.3738'),
    invalidValues: ['', '48.2', '91,0', '0,181', '1,2,3', 'north,east', '1.2.3,4'],
  },
  mediaType: mirrored('print', 'screen', 'print=true', { invalidValues: ['tv', '', 'true'] }),
  javascript: {
    path: '/mirror',
    values: ['false', 'true'],
    effect: (response) => expect([response.title, response.header('x-fetch-mode')]).toEqual(['Shell', 'fetch']),
    invalidValues: NOT_BOOLEAN,
  },
  adblock: {
    path: '/advertised',
    values: ['false', 'true'],
    effect: ({ title }) => expect(title).toBe('Advertised'),
    invalidValues: NOT_BOOLEAN,
  },
  waitUntil: {
    path: '/slow-frame',
    values: ['domcontentloaded', 'load'],
    effect: ({ title }) => expect(title).toBe('there'),
    invalidValues: ['never', '', 'true'],
  },
  waitForSelector: {
    path: '/growing',
    values: ['#late', 'body'],
    effect: ({ title }) => expect(title).toBe('Grown'),
    invalidValues: ['', '..x'],
  },
  waitForTimeout: {
    path: '/growing',
    values: ['600ms', '0'],
    effect: ({ title }) => expect(title).toBe('Grown'),
    invalidValues: ['29s', 'soon', '-1', ''],
  },
  click: {
    path: '/buttons',
    values: ['#a', '#b'],
    effect: ({ title }) => expect(title).toBe('first'),
    invalidValues: ['', '..x'],
  },
}

/** A case for each parameter of the query language. */
export const parameterCases: Partial<Record<ParameterName, ParameterCase>> = {
  ...extractionCases,
  ...screenshotCases,
  ...renderingCases,
  ...deliveryCases,
}
