// Covers pages that a plain fetch does not get, and a browser does.
import { describe, expect, it } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { redirectTo, type Route } from '../../local-site.js'
import { startApp } from './start-app.js'

const SEEN = '<title>Seen by the browser</title><h1>Seen by the browser</h1>'

const send =
  (statusCode: number, headers: Record<string, string>, body: string | Buffer): Route =>
  (_, response) =>
    void response.writeHead(statusCode, headers).end(body)
const html = { 'content-type': 'text/html' }

const failures: [name: string, route: Route, warning: RegExp][] = [
  ['redirects in a circle', redirectTo('/'), /redirects in a circle/],
  ['closes the connection', (request) => void request.socket.destroy(), /fetched without the browser/],
  ['sends no HTTP', (request) => void request.socket.end('hello\r\n\r\n'), /fetched without the browser/],
  [
    'sends an endless header',
    (request) => void request.socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(400_000)}\r\n\r\n`),
    /headers of its response are too large/,
  ],
  [
    'compresses with a method that only browsers know',
    send(200, { ...html, 'content-encoding': 'dcb' }, 'x'),
    /content-encoding/,
  ],
]

describe('a page that a plain fetch does not get', () => {
  it.each(failures)('because its server %s has the metadata that the browser reads', async (_, route, warning) => {
    const app = await startApp({ routes: { '/': route } })
    app.seen.html = SEEN
    for (const parameters of [{}, { screenshot: 'true' }] as Record<string, string>[]) {
      const response = await app.readPage(parameters)
      expect(response).toMatchObject({ status: 'success', mode: 'prerender', statusCode: 200 })
      expect(response.data).toMatchObject({ title: 'Seen by the browser', url: `${app.site.url}/` })
      expect(response.warnings).toEqual([expect.stringMatching(warning)])
    }
    expect(app.visits).toHaveLength(2)
  })

  it.each(failures)('because its server %s has that error if the browser fails too', async (_, route) => {
    const app = await startApp({ routes: { '/': route } })
    app.seen.error = new PageError('EUNREACHABLE', 'The browser cannot open it either.')
    expect(await app.readPage()).toMatchObject({ status: 'error', message: expect.not.stringContaining('either') })
    expect(await app.readPage({ screenshot: 'true' })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('either'),
    })
  })

  it.each([403, 406])('but a refusal with status %i has the metadata that the browser reads', async (statusCode) => {
    const app = await startApp({ routes: { '/': send(statusCode, html, '<title>Denied</title><p>Go away.') } })
    app.seen.html = SEEN
    expect(await app.readPage()).toMatchObject({
      mode: 'prerender',
      statusCode: 200,
      data: { title: 'Seen by the browser' },
    })
  })

  it('has no metadata of what the browser shows instead of its content', async () => {
    const app = await startApp({ routes: { '/': redirectTo('/') } })
    Object.assign(app.seen, { html: '<title>Just a moment...</title>', state: 'bot-check' })
    expect((await app.readPage()).data).toMatchObject({ title: null, state: 'bot-check' })
  })

  it('is captured without metadata if none is requested', async () => {
    const app = await startApp({ routes: { '/': redirectTo('/') } })
    const { data, statusCode } = await app.readPage({ meta: 'false', screenshot: 'true' })
    expect(data).toEqual({ screenshot: expect.any(Object) })
    expect(statusCode).toBe(200)
  })
})

it('a consent wall in place of the page has no metadata, though the browser shows it too', async () => {
  const wall =
    '<title>Before you continue to Video</title><h1>Before you continue</h1><p>We use cookies and data.</p><button>Accept all</button>'
  const routes = { '/': redirectTo('/m?continue=x'), '/m': send(200, html, wall) }
  const app = await startApp({ routes })
  Object.assign(app.seen, { html: wall, state: 'consent' })
  expect((await app.readPage()).data).toMatchObject({ title: null, url: `${app.site.url}/`, state: 'consent' })
})

describe('a page whose certificate a plain fetch refuses', () => {
  const start = (code: string) =>
    startApp({
      routes: {},
      dispatch() {
        throw Object.assign(new Error('The certificate is refused.'), { code })
      },
    })

  it.each([
    ['CERT_HAS_EXPIRED', 'its TLS certificate has expired'],
    ['CERT_NOT_YET_VALID', 'its TLS certificate is not valid yet'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its TLS certificate is self-signed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its TLS certificate is for another host'],
  ])('is not opened in a browser for its metadata if the browser refuses it too: %s', async (code, reason) => {
    const app = await start(code)
    expect(await app.readPage()).toMatchObject({ code: 'EUNREACHABLE', message: expect.stringContaining(reason) })
    expect(app.visits).toEqual([])
    await app.readPage({ screenshot: 'true' })
    expect(app.visits).toHaveLength(1)
  })

  it.each([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ])('is opened if a browser may complete the chain, or know its root: %s', async (code) => {
    const app = await start(code)
    app.seen.html = SEEN
    expect(await app.readPage()).toMatchObject({ mode: 'prerender', data: { title: 'Seen by the browser' } })
    expect(app.visits).toHaveLength(1)
  })
})

describe('the shell of an application', () => {
  const shell = (head: string) => `${head}<div id="root"></div><script type="module" src="/app.js"></script>`
  const SITE =
    '<title>Notes</title><meta property="og:url" content="/"><meta name="description" content="A tool for all of your work.">'

  it('that leads to a form to log in names neither the page nor its address', async () => {
    const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64"/></svg>'
    const routes = {
      '/d/7': redirectTo('/login'),
      '/login': send(200, html, shell('<link rel="icon" href="/i.svg"><title>Dashboards</title>')),
      '/i.svg': send(200, { 'content-type': 'image/svg+xml' }, icon),
    }
    const app = await startApp({ routes })
    Object.assign(app.seen, { html: '<title>Dashboards</title><h1>Welcome</h1>', state: 'login' })
    expect((await app.readPage({}, '/d/7')).data).toMatchObject({
      title: null,
      url: `${app.site.url}/d/7`,
      state: 'login',
      logo: { url: `${app.site.url}/i.svg` },
    })
  })

  it('that states another page as its own does not describe this one', async () => {
    const app = await startApp({ routes: { '/tide-log': send(200, html, shell(SITE)) } })
    app.seen.html = `${SITE.replace('Notes', 'Tide log')}<h1>Tide log</h1>`
    expect(await app.readPage({}, '/tide-log')).toMatchObject({
      mode: 'prerender',
      data: { title: 'Tide log', description: null },
    })
  })

  it('that states no page describes this one too', async () => {
    const head = '<title>App</title><meta name="description" content="A tool for all of your work.">'
    const app = await startApp({ routes: { '/c': send(200, html, shell(head)) } })
    app.seen.html = '<title>Tide log</title><h1>Tide log</h1>'
    expect((await app.readPage({}, '/c')).data).toMatchObject({
      title: 'Tide log',
      description: 'A tool for all of your work.',
    })
  })
})

describe('no browser opens a page that it could not reach either', () => {
  it.each<[string, Record<string, Route>, string]>([
    ['a port without a server', { '/': redirectTo('http://127.0.0.1:9/') }, '/'],
    ['a private address', { '/': redirectTo('http://10.0.0.1/') }, '/'],
    ['a missing page', { '/': send(404, html, '<title>Page not found</title><h1>Page not found</h1>') }, '/'],
    ['a broken server', { '/': send(500, html, '<title>Internal server error</title>') }, '/'],
    ['a page that requires a key', { '/': send(401, html, '<title>Unauthorized</title>') }, '/'],
  ])('%s', async (_, routes, path) => {
    const app = await startApp({ routes })
    await app.readPage({}, path)
    expect(app.visits).toEqual([])
  })

  it('nor one whose metadata is not requested', async () => {
    const app = await startApp({ routes: { '/': redirectTo('/') } })
    expect(await app.readPage({ meta: 'false' })).toMatchObject({ code: 'EMAXREDIRECTS' })
    expect(app.visits).toEqual([])
  })
})
