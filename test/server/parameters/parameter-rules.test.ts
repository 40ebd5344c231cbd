// Covers the rules of the query language, as a running service applies them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overSocket, startParameterService, type ParameterService } from './parameter-service.js'

let service: ParameterService
beforeAll(async () => void (service = await startParameterService()))
afterAll(() => service.close())

const SMALL = 'viewport.width=100&viewport.height=60&viewport.deviceScaleFactor=1'

/** Requests a page of the site with the parameters in `text`, as a query string. */
const request = (path: string, text: string, transport = service.inProcess) =>
  service.request([['url', service.site.url + path], ...new URLSearchParams(text)], transport)
const titleOf = async (path: string, text: string) => (await request(path, text)).title

describe('booleans', () => {
  it.each(['palette', 'palette=', 'palette=true'])('%s is true', async (text) => {
    expect((await request('/media', text)).data.image).toHaveProperty('palette')
  })

  it.each(['', 'palette=false'])('"%s" is false', async (text) => {
    expect((await request('/media', text)).data.image).not.toHaveProperty('palette')
  })
})

describe('a parameter of one field overrides its parent', () => {
  const pingResults = async (path: string, text: string) => {
    const { image, audio } = (await request(path, text)).data
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
    expect(await pingResults('/media', text)).toEqual(expected)
  })

  it.each([
    ['meta.title', ['title']],
    ['meta.title=true&meta.author=true', ['author', 'title']],
    ['meta=false&meta.title=true', ['title']],
    ['meta=false', []],
  ])('"%s" reads %j', async (text, names) => {
    expect(Object.keys((await request('/media', text)).data).toSorted()).toEqual(names)
  })

  it('"meta.audio=false" reads all other fields', async () => {
    const { data } = await request('/media', 'meta.audio=false')
    expect(data).toMatchObject({ title: 'Media', author: 'Ann Author' })
    expect(data).not.toHaveProperty('audio')
  })
})

