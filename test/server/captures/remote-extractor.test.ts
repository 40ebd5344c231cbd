import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { createRemoteExtractor } from '../../../src/server/captures/index.js'
import { encodeExtraction, encodeFailure } from '../../../src/server/captures/messages.js'
import { isDueToPage, wasNotStarted } from '../../../src/server/jobs/index.js'
import type { Waiter, Waiters, WaitersListener } from '../../../src/server/budget/index.js'
import type { RequestScope } from '../../../src/server/request-scope.js'
import type { Extraction } from '../../../src/server/results/index.js'
import { subjectOfUrl } from '../../../src/server/store/index.js'
import { freePort } from '../../shared/free-port.js'
import { goodResult } from '../extraction-result.js'
import { requestScope } from '../request-scope.js'

const SECRET = 'a secret that fronts and workers share'
const PAGE = 'https://example.com/'
const EXTRACTION: Extraction = { result: goodResult, image: undefined, blocks: undefined, subjects: [], allowances: [] }
const CAPTURE = { 'content-type': 'application/vnd.page-preview.capture' }

type Respond = (response: ServerResponse, request: IncomingMessage) => void

const respondWith =
  (status: number, headers: Record<string, string>, body: Uint8Array | string): Respond =>
  (response) =>
    void response.writeHead(status, headers).end(body)
const capture = respondWith(200, CAPTURE, encodeExtraction(EXTRACTION, 10))
const reset: Respond = (response) => response.destroy()

