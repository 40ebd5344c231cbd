import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../src/query/index.js'
import { startService, type StartedService } from '../shared/start-service.js'

const LONG = 'y'.repeat(70_000)
const CLOSE = 'Host: previews.test\r\nConnection: close'

let serving: StartedService

beforeAll(async () => {
  serving = await startService()
})
afterAll(async () => {
  await serving.stop()
})

/** What the service says to some bytes until it closes the connection; our own end stays open. */
function say(text: string, to = serving.free): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(to).port), host: '127.0.0.1', allowHalfOpen: true })
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
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
    ['no HTTP at all', 'NONSENSE\r\n\r\n', 'EINVALQUERY'],
    ['the start of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'EINVALQUERY'],
    ['a version that there is not', `GET / HTTP/3.7\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
    ['a header that is too large', `GET / HTTP/1.1\r\n${CLOSE}\r\nX-Long: ${LONG}\r\n\r\n`, 'EINVALQUERY'],
    ['an address that is too long', `GET /?url=${LONG} HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
    ['a header that is none', `GET / HTTP/1.1\r\n${CLOSE}\r\nno header\r\n\r\n`, 'EINVALQUERY'],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${CLOSE}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'EINVALQUERY',
    ],
    ['no Host', 'GET /?url=x HTTP/1.1\r\nConnection: close\r\n\r\n', 'EINVALQUERY'],
    ['no Host, as old clients do', 'GET /?url=x HTTP/1.0\r\n\r\n', 'EINVALQUERY'],
    ['a Host that is none', 'GET /?url=x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 'EINVALQUERY'],
    ['a Host with a path', 'GET /?url=x HTTP/1.1\r\nHost: a/@b\r\nConnection: close\r\n\r\n', 'EINVALQUERY'],
    [
      'a Host with a port that is none',
      'GET /?url=x HTTP/1.1\r\nHost: a:99999\r\nConnection: close\r\n\r\n',
      'EINVALQUERY',
    ],
    ['an address that is none', `GET * HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
    ['a wrong method', `POST / HTTP/1.1\r\n${CLOSE}\r\nContent-Length: 3\r\n\r\nabc`, 'EMETHOD'],
    [
      'a wrong method that waits for leave',
      `PUT / HTTP/1.1\r\n${CLOSE}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
      'EMETHOD',
    ],
    ['a method that nobody may use', `TRACE / HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EMETHOD'],
    ['a wish for a proxy', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n', 'EMETHOD'],
    ['an unknown path', `GET /nothing HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['an unknown path that leads out', `GET /../../etc/passwd HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['an unknown path that cannot be decoded', `GET /images/%E0%A4%A HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['a file of the playground that there is not', `GET /playground/no.js HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['the address of another host', `GET http://other.test/nothing HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'ENOTFOUND'],
    ['an expectation', `GET /?url=x HTTP/1.1\r\n${CLOSE}\r\nExpect: miracles\r\n\r\n`, 'EINVALURL'],
    ['a bad word', `GET /?url=https://a.test/&screenshot=maybe HTTP/1.1\r\n${CLOSE}\r\n\r\n`, 'EINVALQUERY'],
  ] as [string, string, ErrorCode][])(
    '%s is answered with JSON, and the connection closed',
    async (_, request, code) => {
      const told = await say(request)
      const { status, headers, body } = readResponse(told.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))
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

  it('the pro host asks for a key', async () => {
    const { status, body } = readResponse(
      await say(`GET /?url=https://a.test/ HTTP/1.1\r\n${CLOSE}\r\n\r\n`, serving.pro),
    )
    expect([status, JSON.parse(body)]).toMatchObject([401, { code: 'EAUTH' }])
  })

  it('what cannot be read behind what can takes nothing down', async () => {
    await say('GET /healthz HTTP/1.1\r\nHost: previews.test\r\n\r\nNONSENSE\r\n\r\n')
    await say(`GET /?url=http://no-such-host.invalid/ HTTP/1.1\r\nHost: previews.test\r\n\r\n\x00\x00`)
    const { status } = readResponse(await say(`GET /healthz HTTP/1.1\r\n${CLOSE}\r\n\r\n`))
    expect(status).toBe(200)
  })

  it('a connection is kept for the next request after an error that could be read', async () => {
    const first = 'GET /nothing HTTP/1.1\r\nHost: previews.test\r\n\r\n'
    const told = await say(`${first}GET /nothing HTTP/1.1\r\n${CLOSE}\r\n\r\n`)
    expect(told.match(/HTTP\/1\.1 404 Not Found/g)).toHaveLength(2)
  })

  it('a connection that the other end leaves open after its mistake is closed all the same', async () => {
    const socket = connect({ port: Number(new URL(serving.free).port), host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => socket.destroy())
    socket.on('data', () => undefined)
    // Goes on talking, so that a socket which is gone is noticed.
    const timer = setInterval(() => socket.write('more'), 50)
    socket.write('CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n')
    await closed
    clearInterval(timer)
  })
})
