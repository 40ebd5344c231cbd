// Covers names that could reach a prototype, in parameters, paths, headers and pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  '__PROTO__',
  'Constructor',
  '%5F%5Fproto%5F%5F',
  'constructor.prototype',
]
const PLACES = [
  (key: string) => key,
  (key: string) => `${key}.polluted`,
  (key: string) => `screenshot.${key}`,
  (key: string) => `screenshot.${key}.polluted`,
  (key: string) => `headers.${key}`,
  (key: string) => `headers.${key}.polluted`,
  (key: string) => `ping.${key}`,
  (key: string) => `meta.${key}`,
  (key: string) => `viewport.${key}`,
  (key: string) => `overlay.${key}`,
  (key: string) => `variant.${key}`,
  (key: string) => `styles.${key}`,
  (key: string) => `click.${key}`,
  (key: string) => `filter.${key}`,
  (key: string) => `data.${key}.selector`,
]
const NAMES = KEYS.flatMap((key) => PLACES.map((place) => place(key)))

/** Names that every object has; a table that is read without care finds them. */
const INHERITED = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupSetter__',
]
const VALUES = [
  'device',
  'screenshot.type',
  'colorScheme',
  'mediaType',
  'waitUntil',
  'overlay.browser',
  'ttl',
  'viewport.width',
  'javascript',
]

const PAGE = `<title>A page</title>
<meta property="__proto__" content="polluted"><meta property="constructor" content="polluted">
<meta name="og:__proto__:title" content="polluted"><meta itemprop="__proto__" content="polluted">
<meta property="og:image:__proto__" content="polluted"><link rel="__proto__" href="/polluted">
<script type="application/ld+json">{ "@type": "Article", "__proto__": { "polluted": true, "headline": "polluted" },
"constructor": { "prototype": { "polluted": true } }, "author": { "__proto__": { "name": "polluted" } } }</script>`

let service: AttackedService
let ordinary: unknown
beforeAll(async () => {
  service = await startAttackedService({
    '/': '<title>Ordinary</title>',
    '/page': (_, response) =>
      void response
        .writeHead(200, {
          'content-type': 'text/html',
          __proto__x: 'a',
          constructor: 'polluted',
          'x-__proto__': 'polluted',
        })
        .end(PAGE),
  })
  ordinary = await ordinaryResult()
})
afterAll(() => service.stop())

const ordinaryResult = async () => {
  const body = (await (await service.get({ url: service.site.url, force: 'true' })).json()) as Record<string, unknown>
  return { ...body, headers: undefined }
}

async function expectUnharmed(response: Response): Promise<void> {
  expect(response.status).not.toBe(500)
  expect(await response.text()).not.toMatch(/\[native code\]|\[object Object\]|"polluted":true/)
  expect(await ordinaryResult()).toEqual(ordinary)
}

const fetchRaw = (search: string) => fetch(`${service.url}?url=${encodeURIComponent(service.site.url)}&${search}`)

describe('prototype keys', () => {
  it.each(NAMES)('is unharmed by the parameter %s', async (name) => {
    const response = await fetchRaw(`${name}=polluted`)
    if (!/PROTO|Con/.test(name) && /^(__proto__|constructor|prototype|headers)/.test(name))
      expect(response.status).toBe(400)
    await expectUnharmed(response)
  })

  it.each(VALUES.flatMap((name) => INHERITED.map((value) => ({ name, value }))))(
    'rejects $name=$value',
    async ({ name, value }) => {
      const response = await fetchRaw(`${name}=${value}`)
      expect(response.status).toBe(400)
      await expectUnharmed(response)
    },
  )

  it.each(INHERITED.flatMap((key) => [key, `title.${key}`, `${key}.name`, `image.${key}`]))(
    'finds nothing at embed and filter of %s',
    async (path) => {
      expect([400, 404]).toContain((await fetchRaw(`embed=${path}`)).status)
      await expectUnharmed(await fetchRaw(`filter=${path}`))
    },
  )

  it.each(
    INHERITED.flatMap((key) => [
      `/${key}`,
      `/images/${key}`,
      `/images/${key}.png`,
      `/playground/${key}`,
      `/v1/${key}`,
      `/oembed?${key}=1`,
      `/images/${'a'.repeat(64)}.png?w=${key}`,
      `/images/${'a'.repeat(64)}.png?type=${key}`,
      `/?${key}`,
    ]),
  )('has nothing at %s', async (path) => {
    const response = await fetch(new URL(path, service.url))
    expect([400, 404]).toContain(response.status)
    await expectUnharmed(response)
  })

  it('is unharmed by a page whose tags, JSON-LD and headers have such names', async () => {
    const response = await service.get({ url: `${service.site.url}/page` })
    const body: unknown = await response.clone().json()
    expect(body).toMatchObject({ status: 'success', data: { author: null } })
    await expectUnharmed(response)
  })
})