/** A worker, or a balancer, that responds to each request with the next of some responses, the last one again and again. */
async function startFakeWorker(...responses: Respond[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      responses[Math.min(requests.push(request), responses.length) - 1]!(response, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const extractor = createRemoteExtractor({ workers: `http://127.0.0.1:${port}`, secret: SECRET })
  onTestFinished(async () => {
    await extractor.close()
    server.closeAllConnections()
    server.close()
  })
  const extract = (overrides: Partial<RequestScope> = {}) => extractor.extract(requestScope({ url: PAGE }, overrides))
  const failure = (overrides?: Partial<RequestScope>) =>
    extract(overrides).then(
      () => expect.fail('it succeeded'),
      (error: unknown) => error as PageError,
    )
  return { requests, extractor, extract, failure }
}

it('sends the secret, and finds what the page shows although the worker does not name it', async () => {
  const { extract, requests, extractor } = await startFakeWorker(capture)
  expect(await extract()).toEqual({ ...EXTRACTION, subjects: [subjectOfUrl(PAGE)] })
  expect(requests[0]!.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'x-class': 'free' })
  expect(requests[0]!.url).toBe('/captures')
  expect(extractor.counts()).toEqual({ done: 1, failed: 0, busy: 0, lost: 0, invalid: 0 })
})

it('has the class of the caller with the most of all that wait', async () => {
  const { extract, requests } = await startFakeWorker(capture)
  const waiters: RequestScope['waiters'] = {
    follow(listener) {
      listener.onJoin({ client: '192.0.2.1' })
      listener.onJoin({ client: 'key', hasPriority: true })
      return () => undefined
    },
  }
  await extract({ client: 'background', waiters })
  expect(requests[0]!.headers['x-class']).toBe('pro')
})

describe('a caller with an API key that joins a request without one', () => {
  const PRO = { client: 'key', hasPriority: true }
  const waitersWith = () => {
    const listeners = new Set<WaitersListener>()
    const joined: Waiter[] = []
    const waiters: Waiters = {
      follow(listener) {
        for (const waiter of joined) listener.onJoin(waiter)
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const join = (waiter: Waiter) => {
      joined.push(waiter)
      for (const listener of listeners) listener.onJoin(waiter)
    }
    return { waiters, join }
  }
  const hold: Respond = () => undefined
  const full = respondWith(503, { 'x-queue': '9', 'x-slots': '1' }, '')
  const idle = respondWith(503, { 'x-queue': '0', 'x-slots': '1' }, '')

  it('gives it its own place in a queue', async () => {
    const { extract, failure, requests } = await startFakeWorker(full, hold, capture)
    await failure()
    const { waiters, join } = waitersWith()
    const extraction = extract({ waiters })
    await expect.poll(() => requests.length).toBe(2)
    join({ client: '192.0.2.1' })
    join(PRO)
    expect(await extraction).toMatchObject({ result: EXTRACTION.result })
    expect(requests.map(({ headers }) => headers['x-class'])).toEqual(['free', 'free', 'pro'])
  })

  it('leaves it where it is when nothing waits, because it runs already', async () => {
    let finish = () => {}
    const { extract, failure, requests } = await startFakeWorker(idle, (response, request) => {
      finish = () => capture(response, request)
    })
    await failure()
    const { waiters, join } = waitersWith()
    const extraction = extract({ waiters })
    await expect.poll(() => requests.length).toBe(2)
    join(PRO)
    finish()
    expect(await extraction).toMatchObject({ result: EXTRACTION.result })
    expect(requests).toHaveLength(2)
  })
})

describe('a response that no worker sends', () => {
  it.each<[string, Respond]>([
    ['a page', respondWith(200, { 'content-type': 'text/html' }, '<html>')],
    ['no line', respondWith(200, CAPTURE, '')],
    ['an endless line', respondWith(200, CAPTURE, 'x'.repeat(3_000_000))],
    ['another version', respondWith(200, CAPTURE, '{"version":9}\n')],
    [
      'more bytes than its image has',
      respondWith(200, CAPTURE, Buffer.concat([encodeExtraction(EXTRACTION, 1), Buffer.of(1)])),
    ],
    ['a redirect', respondWith(302, { location: 'http://169.254.169.254/' }, '')],
    ['a refusal of the secret', respondWith(401, {}, encodeFailure(new PageError('EAUTH', 'No.')).body)],
    ['an error of another service', respondWith(404, {}, '{"error":"not found"}')],
  ])('fails the request without its details: %s', async (_, respond) => {
    const { failure, requests, extractor } = await startFakeWorker(respond)
    const error = await failure()
    expect(error).toMatchObject({ code: 'EFATAL', message: 'A worker of the service did not respond as expected.' })
    expect(isDueToPage(error)).toBe(false)
    expect(requests).toHaveLength(1)
    expect(extractor.counts().invalid).toBe(1)
  })

  it('is not read beyond the size of the largest capture', async () => {
    let hasClosed = false
    const endless: Respond = (response) => {
      response.writeHead(200, CAPTURE)
      const chunk = Buffer.alloc(1_000_000)
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', write).on('close', () => (hasClosed = true))
      write()
    }
    const { failure } = await startFakeWorker(endless)
    expect(await failure()).toMatchObject({ code: 'EFATAL' })
    await expect.poll(() => hasClosed).toBe(true)
  })
})

describe('a lost connection', () => {
  it('is tried again once if no response has begun', async () => {
    const { extract, requests } = await startFakeWorker(reset, capture)
    expect(await extract()).toMatchObject({ result: EXTRACTION.result })
    expect(requests).toHaveLength(2)
  })

  it.each<[string, number, Respond[]]>([
    ['twice in a row', 2, [reset, reset, capture]],
    ['within a response', 1, [(response) => response.writeHead(200, CAPTURE).write('{', () => response.destroy())]],
    ['behind a balancer', 1, [respondWith(502, {}, '<html>502 Bad Gateway</html>')]],
  ])('is no failure of the page, and no capture that was not started: %s', async (_, attempts, responses) => {
    const { failure, requests, extractor } = await startFakeWorker(...responses)
    const error = await failure()
    expect(error.code).toBe('EUNREACHABLE')
    expect(isDueToPage(error)).toBe(false)
    expect(wasNotStarted(error)).toBe(false)
    expect(requests).toHaveLength(attempts)
    expect(extractor.counts().lost).toBe(1)
  })

  it('is EBUSY, and refunded, if there is no worker', async () => {
    const extractor = createRemoteExtractor({ workers: `http://127.0.0.1:${await freePort()}`, secret: SECRET })
    onTestFinished(() => extractor.close())
    const error = await extractor.extract(requestScope({ url: PAGE })).catch((error: unknown) => error as PageError)
    expect(error).toMatchObject({ code: 'EBUSY' })
    expect(wasNotStarted(error as PageError)).toBe(true)
  })
})

describe('a full queue', () => {
  it.each<{ headers: Record<string, string>; retryAfterMs: number }>([
    // A capture takes a second until one was measured.
    { headers: { 'x-queue': '30', 'x-slots': '4', 'retry-after': '5' }, retryAfterMs: 7_500 },
    { headers: { 'x-queue': '0', 'x-slots': '4' }, retryAfterMs: 1_000 },
    { headers: { 'x-queue': '9999', 'x-slots': '0' }, retryAfterMs: 60_000 },
    { headers: { 'retry-after': '5' }, retryAfterMs: 5_000 },
    { headers: {}, retryAfterMs: 2_000 },
    { headers: { 'x-queue': 'many', 'retry-after': 'soon' }, retryAfterMs: 2_000 },
  ])('is refunded, with the time until it is empty: $headers', async ({ headers, retryAfterMs }) => {
    const { failure, extractor } = await startFakeWorker(respondWith(503, headers, ''))
    const error = await failure()
    expect(error).toMatchObject({ code: 'EBUSY', retryAfterMs })
    expect(wasNotStarted(error)).toBe(true)
    expect(extractor.counts().busy).toBe(1)
  })

  it('is estimated by the captures before', async () => {
    const slow = respondWith(200, CAPTURE, encodeExtraction(EXTRACTION, 3_000))
    const full = respondWith(503, { 'x-queue': '10', 'x-slots': '1' }, '')
    const { extract, failure } = await startFakeWorker(slow, full)
    await extract()
    expect((await failure()).retryAfterMs).toBe(12_500)
  })
})

it('reports the error of a worker', async () => {
  const error = new PageError('EELEMENT', 'Missing.', { data: { element: 'missing' } })
  const { failure, extractor } = await startFakeWorker(respondWith(422, {}, encodeFailure(error).body))
  expect(await failure()).toMatchObject({ code: 'EELEMENT', message: 'Missing.', data: { element: 'missing' } })
  expect(extractor.counts().failed).toBe(1)
})

it('closes the connection when nobody waits any more', async () => {
  const leaving = new AbortController()
  let hasClosed = false
  const { failure, requests } = await startFakeWorker((response) => {
    response.on('close', () => (hasClosed = true))
    leaving.abort(new Error('left'))
  })
  expect(await failure({ signal: leaving.signal })).toMatchObject({ message: 'left' })
  await expect.poll(() => hasClosed).toBe(true)
  expect(requests).toHaveLength(1)
})