describe('options of a screenshot', () => {
  it.each([
    'element=%23probe',
    'screenshot.element=%23probe',
    'screenshot&element=%23probe',
    'screenshot=false&element=%23probe',
  ])('request a screenshot: %s', async (text) => {
    expect((await request('/painted', `${text}&${SMALL}`)).data.screenshot).toMatchObject({ width: 40, height: 20 })
  })

  it.each(['type=png', 'screenshot.type=png', 'screenshot=true&type=png'])('request a screenshot: %s', async (text) => {
    expect((await request('/painted', `${text}&${SMALL}`)).data.screenshot!.url).toMatch(/\.png$/)
  })

  it.each([
    'element=%23probe&screenshot.element=%23bottom',
    'type=png&screenshot.type=webp',
    'full_page=true&screenshot.fullPage=false',
    'overlay.browser=light&screenshot.overlay.browser=dark',
  ])('are rejected with two different values inside and beside `screenshot`: %s', async (text) => {
    expect(await request('/painted', text)).toMatchObject({ status: 400, error: { code: 'EINVALQUERY' } })
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

  it('of styles may contain text and URLs', async () => {
    const styles = { 'styles.0': `${service.site.url}/blue.css`, 'styles.1': '#probe{width:30px}' }
    const response = await request('/painted', `element=%23probe&type=png&${SMALL}&${new URLSearchParams(styles)}`)
    expect(response.data.screenshot).toMatchObject({ width: 30, height: 20, background_color: '#0000ff' })
  })

  it('of filter are equal to a comma-separated list', async () => {
    const list = await request('/painted', 'filter=lang,title')
    expect(String((await request('/painted', 'filter.0=title&filter.1=lang')).bytes)).toBe(String(list.bytes))
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
    const response = await request('/painted', String(new URLSearchParams({ ttl })))
    expect([response.status, response.header('x-cache-ttl')]).toEqual([200, String(expected)])
  })
})

describe('unknown parameters', () => {
  it('are named in warnings, and are not part of the cache key', async () => {
    const plain = await request('/painted?unknown', '')
    const response = await request('/painted?unknown', 'colour=red&screenshot.foo=1&Url=x')
    expect(response.body.warnings).toEqual(
      ['colour', 'screenshot.foo', 'Url'].map((name) => expect.stringContaining(`"${name}"`) as string),
    )
    expect([response.header('x-cache-status'), response.header('x-timestamp')]).toEqual([
      'HIT',
      plain.header('x-timestamp'),
    ])
    expect((await request('/painted?unknown', '')).body).not.toHaveProperty('warnings')
  })

  it.each(['__proto__', 'constructor', 'prototype', 'screenshot.__proto__', 'headers.constructor', 'meta.prototype.x'])(
    '%s is rejected',
    async (name) => {
      for (const transport of [service.inProcess, overSocket])
        expect(await request('/painted', `${name}=1`, transport)).toMatchObject({
          status: 400,
          error: { code: 'EINVALQUERY' },
        })
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})

describe('headers', () => {
  it('never contain the API key of the service when they are sent to the target page', async () => {
    const received: Record<string, unknown>[] = []
    service.site.routes['/headers'] = ({ headers }, response) => {
      received.push(headers)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Headers</title>')
    }
    const text = `headers.userAgent=Probe/1&headers.x-probe=1&screenshot&${SMALL}`
    const response = await request('/headers', `${text}&headers.apiKey=pp_secret`)
    expect(response).toMatchObject({ status: 200, title: 'Headers', data: { screenshot: { width: 100 } } })
    // Once for the metadata, and once by the browser.
    expect(received).toMatchObject([{ 'x-probe': '1' }, { 'x-probe': '1' }])
    expect(JSON.stringify(received)).not.toMatch(/pp_secret|api-?key/i)
    expect((await request('/headers', text)).header('x-cache-status')).toBe('HIT')
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
  ])('%s is rejected', async (name) => {
    expect(await request('/echo', `headers.${name}=x`)).toMatchObject({ status: 400, error: { code: 'EHEADERS' } })
  })

  it('with credentials make the response private to the client', async () => {
    for (const name of ['authorization', 'cookie', 'Cookie'])
      expect((await request('/echo', `headers.${name}=x`)).header('cache-control')).toMatch(/^private,/)
    expect((await request('/echo', 'headers.x-probe=x')).header('cache-control')).toMatch(/^public,/)
  })
})

it('rejects an unknown device even where no browser is needed', async () => {
  expect(await request('/painted', 'device=Toaster')).toMatchObject({
    status: 400,
    error: { data: { device: expect.any(String) } },
  })
})

it('rejects a clip without area before the page is requested', async () => {
  const visits = service.site.requests.length
  expect(await request('/painted', 'screenshot.clip=0,0,0,10')).toMatchObject({
    status: 400,
    error: { code: 'EINVALQUERY', data: { 'screenshot.clip': 'must have a width and a height above 0' } },
  })
  expect(service.site.requests.length).toBe(visits)
})

describe('the hash of url', () => {
  it('leads to its own screenshot, and changes nothing else', async () => {
    const text = `screenshot&type=png&${SMALL}`
    const visits = service.site.requests.length
    const plain = await request('/painted?hash', text)
    const scrolled = await request('/painted?hash#bottom', text)
    expect(scrolled.header('x-cache-status')).toBe('MISS')
    expect(scrolled.data.screenshot!.url).not.toBe(plain.data.screenshot!.url)
    expect({ ...scrolled.data, url: '', screenshot: null }).toEqual({ ...plain.data, url: '', screenshot: null })
    expect(scrolled.data.url).toBe(`${service.site.url}/painted?hash#bottom`)
    expect(new Set(service.site.requests.slice(visits).filter((each) => each.includes('painted')))).toEqual(
      new Set(['GET /painted?hash']),
    )
  })

  it('follows a redirect', async () => {
    const { body } = await request('/moved#:~:text=words', `screenshot&${SMALL}`)
    expect(body).toMatchObject({
      data: { url: `${service.site.url}/painted#:~:text=words`, screenshot: { width: 100 } },
      redirects: [{ statusCode: 302 }],
    })
  })
})

describe('the reader', () => {
  const languages = async (text: string) => {
    const received: (string | undefined)[] = []
    service.site.routes['/languages'] = ({ headers }, response) => {
      received.push(headers['accept-language'])
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Languages</title>')
    }
    await request('/languages', `screenshot&${SMALL}&${text}`)
    return received
  }

  it('is sent to the page in the fetch of its metadata and by the browser', async () => {
    expect(await languages('locale=de-at')).toEqual(['de-AT,de;q=0.9', 'de-AT,de;q=0.9'])
    expect(await languages('locale=fr')).toEqual(['fr', 'fr'])
  })

  it('has another language where headers.accept-language says so', async () => {
    expect(await languages('locale=de-AT&headers.accept-language=it')).toEqual(['it', 'it'])
  })

  it('is unknown to other captures, at the same time and later', async () => {
    const path = '/mirror?reader'
    const text = 'locale=de-AT&timezone=Asia/Tokyo&geolocation=1,2'
    const [told, atOnce] = await Promise.all([titleOf(path, text), titleOf(path, '')])
    expect(told).toContain('language=de-AT,de number=1,5 zone=Asia/Tokyo')
    for (const title of [atOnce, await titleOf(path, 'force')])
      expect(title).toMatch(/language=en-US number=1\.5 zone=(?!Asia\/Tokyo)/)
    expect(await titleOf('/position', 'geolocation=1,2')).toBe('1 2')
    expect(await titleOf('/position', 'locale=de')).toMatch(/denied/i)
  })
})
