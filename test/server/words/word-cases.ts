import { expect } from 'vitest'
import type { ParameterName } from '../../../src/query/index.js'
import { isLike } from '../browser/pixels.js'
import type { WordCase } from './word-case.js'

const RED = [255, 0, 0]
const GREEN = [0, 192, 0]
const BLUE = [0, 0, 255]
/** Small, so that pictures are. */
const SMALL = { 'viewport.width': '100', 'viewport.height': '60', 'viewport.deviceScaleFactor': '1' }
const PROBE = { ...SMALL, element: '#probe', 'screenshot.type': 'png' }
const expectColour = (found: number[], expected: number[]) => expect(isLike(found, expected), String(found)).toBe(true)
const NO_BOOLEAN = ['maybe', '1', 'null']

/** On the page that says what it was told of its surroundings. */
const mirrored = (
  value: string,
  other: string,
  shown: string,
  more: Pick<WordCase, 'refused'> & Partial<WordCase>,
): WordCase => ({
  path: '/mirror',
  values: [value, other],
  effect: (told) => {
    expect(told.header('x-fetch-mode')).toBe('prerender')
    expect(told.title!.split(' ')).toContain(shown)
  },
  ...more,
})

const giving: Partial<Record<ParameterName, WordCase>> = {
  embed: {
    path: '/painted',
    values: ['title', 'description'],
    effect: (told) =>
      expect([told.header('content-type'), String(told.bytes)]).toEqual(['text/plain; charset=utf-8', 'Painted']),
    refused: [],
  },
  filter: {
    path: '/painted',
    values: ['title,lang', 'title'],
    effect: ({ data }) => expect(data).toEqual({ title: 'Painted', lang: 'en' }),
    refused: [',', ' ', ''],
  },
  timeout: {
    path: '/never',
    values: ['300ms', '400'],
    effect: ({ status, bytes }) =>
      expect([status, JSON.parse(String(bytes))]).toMatchObject([504, { code: 'ETIMEOUT' }]),
    refused: ['29s', 'soon', '-1', ''],
  },
  ttl: {
    path: '/painted',
    values: ['90s', '2h'],
    effect: (told) => expect(told.header('x-cache-ttl')).toBe('90000'),
    refused: ['59s', '32d', '5', 'for ever', ''],
    code: 'EINVALTTL',
  },
  staleTtl: {
    path: '/painted',
    values: ['0', '1h'],
    isSecond: true,
    effect: (told) => expect(told.header('x-cache-status')).toBe('STALE'),
    refused: ['32d', '25h', 'true', '-1'],
    code: 'EINVALSTTL',
  },
  force: {
    path: '/painted',
    values: ['true', 'false'],
    isSecond: true,
    effect: (told) => expect(told.header('x-cache-status')).toBe('BYPASS'),
    refused: NO_BOOLEAN,
  },
  expires: signed(['0', '-1', 'tomorrow', '1.5', '99999999999', '']),
  keyId: signed(['']),
  signature: signed(['']),
}

function signed(refused: string[]): WordCase {
  return {
    path: '/painted',
    values: ['1', '2'],
    isSigned: true,
    effect: (told) => expect([told.status, told.header('x-pricing-plan')]).toEqual([200, 'pro']),
    refused,
  }
}

