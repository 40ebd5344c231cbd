// Covers the explanation of a result: that it names the cause, how much of a page it holds, and what it must not tell.
import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../../src/query/index.js'
import { redirectTo, type Route } from '../../local-site.js'
import { startApp } from './start-app.js'

const PAGE =
  '<!doctype html><title>Tides - Skerry</title><meta property="og:title" content="Tides"><h1>Tides</h1><p>Text.'
const meta = (property: string, content: string) => `<meta property="${property}" content="${content}">`

async function explain(routes: Record<string, Route>, parameters: Record<string, string> = {}, path = '/') {
  const app = await startApp({ routes })
  const { explanation, ...page } = await app.readPage({ explain: 'true', ...parameters }, path)
  return { ...page, app, explanation: explanation! }
}

const pathsOf = ({ requests }: Explanation) =>
  requests.map(({ url, statusCode, size, cause }) => [new URL(url).pathname, statusCode, size, cause])

describe('an explanation', () => {
  it('is not made for a result that was requested without it', async () => {
    const app = await startApp({ routes: { '/': PAGE } })
    expect(Object.keys(await app.readPage())).not.toContain('explanation')
    expect((await app.readPage({ explain: 'true' })).cache).toBe('MISS')
    expect((await app.readPage({ explain: 'true' })).explanation).toBeDefined()
    expect((await app.readPage()).cache).toBe('HIT')
  })

  it('has each request that led to the page, with its status, size and time', async () => {
    const { explanation } = await explain({
      '/': redirectTo('/moved', 301),
      '/moved': '<meta http-equiv="refresh" content="0;url=/page">',
      '/page': PAGE,
    })
    expect(pathsOf(explanation)).toEqual([
      ['/', 301, null, undefined],
      ['/moved', 200, 49, 'redirect'],
      ['/page', 200, PAGE.length, 'refresh'],
    ])
    for (const { durationMs } of explanation.requests) expect(durationMs).toBeLessThan(10_000)
  })

  it('says that the connection ended early, although all of the page had arrived', async () => {
    const html = `${PAGE}</p></body></html>`
    const { explanation } = await explain({
      '/': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': html.length + 500 }).write(html)
        setTimeout(() => response.destroy(), 50)
      },
    })
    expect(explanation.requests).toMatchObject([{ size: html.length, hasEndedEarly: true }])
  })

  it('says which sources state a field, which of them is used, and why not the others', async () => {
    const { explanation } = await explain(
      {
        '/may': `${meta('og:title', 'Home')}${meta('og:description', ' ')}<title>Tides of May - Skerry</title><h1>Tides of May</h1>`,
      },
      {},
      '/may',
    )
    expect(explanation.fields.title!.map(({ value, source, isSelected }) => [value, source, isSelected])).toEqual(
      expect.arrayContaining([
        ['Tides of May', expect.any(String), true],
        ['Home', 'meta og:title', false],
      ]),
    )
    const [home] = explanation.fields.title!.filter(({ value }) => value === 'Home')
    expect(home!.reasons).not.toEqual([])
  })

  it('says what became of each image that was tried, and what is never used as one', async () => {
    const { explanation, app } = await explain({
      '/': `${meta('og:image', '/gone.png')}${meta('og:image', '/page.html')}${meta('og:image', '/favicon.ico')}`,
      '/page.html': PAGE,
    })
    const { url } = app.site
    expect(
      explanation.fields.image!.map(({ value, score, problem, reasons }) => [value, score, problem ?? reasons]),
    ).toEqual([
      [`${url}/gone.png`, expect.any(Number), 'responded with status 404'],
      [`${url}/page.html`, expect.any(Number), 'is no image that a browser can draw'],
      [`${url}/favicon.ico`, null, ['is an icon']],
    ])
    expect(explanation.fields.image![0]).toMatchObject({ source: 'meta og:image', durationMs: expect.any(Number) })
  })

  it('says by what a page was judged that does not show its content', async () => {
    const check = '<title>Just a moment...</title><h1>Wait</h1>'
    const app = await startApp({
      routes: { '/': (_, response) => void response.writeHead(403, { 'content-type': 'text/html' }).end(check) },
    })
    app.seen.state = 'bot-check'
    const { explanation, data } = await app.readPage({ explain: 'true' })
    expect(data.state).toBe('bot-check')
    expect(explanation!.documents[0]).toMatchObject({
      by: 'fetch',
      statusCode: 403,
      state: 'bot-check',
      reason:
        'It has status 403, the title "Just a moment...", the heading "Wait", 4 characters of text, which begin with "Wait".',
    })
  })

  it('says whether the document of the browser was used, and why', async () => {
    const shell = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>'
    const app = await startApp({ routes: { '/': shell } })
    app.seen.html = '<title>The content</title><h1>The content</h1>'
    const { explanation, data } = await app.readPage({ explain: 'true' })
    expect(data.title).toBe('The content')
    expect(explanation!.choice).toBe(
      'The document of the browser, because the page has hardly any metadata of its own without its scripts.',
    )
    expect(explanation!.fields.title![0]).toMatchObject({ value: 'The content', isSelected: true })
  })

  it('says why a page was not fetched that the browser got', async () => {
    const app = await startApp({ routes: { '/': redirectTo('/') } })
    app.seen.html = '<title>Only for browsers</title>'
    const { explanation, data } = await app.readPage({ explain: 'true' })
    expect(data.title).toBe('Only for browsers')
    expect(explanation!.requests).toHaveLength(11)
    expect(explanation!.documents[0]).toMatchObject({
      by: 'fetch',
      statusCode: null,
      reason: expect.stringContaining('redirects in a circle'),
    })
  })

  it('names the user agent of the service, or the one of the request', async () => {
    const routes = { '/': PAGE }
    expect((await explain(routes)).explanation.documents[0]!.userAgent).toContain('PagePreviewbot')
    const own = await explain(routes, { 'headers.user-agent': 'me/1.0' })
    expect(own.explanation.documents[0]!.userAgent).toBe('me/1.0')
  })
})

