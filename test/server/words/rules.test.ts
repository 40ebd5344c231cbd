// Covers the rules of the query language, as a running service applies them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overASocket, startWordService, type WordService } from './word-service.js'

let service: WordService
beforeAll(async () => void (service = await startWordService()))
afterAll(() => service.close())

const SMALL = 'viewport.width=100&viewport.height=60&viewport.deviceScaleFactor=1'

/** Asks for a page of the site by the text of a query. */
const ask = (path: string, text: string, by = service.directly) =>
  service.ask([['url', service.site.url + path], ...new URLSearchParams(text)], by)
const titleOf = async (path: string, text: string) => (await ask(path, text)).title

describe('booleans', () => {
  it.each(['palette', 'palette=', 'palette=true'])('%s is true', async (text) => {
    expect((await ask('/media', text)).data.image).toHaveProperty('palette')
  })

  it.each(['', 'palette=false'])('"%s" is false', async (text) => {
    expect((await ask('/media', text)).data.image).not.toHaveProperty('palette')
  })
})

describe('a sub-key beats its parent', () => {
  const checked = async (path: string, text: string) => {
    const { image, audio } = (await ask(path, text)).data
    return [image?.type ?? 'unchecked', audio === null ? 'dead' : 'unchecked']
  }

  it.each([
    ['', ['png', 'dead']],
    ['ping', ['png', 'dead']],
    ['ping=false', ['unchecked', 'unchecked']],
    ['ping.audio=false', ['png', 'unchecked']],
    ['ping=true&ping.audio=false', ['png', 'unchecked']],
    ['ping=false&ping.audio=true', ['unchecked', 'dead']],
    ['ping.audio=true&ping=false', ['unchecked', 'dead']],
    ['ping.image=false', ['unchecked', 'dead']],
  ])('"%s"', async (text, expected) => {
    expect(await checked('/media', text)).toEqual(expected)
  })

  it.each([
    ['meta.title', ['title']],
    ['meta.title=true&meta.author=true', ['author', 'title']],
    ['meta=false&meta.title=true', ['title']],
    ['meta=false', []],
  ])('"%s" reads %j', async (text, names) => {
    expect(Object.keys((await ask('/media', text)).data).toSorted()).toEqual(names)
  })

  it('meta.audio=false reads all but that', async () => {
    const { data } = await ask('/media', 'meta.audio=false')
    expect(data).toMatchObject({ title: 'Media', author: 'Ann Author' })
    expect(data).not.toHaveProperty('audio')
  })
})

describe('options of screenshot', () => {
  it.each([
    'element=%23probe',
    'screenshot.element=%23probe',
    'screenshot&element=%23probe',
    'screenshot=false&element=%23probe',
  ])('switch it on: %s', async (text) => {
    expect((await ask('/painted', `${text}&${SMALL}`)).data.screenshot).toMatchObject({ width: 40, height: 20 })
  })

  it.each(['type=png', 'screenshot.type=png', 'screenshot=true&type=png'])('switch it on: %s', async (text) => {
    expect((await ask('/painted', `${text}&${SMALL}`)).data.screenshot!.url).toMatch(/\.png$/)
  })

  it.each([
    'element=%23probe&screenshot.element=%23bottom',
    'type=png&screenshot.type=webp',
    'full_page=true&screenshot.fullPage=false',
    'overlay.browser=light&screenshot.overlay.browser=dark',
  ])('mean one thing in both places: %s', async (text) => {
    expect(await ask('/painted', text)).toMatchObject({ status: 400, failure: { code: 'EINVALQUERY' } })
  })
})

