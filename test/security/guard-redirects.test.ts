// Covers the network guard: redirects of every kind from an allowed target to a private one, with and without the browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../local-site.js'
import { privateHosts, startGuardedService, type GuardedService } from './guarded-service.js'

const STATUSES = [301, 302, 303, 307, 308, 300]
const HOSTS = await privateHosts()

/** `Location` headers that lead to a private host. */
const LOCATIONS: Record<string, (host: string) => string> = {
  absolute: (host) => `http://${host}/x`,
  'without a scheme': (host) => `//${host}/x`,
  'with backslashes': (host) => `\\\\${host}\\x`,
  'with user info': (host) => `http://public.test@${host}/x`,
  https: (host) => `https://${host}/x`,
}

/** Pages that lead a browser to a private host after they are loaded. */
const NAVIGATIONS: Record<string, (target: string) => { html: string; headers?: Record<string, string> }> = {
  'meta refresh': (target) => ({ html: `<meta http-equiv="refresh" content="0;url=${target}">` }),
  'a Refresh header': (target) => ({ html: 'refreshing', headers: { refresh: `0;url=${target}` } }),
  'location.href': (target) => ({ html: `<script>location.href = '${target}'</script>` }),
  'location.replace': (target) => ({ html: `<script>location.replace('${target}')</script>` }),
  'a form with GET': (target) => ({
    html: `<form action="${target}"></form><script>document.forms[0].submit()</script>`,
  }),
  'a form with POST': (target) => ({
    html: `<form method="post" action="${target}"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`,
  }),
  'a clicked link': (target) => ({ html: `<a href="${target}">go</a><script>document.links[0].click()</script>` }),
  'a download': (target) => ({ html: `<a download href="${target}">go</a><script>document.links[0].click()</script>` }),
  'a new window': (target) => ({ html: `<script>open('${target}')</script>` }),
  'a base URL': (target) => ({ html: `<base href="${target}"><script>location.href = 'below'</script>` }),
}

let service: GuardedService
let routes: Record<string, Route>
beforeAll(async () => {
  service = await startGuardedService()
  ;({ routes } = service.site)
  routes['/redirect'] = ({ url }, response) => {
    const { searchParams } = new URL(url!, service.site.url)
    response.writeHead(Number(searchParams.get('status')), { location: searchParams.get('to')! }).end()
  }
})
afterAll(() => service.stop())

const redirect = (to: string, status = 302) =>
  `${service.site.url}/redirect?${new URLSearchParams({ to, status: String(status) })}`
const withPort = (host: string) => `${host}:${service.victims.port}`

describe('guard: redirects', () => {
  describe.each(Object.entries(LOCATIONS))('location %s', (_, locationOf) => {
    it.each(STATUSES.flatMap((status) => HOSTS.map((host) => ({ status, host }))))(
      'refuses a page that redirects: status $status, host $host',
      async ({ status, host }) => {
        await service.get({ url: redirect(locationOf(withPort(host)), status) })
        expect(service.victims.arrivals).toEqual([])
      },
    )
  })

  it('follows a redirect to an allowed target, so that the others are refused for where they lead', async () => {
    const response = await service.get({ url: redirect(`http://127.0.0.1:${service.control.port}/`) })
    expect(await response.json()).toMatchObject({ status: 'success', data: { title: 'reached' } })
  })

  it.each([1, 2, 5, 9])('refuses a chain of %i redirects that ends at a private host', async (length) => {
    let url = `http://${withPort(HOSTS[length % HOSTS.length]!)}/x`
    for (let hop = 0; hop < length; hop++) url = redirect(`${url}${hop ? `&hop=${hop}` : ''}`, STATUSES[hop % 5])
    const response = await service.get({ url })
    expect(await response.json()).toMatchObject({ status: 'fail', code: 'EFORBIDDENURL' })
    expect(service.victims.arrivals).toEqual([])
  })

  it.each(STATUSES.flatMap((status) => HOSTS.map((host) => ({ status, host }))))(
    'drops media of a page that redirect: status $status, host $host',
    async ({ status, host }) => {
      const target = redirect(`http://${withPort(host)}/x.png`, status).replaceAll('&', '&amp;')
      routes['/media'] =
        `<title>Media</title><link rel="icon" href="${target}"><link rel="alternate" type="application/json+oembed" href="${target}">` +
        `<link rel="manifest" href="${target}">` +
        ['og:image', 'og:video', 'og:audio', 'twitter:image', 'twitter:player:stream']
          .map((name) => `<meta property="${name}" content="${target}">`)
          .join('')
      const response = await service.get({ url: `${service.site.url}/media?${status}-${encodeURIComponent(host)}` })
      expect(await response.json()).toMatchObject({ data: { image: null, logo: null, video: null, audio: null } })
      expect(service.victims.arrivals).toEqual([])
    },
  )

  it.each(Object.keys(NAVIGATIONS))('does not follow %s in the browser', async (name) => {
    const query = { screenshot: 'true', meta: 'false', waitForTimeout: '300' }
    const open = async (host: string) => {
      const { html, headers } = NAVIGATIONS[name]!(`http://${host}/x`)
      routes['/navigation'] = (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<p>Navigation</p>${html}`)
      await (await service.get({ url: `${service.site.url}/navigation?${host}`, ...query, force: 'true' })).text()
    }
    const before = service.control.arrivals.length
    await open(`127.0.0.1:${service.control.port}`)
    // Both are refused for every host, an allowed one too.
    if (!/window|download/.test(name)) expect(service.control.arrivals.length).toBeGreaterThan(before)
    await open(withPort(HOSTS[0]!))
    expect(service.victims.arrivals).toEqual([])
  })

  it.each([
    ['an overlay background', 'overlay.background', (url: string) => url],
    ['an overlay background in url()', 'overlay.background', (url: string) => `url(${url})`],
    ['styles', 'styles', (url: string) => url],
    ['an import in styles', 'styles', (url: string) => `@import url(${url}); body { background: url(${url}) }`],
  ])('does not fetch %s from a private host, directly or by a redirect', async (_, parameter, valueOf) => {
    routes['/plain'] = '<title>Plain</title><h1>Plain</h1>'
    for (const url of [`http://${withPort(HOSTS[0]!)}/x.css`, redirect(`http://${withPort(HOSTS[1]!)}/x.png`)])
      await (
        await service.get({
          url: `${service.site.url}/plain`,
          screenshot: 'true',
          meta: 'false',
          [parameter]: valueOf(url),
        })
      ).text()
    expect(service.victims.arrivals).toEqual([])
  })
})