describe('what an explanation must not tell', () => {
  it('whether a private address or name exists: whatever fails on the network reads the same', async () => {
    const urls = [
      'http://10.0.0.1/a.png',
      'http://127.0.0.1:1/a.png',
      'http://169.254.169.254/a.png',
      'http://does-not-exist.invalid/a.png',
      'http://[::1]/a.png',
    ]
    const { explanation } = await explain({ '/': urls.map((url) => meta('og:image', url)).join('') })
    expect(explanation.fields.image!.map(({ problem }) => problem)).toEqual(urls.map(() => 'is not publicly reachable'))
  })

  it('what the request has sent, and what the page has set as a cookie', async () => {
    const { explanation } = await explain(
      {
        '/': (_, response) =>
          void response
            .writeHead(200, {
              'content-type': 'text/html',
              'set-cookie': 'session=cookie-secret',
              'x-internal': 'header-secret',
            })
            .end(PAGE),
      },
      { 'headers.authorization': 'Bearer request-secret', 'headers.cookie': 'a=request-secret' },
    )
    expect(JSON.stringify(explanation)).not.toMatch(/secret/)
  })

  it('anything of a page that redirects to a private address: that is the same error as without it', async () => {
    const app = await startApp({ routes: { '/': redirectTo('http://10.0.0.1/') } })
    const read = async (parameters: Record<string, string>): Promise<unknown> =>
      (await app.fetchPage(parameters)).json()
    const plain = await read({})
    expect(plain).toMatchObject({ status: 'fail', code: 'EFORBIDDENURL' })
    expect(await read({ explain: 'true', candidates: 'true' })).toEqual(plain)
  })
})

it('a page decides how much it states, but not how much of it an explanation holds', async () => {
  const long = 'x'.repeat(20_000)
  const many = (tag: (at: number) => string) => Array.from({ length: 400 }, (_, at) => tag(at)).join('')
  const html = `<title>${long}</title>
    ${many((at) => meta('og:title', `Title ${at} ${long.slice(0, 400)}`))}
    ${many((at) => meta('og:description', `Text ${at} ${long.slice(0, 1_500)}`))}
    ${many((at) => meta('og:image', `/${at}/${long.slice(0, 1_900)}.png`))}
    ${many((at) => meta('og:video', `/${at}/${long.slice(0, 1_900)}.mp4`))}
    ${many((at) => meta('article:author', `Ann ${at} ${long.slice(0, 100)}`))}`
  const { explanation, candidates } = await explain({ '/': html }, { candidates: 'true', ping: 'false' })
  expect(JSON.stringify(explanation).length).toBeLessThan(40_000)
  expect(Math.max(...Object.values(explanation.fields).map(({ length }) => length))).toBeLessThanOrEqual(20)
  expect(JSON.stringify(candidates).length).toBeLessThan(60_000)
})
