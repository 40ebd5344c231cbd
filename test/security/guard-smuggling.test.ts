// Covers requests that the egress proxy or the listener could read otherwise than whoever comes before or behind them.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGuardedService, type GuardedService } from './guarded-service.js'
import { listeningPorts } from './listening-ports.js'

let service: GuardedService
let proxyPort: number
beforeAll(async () => {
  service = await startGuardedService({ '/': '<title>Allowed</title>', '/smuggled': '<title>Smuggled</title>' })
  const own = [service.url, service.proUrl].map((url) => Number(new URL(url).port))
  await (await service.get({ url: `${service.site.url}/`, screenshot: 'true' })).arrayBuffer()
  // That of the page which is open in advance; the proxies of closed pages close a moment after them.
  await vi.waitFor(
    () => {
      const ports = listeningPorts(service.pid).filter((port) => !own.includes(port))
      expect(ports).toHaveLength(1)
      proxyPort = ports[0]!
    },
    { timeout: 20_000, interval: 200 },
  )
})
afterAll(() => service.stop())

/** Sends bytes and returns what comes back until the connection closes, or nothing has come for a while. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1'))).on('error', () => socket.destroy())
  // A connection that the other side is to close needs no such limit but for failures.
  socket.setTimeout(bytes.includes('Connection: close') ? 5_000 : 400, () => socket.destroy())
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return received
}

const CRLF = '\r\n'
const message = (...lines: string[]) => lines.join(CRLF)
/** A request with `body` behind headers that disagree about its length. */
const withBody = (start: string, headers: string[], body: string) => message(start, ...headers, '', body)

