import { freezeHtml, type FreezeHtmlOptions, type FrozenPreview } from '../../../src/static/freeze/index.js'
import type { PageData, Screenshot } from '../../../src/query/index.js'

export const SCREENSHOT: Screenshot = {
  url: `https://service.test/images/${'a1'.repeat(32)}.jpg`,
  width: 2560,
  height: 1600,
  type: 'jpg',
  size: 120_000,
  size_pretty: '120 kB',
  background_color: '#f6f1e5',
}

export const DATA: PageData = {
  title: 'How a tide table is made',
  description: 'Before satellites there was a brass machine.',
  lang: 'en',
  image: null,
  logo: {
    url: 'https://shoreline.example/icon.png',
    type: 'png',
    size: 900,
    size_pretty: '900 B',
    width: 64,
    height: 64,
  },
  screenshot: SCREENSHOT,
}

/** What is known of every page of these tests. */
export const PREVIEW: FrozenPreview = {
  data: DATA,
  image: {
    isScreenshot: true,
    width: 2560,
    height: 1600,
    files: [320, 640, 960].flatMap((width) => [
      { name: `0123456789abcdef.${width}.webp`, type: 'webp' as const, width },
      { name: `fedcba9876543210.${width}.jpg`, type: 'jpg' as const, width },
    ]),
  },
  icon: { width: 64, height: 64, files: [{ name: '00112233445566aa.64.png', type: 'png', width: 64 }] },
  date: '2026-11-20T08:00:00.000Z',
}

type Options = Partial<FreezeHtmlOptions>

/** Freezes with the same result for every page. */
export const freeze = <Html extends string | Uint8Array>(html: Html, options: Options = {}) =>
  freezeHtml(html, { resolve: () => Promise.resolve(PREVIEW), assets: '/page-preview/', ...options })
