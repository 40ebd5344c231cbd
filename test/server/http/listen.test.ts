import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { errorCodes, type ErrorCode } from '../../../src/query/index.js'
import { listen } from '../../../src/server/http/index.js'
import { startService, type StartedService } from '../../shared/start-service.js'
import { LISTEN_OPTIONS } from './listen-options.js'

const LONG = 'y'.repeat(70_000)
const LONG_HOST = 'y'.repeat(1_000)
const CLOSE = 'Host: previews.test\r\nConnection: close'

let serving: StartedService

beforeAll(async () => {
  serving = await startService()
})
afterAll(async () => {
  await serving.stop()
})

/**
 * Sends bytes and returns everything that the service sends until it closes the connection; the client's end stays open.
 *
 * @param later  More bytes, sent once the service has responded.
 */
function exchange(text: string, to = serving.free, later?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(to).port), host: '127.0.0.1', allowHalfOpen: true })
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    if (later !== undefined) socket.once('data', () => socket.write(later))
    socket.on('end', () => {
      resolve(Buffer.concat(parts).toString())
      socket.destroy()
    })
    socket.on('error', reject)
    socket.write(Buffer.from(text, 'latin1'))
  })
}

function readResponse(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}

describe('over a socket', () => {
  it.each([
    ['text that is not HTTP', 'NONSENSE\r\n\r\n', 'EINVALQUERY'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'EINVALQUERY'],
    ['an unknown HTTP version', `GET / HTTP/3.7\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
    ['a header that is too large', `GET / HTTP/1.1\r\n${CLOSE}\r\nX-Long: ${LONG}\r\n\r\n`, 'EINVALQUERY'],
    [
      'a name of a header that is too long',
      `GET / HTTP/1.1\r\n${CLOSE}\r\n${'x'.repeat(300)}: 1\r\n\r\n`,
      'EINVALQUERY',
    ],
    ['a path that is too long', `GET /?url=${LONG} HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
    ['a header line without a colon', `GET / HTTP/1.1\r\n${CLOSE}\r\nno header\r\n\r\n`, 'EINVALQUERY'],
    [
      'two body lengths',
      `POST / HTTP/1.1\r\n${CLOSE}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'EINVALQUERY',
    ],
    ['no Host', 'GET /?url=x HTTP/1.1\r\nConnection: close\r\n\r\n', 'EINVALQUERY'],
    ['an invalid Host', 'GET /?url=x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 'EINVALQUERY'],
    ['a Host with a path', 'GET /?url=x HTTP/1.1\r\nHost: a/@b\r\nConnection: close\r\n\r\n', 'EINVALQUERY'],
    [
      'a Host with an invalid port',
      'GET /?url=x HTTP/1.1\r\nHost: a:99999\r\nConnection: close\r\n\r\n',
      'EINVALQUERY',
    ],
    [
      'a Host that is too long',
      `GET /healthz HTTP/1.1\r\nHost: ${LONG_HOST}\r\nConnection: close\r\n\r\n`,
      'EINVALQUERY',
    ],
    [
      'an absolute URL whose host is too long',
      `GET http://${LONG_HOST}/healthz HTTP/1.1\r\n${CLOSE}\r\n\r\n`,
      'EINVALQUERY',
    ],
    ['a path that is no path', `GET * HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
    ['a wrong method', `POST / HTTP/1.1\r\n${CLOSE}\r\nContent-Length: 3\r\n\r\nabc`, 'EMETHOD'],
    [
      'a wrong method with Expect: 100-continue',
      `PUT / HTTP/1.1\r\n${CLOSE}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
      'EMETHOD',
    ],
    ['TRACE', `TRACE / HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EMETHOD'],
    ['CONNECT', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n', 'EMETHOD'],
    ['an unknown path', `GET /nothing HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['a path that leads out of the root', `GET /../../etc/passwd HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['an unknown path that cannot be decoded', `GET /images/%E0%A4%A HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['a missing file of the playground', `GET /playground/no.js HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['an absolute URL of another host', `GET http://other.test/nothing HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['an unknown expectation', `GET /?url=x HTTP/1.1\r\n${CLOSE}\r\nExpect: miracles\r\n\r\n`, 'EINVALURL'],
    ['an invalid parameter', `GET /?url=https://a.test/&screenshot=maybe HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
  ] as [string, string, ErrorCode][])(
    'responds to %s with a JSON error and closes the connection',
    async (_, request, code) => {
      const received = await exchange(request)
      const { status, headers, body } = readResponse(received.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))
      expect(status).toBe(errorCodes[code])
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        connection: 'close',
        ...(code === 'EMETHOD' && { allow: 'GET, HEAD, OPTIONS' }),
      })
      expect(JSON.parse(body)).toEqual({
        status: 'fail',
        code,
        message: expect.stringMatching(/\.$/),
        more: expect.stringMatching(new RegExp(`^http://[^/]+/playground/errors\\.html#${code}$`)),
        data: expect.any(Object),
      })
    },
  )

  it('responds with 401 on the pro host without a key', async () => {
    const { status, body } = readResponse(
      await exchange(`GET /?url=https://a.test/ HTTP/1.1\r\n${CLOSE}\r\n\r\n`, serving.pro),
    )
    expect([status, JSON.parse(body)]).toMatchObject([401, { code: 'EAUTH' }])
  })

  it('keeps serving after malformed bytes that follow a valid request', async () => {
    await exchange('GET /healthz HTTP/1.1\r\nHost: previews.test\r\n\r\nNONSENSE\r\n\r\n')
    await exchange(`GET /?url=http://no-such-host.invalid/ HTTP/1.1\r\nHost: previews.test\r\n\r\n\x00\x00`)
    const { status } = readResponse(await exchange(`GET /healthz HTTP/1.1\r\n${CLOSE}\r\n\r\n`))
    expect(status).toBe(200)
  })

  it('keeps the connection open after an error response to a well-formed request', async () => {
    const first = 'GET /nothing HTTP/1.1\r\nHost: previews.test\r\n\r\n'
    const received = await exchange(`${first}GET /nothing HTTP/1.1\r\n${CLOSE}\r\n\r\n`)
    expect(received.match(/HTTP\/1\.1 404 Not Found/g)).toHaveLength(2)
  })

  it('closes the connection after a malformed request even if the client leaves it open', async () => {
    const socket = connect({ port: Number(new URL(serving.free).port), host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => socket.destroy())
    socket.on('data', () => undefined)
    // Keeps sending, so that the closed socket is noticed.
    const timer = setInterval(() => socket.write('more'), 50)
    socket.write('CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n')
    await closed
    clearInterval(timer)
  })
})

describe('a client that sends requests without taking responses', () => {
  const pipeline = (count: number) => `GET /healthz HTTP/1.1\r\nHost: previews.test\r\n\r\n`.repeat(count)

  it('is disconnected beyond a few of them', async () => {
    const received = await exchange(pipeline(500))
    expect(received.split('HTTP/1.1 200 OK').length - 1).toBeLessThanOrEqual(8)
    expect((await fetch(`${serving.free}/healthz`)).status).toBe(200)
  })

  it('gets the responses to a few of them, in order', async () => {
    const received = await exchange(`${pipeline(4)}GET /nowhere HTTP/1.1\r\n${CLOSE}\r\n\r\n`)
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array<string>(4).fill('HTTP/1.1 200'), 'HTTP/1.1 404'])
  })
})

describe('a request for a host that is longer than any', () => {
  const LONG = `a${'%CC%A7%CC%81'.repeat(100)}`
  it.each([
    ['in the Host header', `GET / HTTP/1.1\r\nHost: ${LONG}`],
    ['in the first line', `GET http://${LONG}/ HTTP/1.1\r\nHost: previews.test`],
    ['that has a user name', `GET http://a@${LONG}/ HTTP/1.1\r\nHost: previews.test`],
    ['in the Host header of a health check', `GET /healthz HTTP/1.0\r\nHost: ${LONG}`],
  ])('is refused before its host is parsed: %s', async (_, head) => {
    const received = await exchange(`${head}\r\nConnection: close\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(received).toContain('The host of the request is too long.')
  })

  it.each([`http:\\\\${LONG}/`, LONG, `//${LONG}/`])('is refused in place of a path: %s', async (target) => {
    const received = await exchange(`GET ${target} HTTP/1.1\r\n${CLOSE}\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 40[04] /)
  })

  it('and its path is not limited by that', async () => {
    const path = `/${'a'.repeat(5_000)}`
    expect(await exchange(`GET http://previews.test${path} HTTP/1.1\r\n${CLOSE}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
  })
})

describe('HTTP/1.0 without a Host header, as health checks of load balancers send it', () => {
  it.each(['/healthz', '/readyz', '/openapi.json'])('gets %s', async (path) => {
    expect(readResponse(await exchange(`GET ${path} HTTP/1.0\r\n\r\n`)).status).toBe(200)
  })
})

describe('malformed bytes after a request', () => {
  const REQUEST = `GET / HTTP/1.1\r\nHost: previews.test\r\n\r\n`
  const malformed = {
    'that are not HTTP': 'NONSENSE\r\n\r\n',
    'with a long header name': `GET / HTTP/1.1\r\nHost: previews.test\r\n${'x'.repeat(300)}: 1\r\n\r\n`,
    CONNECT: 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n',
  }

  /** Serves one response to all requests. */
  async function listenWith(respond: () => Promise<Response>) {
    const listener = await listen({ fetch: respond, cachedResponse: () => undefined }, LISTEN_OPTIONS)
    onTestFinished(() => listener.closeConnections())
    onTestFinished(() => void listener.close())
    return listener
  }

  /** Serves one response to all requests, and returns what a client gets. */
  const exchangeWith = async (respond: () => Promise<Response>, text: string, later?: string) =>
    exchange(text, (await listenWith(respond)).url, later)

  it.each(Object.entries(malformed))('are not answered inside of its response: %s', async (_, text) => {
    const respond = async () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from('first half')),
        }),
      )
    const received = await exchangeWith(respond, REQUEST + text)
    expect(received).not.toContain('EINVALQUERY')
    expect(received).not.toContain('EMETHOD')
  })

  it.each(Object.entries(malformed))('are not answered before it is: %s', async (_, text) => {
    expect(await exchangeWith(() => new Promise(() => undefined), REQUEST + text)).toBe('')
  })

  it.each(Object.entries(malformed))('are answered after its response: %s', async (_, text) => {
    const received = await exchangeWith(async () => new Response('whole'), REQUEST, text)
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', expect.stringMatching(/40[05]$/)])
  })

  it('are answered when the listener closes before they are complete', async () => {
    const listener = await listenWith(async () => {
      void listener.close()
      return new Response('whole')
    })
    const received = await exchange(`${REQUEST}GET / `, listener.url, 'NONSENSE\r\n\r\n')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('are answered when they are its own body', async () => {
    const post = 'POST / HTTP/1.1\r\nHost: previews.test\r\nTransfer-Encoding: chunked\r\n\r\nNONSENSE\r\n'
    expect(await exchangeWith(() => new Promise(() => undefined), post)).toMatch(/^HTTP\/1\.1 400 .*EINVALQUERY/s)
  })
})
