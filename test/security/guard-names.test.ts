// Covers host names that are private, malformed or another spelling of what the operator denies. In the network namespace alone,
// because only there the test has a name server and a public address.
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { startNameServer, type NameServer } from './name-server.js'
import { isIsolated, PUBLIC_ADDRESS, startVictims, type Victims } from './victims.js'

const DENIED_RANGE = '93.184.215.128/25'
const PRIVATE_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'loopback.corp.example': ['127.0.0.1'],
  'v4.corp.example': ['10.1.2.3'],
  'v6.corp.example': ['fd00::1'],
  'both.corp.example': ['10.1.2.3', 'fd00::1'],
  'mixed.corp.example': [PUBLIC_ADDRESS, '10.1.2.3'],
  'denied.corp.example': ['93.184.215.200'],
}
const ABSENT = 'absent.corp.example'

const isolated = await isIsolated()
let service: AttackedService
let names: NameServer
let victims: Victims
let attacker: LocalSite

beforeAll(async () => {
  if (!isolated) return
  victims = await startVictims()
  names = await startNameServer((name) => {
    if (PRIVATE_ADDRESSES[name]) return PRIVATE_ADDRESSES[name]
    if (name.endsWith('.corp.example')) return name.startsWith('empty') ? [] : 'NXDOMAIN'
    return [PUBLIC_ADDRESS]
  })
  const routes = {
    '/': sendHtml(() => '<title>The attacker</title>'),
    '/redirect': sendRedirect,
    '/script': sendHtml((to) => `<title>Script</title><script>location = ${JSON.stringify(to)}</script>`),
    '/image': sendHtml((to) => `<title>Image</title><meta property="og:image" content="${to}file.png">`),
    '/file.png': sendHtml(() => ''),
  }
  attacker = await localSite(routes, victims.port, PUBLIC_ADDRESS)
  const flags = ['--deny=evil.example', `--deny-target=${DENIED_RANGE}`]
  service = await startAttackedService({}, flags, names.environment)
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([names?.close(), attacker?.close(), victims?.close()])
})

/** The hosts that the site of the attacker was requested by. */
const arrivedHosts: string[] = []

const sendRedirect: Route = (request, response) => {
  // The bytes of UTF-8, as most servers send them.
  const location = Buffer.from(targetOf(request)).toString('latin1')
  response.writeHead(302, { location }).end()
}

const sendHtml =
  (htmlFor: (to: string) => string): Route =>
  (request, response) => {
    arrivedHosts.push(request.headers.host!.replace(/:\d+$/, ''))
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(htmlFor(targetOf(request)))
  }

const targetOf = ({ url }: IncomingMessage) => new URL(url!, 'http://attacker.example').searchParams.get('to') ?? ''
const attackerUrl = (path: string, to: string) =>
  `http://attacker.example:${victims.port}${path}?${new URLSearchParams({ to })}`

/** The ways to a URL, as queries. */
const WAYS: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  'as the page': (url) => ({ url }),
  'as the page, captured': (url) => ({ url, screenshot: 'true', meta: 'false' }),
  'by a redirect': (url) => ({ url: attackerUrl('/redirect', url) }),
  'by a redirect, captured': (url) => ({ url: attackerUrl('/redirect', url), screenshot: 'true' }),
  'by a script': (url) => ({ url: attackerUrl('/script', url), screenshot: 'true' }),
  'as an image': (url) => ({ url: attackerUrl('/image', url) }),
  'as an image, embedded': (url) => ({ url: attackerUrl('/image', url), ping: 'false', embed: 'image.url' }),
  'as a background': (url) => ({
    url: attackerUrl('/', ''),
    screenshot: 'true',
    'overlay.background': `${url}file.png`,
  }),
  'as a style': (url) => ({ url: attackerUrl('/', ''), screenshot: 'true', styles: `${url}file.png` }),
}

/** What a caller sees, with `HOST` in place of the name: first, and again when it may be cached. */
async function seenOf(host: string, queryOf: (url: string) => Record<string, string>) {
  const request = async () => {
    const response = await service.get(queryOf(`http://${host}:${victims.port}/`))
    const text = (await response.text()).replaceAll(host, 'HOST').replaceAll(encodeURIComponent(host), 'HOST')
    return { status: response.status, cacheStatus: response.headers.get('x-cache-status'), text: withoutTimes(text) }
  }
  return [await request(), await request()]
}

const withoutTimes = (text: string) =>
  text.replaceAll(/"date":"[^"]*"|[0-9a-f]{64}|"(content-length|date)":"[^"]*"/g, '').replaceAll(/\d+ ?ms/g, '')

describe.runIf(isolated)('guard: names that are private', () => {
  it.each(Object.entries(WAYS))('are tried in a way that reaches a public one, %s', async (way, queryOf) => {
    const host = `${way.replaceAll(/\W+/g, '-')}.public.example`
    await (await service.get(queryOf(`http://${host}:${victims.port}/`))).text()
    expect(arrivedHosts).toContain(host)
  })

  it.each(Object.entries(WAYS))(
    'are not told from one that does not exist, %s',
    async (_, queryOf) => {
      const expected = await seenOf(ABSENT, queryOf)
      for (const host of ['empty.corp.example', ...Object.keys(PRIVATE_ADDRESSES)])
        expect(await seenOf(host, queryOf), host).toEqual(expected)
      expect(victims.arrivals).toEqual([])
    },
    120_000,
  )

  it('fail with EINVALURL and no word on the address', async () => {
    for (const host of [ABSENT, ...Object.keys(PRIVATE_ADDRESSES)]) {
      const response = await service.get({ url: `http://${host}:${victims.port}/` })
      const message = `${host} has no public address, or does not exist. Check the URL.`
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'EINVALURL', message }])
    }
  })
})

const MALFORMED = ['evil.example..', 'evil.example...', 'a..evil.example', '.evil.example', 'evil.example。。']

describe.runIf(isolated)('guard: host names with an empty label', () => {
  it.each(MALFORMED)('%s is invalid', async (host) => {
    const response = await service.get({ url: `http://${host}:${victims.port}/` })
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'EINVALURL' }])
  })

  it.each(Object.entries(WAYS))(
    'do not lead to a host that the operator denies, %s',
    async (_, queryOf) => {
      for (const host of ['evil.example', ...MALFORMED])
        await (await service.get(queryOf(`http://${host}:${victims.port}/`))).text()
      expect(names.lookups.filter((name) => name.includes('evil'))).toEqual([])
      expect(arrivedHosts.filter((host) => host.includes('evil'))).toEqual([])
    },
    120_000,
  )
})

describe('guard: ranges that the operator denies', () => {
  it.each([
    '93.184.215.200',
    '[::ffff:93.184.215.200]',
    '[64:ff9b::93.184.215.200]',
    '[64:ff9b::5db8:d7c8]',
    '[2002:5db8:d7c8::1]',
  ])('are not reached at %s', async (host) => {
    const own = isolated ? service : await startAttackedService({}, [`--deny-target=${DENIED_RANGE}`])
    try {
      const response = await own.get({ url: `http://${host}:8080/` })
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'EFORBIDDENURL' }])
    } finally {
      if (!isolated) await own.stop()
    }
  })
})