/** Each gets `HOST:PORT` of an allowed target and of a victim. */
const PROXY_REQUESTS: Record<string, (allowed: string, victim: string) => string> = {
  'a plain request': (_, victim) => message(`GET http://${victim}/ HTTP/1.1`, `Host: ${victim}`, '', ''),
  'an allowed Host header': (allowed, victim) => message(`GET http://${victim}/ HTTP/1.1`, `Host: ${allowed}`, '', ''),
  'the Host header of a victim': (allowed, victim) =>
    message(`GET http://${allowed}/ HTTP/1.1`, `Host: ${victim}`, 'Connection: close', '', ''),
  'two Host headers': (allowed, victim) =>
    message(`GET http://${allowed}/ HTTP/1.1`, `Host: ${allowed}`, `Host: ${victim}`, 'Connection: close', '', ''),
  'an origin form': (_, victim) => message('GET / HTTP/1.1', `Host: ${victim}`, '', ''),
  'a scheme-relative form': (_, victim) => message(`GET //${victim}/ HTTP/1.1`, `Host: ${victim}`, '', ''),
  'an https URL': (_, victim) => message(`GET https://${victim}/ HTTP/1.1`, `Host: ${victim}`, '', ''),
  'allowed user info': (allowed, victim) =>
    message(`GET http://${allowed}@${victim}/ HTTP/1.1`, `Host: ${allowed}`, '', ''),
  'a backslash': (allowed, victim) =>
    message(`GET http://${victim}\\@${allowed}/ HTTP/1.1`, `Host: ${allowed}`, '', ''),
  'a tab in the host': (_, victim) =>
    message(`GET http://${victim.slice(0, 3)}\t${victim.slice(3)}/ HTTP/1.1`, 'Host: a', '', ''),
  'a second request in the pipeline': (allowed, victim) =>
    message(
      `GET http://${allowed}/ HTTP/1.1`,
      `Host: ${allowed}`,
      '',
      `GET http://${victim}/ HTTP/1.1`,
      `Host: ${victim}`,
      '',
      '',
    ),
  'a request in a body with both lengths': (allowed, victim) =>
    withBody(
      `POST http://${allowed}/ HTTP/1.1`,
      [`Host: ${allowed}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0${CRLF}${CRLF}GET http://${victim}/ HTTP/1.1${CRLF}Host: ${victim}${CRLF}${CRLF}`,
    ),
  'two lengths': (allowed, victim) =>
    withBody(
      `POST http://${allowed}/ HTTP/1.1`,
      [`Host: ${allowed}`, 'Content-Length: 0', 'Content-Length: 90'],
      `GET http://${victim}/ HTTP/1.1${CRLF}Host: ${victim}${CRLF}${CRLF}`,
    ),
  'an obscure transfer coding': (allowed, victim) =>
    withBody(
      `POST http://${allowed}/ HTTP/1.1`,
      [`Host: ${allowed}`, 'Transfer-Encoding: xchunked'],
      `0${CRLF}${CRLF}GET http://${victim}/ HTTP/1.1${CRLF}Host: ${victim}${CRLF}${CRLF}`,
    ),
  'a folded header': (allowed, victim) =>
    withBody(
      `POST http://${allowed}/ HTTP/1.1`,
      [`Host: ${allowed}`, 'Transfer-Encoding:', ' chunked'],
      `0${CRLF}${CRLF}GET http://${victim}/ HTTP/1.1${CRLF}Host: ${victim}${CRLF}${CRLF}`,
    ),
  'a chunk extension with a request': (allowed, victim) =>
    withBody(
      `POST http://${allowed}/ HTTP/1.1`,
      [`Host: ${allowed}`, 'Transfer-Encoding: chunked'],
      `1;a=\nGET http://${victim}/ HTTP/1.1${CRLF}a${CRLF}0${CRLF}${CRLF}`,
    ),
  'a bare line feed': (allowed, victim) =>
    `GET http://${allowed}/ HTTP/1.1\nHost: ${allowed}\n\nGET http://${victim}/ HTTP/1.1\nHost: ${victim}\n\n`,
  'a request behind an upgrade': (allowed, victim) =>
    message(
      `GET http://${allowed}/ HTTP/1.1`,
      `Host: ${allowed}`,
      'Connection: Upgrade',
      'Upgrade: h2c',
      '',
      `GET http://${victim}/ HTTP/1.1`,
      `Host: ${victim}`,
      '',
      '',
    ),
  'a tunnel': (_, victim) => message(`CONNECT ${victim} HTTP/1.1`, `Host: ${victim}`, '', 'GET / HTTP/1.1', '', ''),
  'a tunnel with an allowed Host header': (allowed, victim) =>
    message(`CONNECT ${victim} HTTP/1.1`, `Host: ${allowed}`, '', 'GET / HTTP/1.1', '', ''),
  'a tunnel with user info': (allowed, victim) =>
    message(`CONNECT ${allowed}@${victim} HTTP/1.1`, `Host: ${allowed}`, '', 'x'),
  'a tunnel to a decimal address': (_, victim) =>
    message(`CONNECT 2130706433:${victim.split(':').at(-1)} HTTP/1.1`, 'Host: a', '', 'x'),
  'a tunnel to a mapped address': (_, victim) =>
    message(`CONNECT [::ffff:127.0.0.1]:${victim.split(':').at(-1)} HTTP/1.1`, 'Host: a', '', 'x'),
  'a tunnel to a name with a zero byte': (allowed, victim) =>
    message(`CONNECT ${victim}\0.${allowed} HTTP/1.1`, 'Host: a', '', 'x'),
  'a tunnel with a fragment': (allowed, victim) =>
    message(`CONNECT ${victim.split(':')[0]}#.a:${allowed.split(':')[1]} HTTP/1.1`, 'Host: a', '', 'x'),
  'bytes for a victim in an allowed tunnel': (allowed, victim) =>
    message(
      `CONNECT ${allowed} HTTP/1.1`,
      `Host: ${allowed}`,
      '',
      `CONNECT ${victim} HTTP/1.1`,
      `Host: ${victim}`,
      '',
      'x',
    ),
}

/** Requests that hide a second one, which must not be handled; with how many responses they get at most. */
const LISTENER_REQUESTS: Record<string, [bytes: (hidden: string) => string, responses: number]> = {
  'a body of a GET': [
    (hidden) => withBody('GET /healthz HTTP/1.1', ['Host: a', `Content-Length: ${hidden.length}`], hidden),
    1,
  ],
  'a body with both lengths': [
    (hidden) =>
      withBody(
        'POST / HTTP/1.1',
        ['Host: a', 'Content-Length: 4', 'Transfer-Encoding: chunked'],
        `0${CRLF}${CRLF}${hidden}`,
      ),
    1,
  ],
  'a chunked body': [
    (hidden) =>
      withBody(
        'GET /healthz HTTP/1.1',
        ['Host: a', 'Transfer-Encoding: chunked'],
        `${hidden.length.toString(16)}${CRLF}${hidden}${CRLF}0${CRLF}${CRLF}`,
      ),
    1,
  ],
  'two lengths': [
    (hidden) =>
      withBody('GET /healthz HTTP/1.1', ['Host: a', 'Content-Length: 0', `Content-Length: ${hidden.length}`], hidden),
    1,
  ],
  'an obscure transfer coding': [
    (hidden) =>
      withBody(
        'GET /healthz HTTP/1.1',
        ['Host: a', 'Transfer-Encoding: chunked, identity'],
        `0${CRLF}${CRLF}${hidden}`,
      ),
    1,
  ],
  'white space before the colon': [
    (hidden) =>
      withBody('GET /healthz HTTP/1.1', ['Host: a', 'Transfer-Encoding : chunked'], `0${CRLF}${CRLF}${hidden}`),
    1,
  ],
  'a signed length': [(hidden) => withBody('GET /healthz HTTP/1.1', ['Host: a', 'Content-Length: +0'], hidden), 1],
  'an upgrade to h2c': [
    (hidden) => withBody('CONNECT a:80 HTTP/1.1', ['Host: a', 'Connection: Upgrade', 'Upgrade: h2c'], hidden),
    1,
  ],
}

/** Values that would become header lines of a response, if anything copied them there. */
const INJECTIONS = [
  '%0d%0ax-injected:%201',
  '%0ax-injected:%201',
  '%0dx-injected:%201',
  '%E5%98%8D%E5%98%8Ax-injected:%201',
  '%00x-injected:%201',
  '%22%0d%0a%0d%0a<script>',
]
const PLACES: Record<string, (value: string) => string> = {
  'the URL': (value) => `/?url=${encodeURIComponent(service.site.url)}/${value}&embed=html`,
  'the fragment': (value) => `/?url=${encodeURIComponent(`${service.site.url}/#`)}${value}&embed=html`,
  'an unknown parameter': (value) => `/?url=${encodeURIComponent(service.site.url)}&a${value}=b`,
  'a path': (value) => `/images/${value}`,
  'the playground': (value) => `/playground/${value}`,
  'a doubled slash': (value) => `//${value}/..`,
  oembed: (value) => `/oembed?url=${encodeURIComponent(service.site.url)}/${value}&maxwidth=${value}`,
}

describe('guard: smuggling', () => {
  it('finds the egress proxy, which passes a request to an allowed target', async () => {
    const { host } = service.site
    expect(
      await send(proxyPort, message(`GET http://${host}/ HTTP/1.1`, `Host: ${host}`, 'Connection: close', '', '')),
    ).toContain('Allowed')
  })

  it.each(Object.keys(PROXY_REQUESTS))('passes nothing to a victim: %s', async (name) => {
    const { host } = service.site
    for (const victim of ['127.0.0.1', '[::1]'])
      await send(proxyPort, PROXY_REQUESTS[name]!(host, `${victim}:${service.victims.port}`))
    expect(service.victims.arrivals).toEqual([])
  })

  it.each(Object.keys(LISTENER_REQUESTS))('handles no request hidden in %s', async (name) => {
    const [bytes, responses] = LISTENER_REQUESTS[name]!
    const hidden = message(
      `GET /?url=${encodeURIComponent(`${service.site.url}/smuggled`)} HTTP/1.1`,
      'Host: a',
      '',
      '',
    )
    const received = await send(Number(new URL(service.url).port), bytes(hidden))
    expect(received.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0).toBeLessThanOrEqual(responses)
    expect(service.site.requests).not.toContain('GET /smuggled')
  })

  it.each(Object.keys(PLACES).flatMap((place) => INJECTIONS.map((value) => ({ place, value }))))(
    'sends no header of $value in $place',
    async ({ place, value }) => {
      const request = message(`GET ${PLACES[place]!(value)} HTTP/1.1`, 'Host: a', 'Connection: close', '', '')
      const received = await send(Number(new URL(service.url).port), request)
      expect(received).toMatch(/^HTTP\/1\.1 \d{3}/)
      const [head = ''] = received.split('\r\n\r\n')
      expect(head).not.toMatch(/^x-injected/im)
      expect(head).not.toMatch(/[^\r]\n|\r[^\n]/)
    },
  )

  it.each(['evil.test', 'a"b', 'a<script>', 'a/../b', 'a@b', 'a b', '', '[::1', 'a:99999', 'a\\b', 'é'])(
    'sends no page and no redirect to another host for the Host header %s',
    async (host) => {
      for (const path of ['/', '/playground', '//evil.test/', '/\\evil.test', '/?url=x']) {
        const request = message(
          `GET ${path} HTTP/1.1`,
          `Host: ${host}`,
          'Accept: text/html',
          'Connection: close',
          '',
          '',
        )
        const received = await send(Number(new URL(service.url).port), request)
        const [, location] = /^location: (.*)$/im.exec(received) ?? []
        expect([undefined, '/playground/']).toContain(location?.trim())
        expect(received).not.toContain('<script>')
      }
    },
  )
})