describe('arrays', () => {
  it.each([
    ['click.0=%23a&click.1=%23b', 'firstsecond'],
    ['click.1=%23b&click.0=%23a', 'firstsecond'],
    ['click.0=%23b&click.1=%23a', 'secondfirst'],
    ['click.0=%23b', 'second'],
    ['click=%23a', 'first'],
  ])('%s', async (text, title) => {
    expect(await titleOf('/buttons', text)).toBe(title)
  })

  it('of styles may be text and addresses', async () => {
    const styles = { 'styles.0': `${service.site.url}/blue.css`, 'styles.1': '#probe{width:30px}' }
    const told = await ask('/painted', `element=%23probe&type=png&${SMALL}&${new URLSearchParams(styles)}`)
    expect(told.data.screenshot).toMatchObject({ width: 30, height: 20, background_color: '#0000ff' })
  })

  it('of filter are the same as a list', async () => {
    const list = await ask('/painted', 'filter=lang,title')
    expect(String((await ask('/painted', 'filter.0=title&filter.1=lang')).bytes)).toBe(String(list.bytes))
  })
})

describe('durations', () => {
  it.each([
    ['120000', 120_000],
    ['120000ms', 120_000],
    ['120s', 120_000],
    ['120 seconds', 120_000],
    ['2m', 120_000],
    ['2 minutes', 120_000],
    ['1.5h', 5_400_000],
    ['1hour', 3_600_000],
    ['2 days', 172_800_000],
    ['31d', 2_678_400_000],
  ])('ttl=%s is %i ms', async (ttl, expected) => {
    const told = await ask('/painted', String(new URLSearchParams({ ttl })))
    expect([told.status, told.header('x-cache-ttl')]).toEqual([200, String(expected)])
  })
})

describe('unknown words', () => {
  it('are named in warnings, and take no part in the key', async () => {
    const plain = await ask('/painted?unknown', '')
    const told = await ask('/painted?unknown', 'colour=red&screenshot.foo=1&Url=x')
    expect(told.answer.warnings).toEqual(
      ['colour', 'screenshot.foo', 'Url'].map((word) => expect.stringContaining(`"${word}"`) as string),
    )
    expect([told.header('x-cache-status'), told.header('x-timestamp')]).toEqual(['HIT', plain.header('x-timestamp')])
    expect((await ask('/painted?unknown', '')).answer).not.toHaveProperty('warnings')
  })

  it.each(['__proto__', 'constructor', 'prototype', 'screenshot.__proto__', 'headers.constructor', 'meta.prototype.x'])(
    '%s is refused',
    async (word) => {
      for (const by of [service.directly, overASocket])
        expect(await ask('/painted', `${word}=1`, by)).toMatchObject({ status: 400, failure: { code: 'EINVALQUERY' } })
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})

describe('headers', () => {
  it('never take a key to the target page', async () => {
    const told = await ask('/echo', 'headers.apiKey=pp_secret&headers.userAgent=Probe/1&headers.x-probe=1')
    expect(told).toMatchObject({ status: 200, title: 'x-probe: 1' })
    expect(String(told.bytes)).not.toContain('pp_secret')
    expect((await ask('/echo', 'headers.userAgent=Probe/1&headers.x-probe=1')).header('x-cache-status')).toBe('HIT')
  })

  it.each([
    'host',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'te',
    'trailer',
    'upgrade',
    'contentLength',
    'cookie2',
    'proxy-authorization',
    'xForwardedFor',
    'x_forwarded_host',
  ])('%s may not be sent', async (name) => {
    expect(await ask('/echo', `headers.${name}=x`)).toMatchObject({ status: 400, failure: { code: 'EHEADERS' } })
  })

  it('that carry credentials make an answer that no cache shares', async () => {
    for (const name of ['authorization', 'cookie', 'Cookie'])
      expect((await ask('/echo', `headers.${name}=x`)).header('cache-control')).toMatch(/^private,/)
    expect((await ask('/echo', 'headers.x-probe=x')).header('cache-control')).toMatch(/^public,/)
  })
})

it('an unknown device is refused where no browser is needed, too', async () => {
  expect(await ask('/painted', 'device=Toaster')).toMatchObject({
    status: 400,
    failure: { data: { device: expect.any(String) } },
  })
})