const reading: Partial<Record<ParameterName, WordCase>> = {
  url: {
    path: '/painted?of=url',
    values: ['', ''],
    effect: (told) => expect(told.data).toMatchObject({ title: 'Painted', url: expect.stringContaining('?of=url') }),
    refused: [
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
    refused: ['a\nb', 'a\0b'],
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
    refused: NO_BOOLEAN,
  },
  meta: {
    path: '/media',
    values: ['false', 'true'],
    effect: (told) => expect([told.data, told.header('x-fetch-mode')]).toEqual([{}, 'skipped']),
    refused: NO_BOOLEAN,
  },
  palette: {
    path: '/media',
    values: ['true', 'false'],
    effect: ({ data }) => expect(data.image!.palette).toEqual(['#ff0000']),
    refused: NO_BOOLEAN,
  },
}

const picturing: Partial<Record<ParameterName, WordCase>> = {
  screenshot: {
    path: '/painted',
    values: ['true', 'false'],
    with: SMALL,
    effect: async (told) => expect(await told.pictureSize()).toEqual({ width: 100, height: 60, format: 'jpeg' }),
    refused: NO_BOOLEAN,
  },
  element: {
    path: '/painted',
    values: ['#probe', '#bottom'],
    with: { ...SMALL, 'screenshot.type': 'png' },
    effect: async (told) => {
      expect(await told.pictureSize()).toEqual({ width: 40, height: 20, format: 'png' })
      expectColour(await told.pixel(20, 10), GREEN)
    },
    refused: ['', '..x'],
  },
  'overlay.browser': {
    path: '/painted',
    values: ['light', 'dark'],
    with: PROBE,
    effect: async (told) => expect((await told.pictureSize()).height).toBeGreaterThan(40),
    refused: ['blue', '', 'true'],
  },
  'overlay.background': {
    path: '/painted',
    values: ['#ff0000', 'linear-gradient(red, blue)'],
    with: PROBE,
    effect: async (told) => expectColour(await told.pixel(1, 1), RED),
    refused: [''],
  },
  'screenshot.fullPage': {
    path: '/painted',
    values: ['true', 'false'],
    with: { ...SMALL, 'screenshot.type': 'png' },
    effect: async (told) => expect((await told.pictureSize()).height).toBe(340),
    refused: NO_BOOLEAN,
  },
  'screenshot.type': {
    path: '/painted',
    values: ['webp', 'avif'],
    with: SMALL,
    effect: async (told) => expect((await told.pictureSize()).format).toBe('webp'),
    refused: ['gif', 'jpeg', '', 'true'],
  },
  'screenshot.quality': {
    path: '/noise',
    values: ['5', '100'],
    with: SMALL,
    // 60 % of the colours of so much noise cannot be in so few bytes.
    effect: ({ data }) => expect(data.screenshot!.size).toBeLessThan(4_000),
    refused: ['0', '101', '50.5', 'high', ''],
  },
  'screenshot.omitBackground': {
    path: '/painted',
    values: ['true', 'false'],
    with: { ...PROBE, styles: 'html{background:transparent!important}' },
    effect: async (told) => expect((await told.pixel(0, 0))[3]).toBe(0),
    refused: NO_BOOLEAN,
  },
  scroll: {
    path: '/painted',
    values: ['#bottom', '#probe'],
    with: { ...SMALL, screenshot: 'true' },
    effect: async (told) => expectColour(await told.pixel(50, -5), BLUE),
    refused: ['', '..x'],
  },
  styles: {
    path: '/painted',
    values: ['#probe{background:#ff0000!important}', '#probe{background:#00f!important}'],
    with: PROBE,
    effect: async (told) => expectColour(await told.pixel(20, 10), RED),
    refused: [''],
  },
  animations: mirrored('true', 'false', 'calm=false', { refused: NO_BOOLEAN }),
}

const showing: Partial<Record<ParameterName, WordCase>> = {
  device: mirrored('iPhone 6', 'iPad Pro', 'screen=375x667', { refused: ['', 'Toaster'] }),
  'viewport.width': mirrored('432', '433', 'w=432', { refused: ['0', '10001', '1.5', 'wide', ''] }),
  'viewport.height': mirrored('321', '322', 'h=321', { refused: ['0', '10001', '1.5', 'high', ''] }),
  'viewport.deviceScaleFactor': mirrored('1.5', '3', 'dpr=1.5', { refused: ['0', '5.1', 'two', ''] }),
  'viewport.isMobile': mirrored('true', 'false', 'w=980', { refused: NO_BOOLEAN, with: { 'viewport.width': '400' } }),
  'viewport.hasTouch': mirrored('true', 'false', 'touch=5', { refused: NO_BOOLEAN }),
  'viewport.isLandscape': mirrored('true', 'false', 'screen=667x375', {
    refused: NO_BOOLEAN,
    with: { device: 'iPhone 6' },
  }),
  colorScheme: mirrored('dark', 'light', 'dark=true', { refused: ['red', '', 'true'] }),
  mediaType: mirrored('print', 'screen', 'print=true', { refused: ['tv', '', 'true'] }),
  javascript: {
    path: '/mirror',
    values: ['false', 'true'],
    effect: (told) => expect([told.title, told.header('x-fetch-mode')]).toEqual(['Shell', 'fetch']),
    refused: NO_BOOLEAN,
  },
  adblock: {
    path: '/advertised',
    values: ['false', 'true'],
    effect: ({ title }) => expect(title).toBe('Advertised'),
    refused: NO_BOOLEAN,
  },
  waitUntil: {
    path: '/slow-frame',
    values: ['domcontentloaded', 'load'],
    effect: ({ title }) => expect(title).toBe('there'),
    refused: ['never', '', 'true'],
  },
  waitForSelector: {
    path: '/growing',
    values: ['#late', 'body'],
    effect: ({ title }) => expect(title).toBe('Grown'),
    refused: ['', '..x'],
  },
  waitForTimeout: {
    path: '/growing',
    values: ['600ms', '0'],
    effect: ({ title }) => expect(title).toBe('Grown'),
    refused: ['29s', 'soon', '-1', ''],
  },
  click: {
    path: '/buttons',
    values: ['#a', '#b'],
    effect: ({ title }) => expect(title).toBe('first'),
    refused: ['', '..x'],
  },
}

/** A case for each word of the language. */
export const wordCases: Partial<Record<ParameterName, WordCase>> = { ...reading, ...picturing, ...showing, ...giving }
