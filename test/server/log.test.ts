import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PageError } from '../../src/query/index.js'
import { createErrorLog, createLogger, createRequestLog, type FinishedRequest } from '../../src/server/log.js'
import { type LogLine, recordingLog } from '../shared/recording-log.js'

it('writes JSON lines in which nothing from outside is obeyed or hidden by a terminal', () => {
  const lines: string[] = []
  const reason = 'a\u001b[2J\u009b2J\u007f\r\n\u202E\u{E0041}z'
  createLogger('info', { write: (line) => void lines.push(line) }).warn({ reason }, reason)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[ -~]+\n$/)
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, reason, msg: reason })
})

let lines: LogLine[]

const requestLog = ({ accessLog = false } = {}) => {
  const { log, lines: written } = recordingLog()
  lines = written
  return createRequestLog({ log, accessLog })
}
const finished = (changes: Partial<FinishedRequest> = {}): FinishedRequest => ({
  method: 'GET',
  url: 'http://previews.test/?url=https%3A%2F%2Fexample.com%2Fprivate%3Ftoken%3Dhush&apiKey=hush',
  status: 400,
  cacheStatus: 'none',
  requestId: 'id-1',
  traceId: undefined,
  network: '192.0.2.1',
  startedAt: performance.now(),
  error: new PageError('EINVALQUERY', 'No such parameter.'),
  ...changes,
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the line of a failed request', () => {
  it('has code, status, host of the target, request ID, duration and the hashed client, and nothing of the URL', () => {
    requestLog().recordFailure(finished({ traceId: '0af7651916cd43dd8448eb211c80319c' }))
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'request failed',
        event: 'request-failed',
        code: 'EINVALQUERY',
        status: 400,
        targetHost: 'example.com',
        requestId: 'id-1',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        durationMs: expect.any(Number),
        client: expect.stringMatching(/^[\da-f]{16}$/),
      },
    ])
    expect(JSON.stringify(lines)).not.toContain('hush')
  })

  it('names the error that the one for the caller hides', () => {
    const cause = new PageError('EFORBIDDENURL', 'It is not a public address.')
    requestLog().recordFailure(finished({ error: new PageError('EINVALURL', 'It does not exist.', { cause }) }))
    expect(lines[0]).toMatchObject({ code: 'EINVALURL', causeCode: 'EFORBIDDENURL' })
  })

  it('states the error that was not expected, without the paths and queries of its URLs', () => {
    const cause = new Error('GET https://user:hush@example.com:81/private?token=hush failed')
    requestLog().recordFailure(finished({ status: 500, error: new TypeError('Broken.', { cause }) }))
    const error = String(lines[0]!.error)
    expect(lines[0]).toMatchObject({ level: 'error', code: 'EFATAL' })
    expect(error).toMatch(/^TypeError: Broken\./)
    expect(error).toContain('GET https://example.com:81 failed')
    expect(error).not.toContain('hush')
    expect(error.length).toBeLessThanOrEqual(4_000)
  })

  it.each([0, 1, 7, 12, 20, 40])('states no part of a URL that is cut after %i characters', (chars) => {
    const url = 'redis://operator:hush@cache.example.com/private'
    const error = new Error('')
    error.stack = `${'x'.repeat(4_000 - chars - 1)} ${url}`
    requestLog().recordFailure(finished({ status: 500, error }))
    const text = String(lines[0]!.error)
    expect(text).toHaveLength(Math.min(4_000, 4_000 - chars + 'redis://cache.example.com'.length))
    expect(text).not.toMatch(/operator|hush|private/)
  })

  it('warns of what the service or the page did, and not of what the client did', () => {
    const log = requestLog()
    log.recordFailure(finished({ status: 503, error: new PageError('EBUSY', 'Full.') }))
    log.recordFailure(finished({ status: 0, error: new PageError('EABORTED', 'Left.') }))
    expect(lines.map(({ code, level }) => [code, level])).toEqual([
      ['EBUSY', 'warn'],
      ['EABORTED', 'info'],
    ])
  })

  it('bounds the host of the target', () => {
    requestLog().recordFailure(finished({ url: `http://previews.test/?url=http://${'a'.repeat(5_000)}/` }))
    expect(String(lines[0]!.targetHost).length).toBeLessThanOrEqual(260)
  })

  it('names the page of an oEmbed request, and not the preview that it names', () => {
    const preview = new URLSearchParams({ url: 'http://previews.test/?url=https%3A%2F%2Fexample.com' })
    requestLog().recordFailure(finished({ url: `http://previews.test/oembed?${preview}` }))
    expect(lines[0]!.targetHost).toBe('example.com')
  })
})

describe('the hashed client', () => {
  const clientOf = (log = requestLog(), network = '192.0.2.1') => {
    log.recordFailure(finished({ network }))
    return lines.at(-1)!.client
  }

  it('groups the lines of one client within a day of one process', () => {
    const log = requestLog()
    const first = clientOf(log)
    expect(clientOf(log)).toBe(first)
    expect(clientOf(log, '192.0.2.2')).not.toBe(first)
    vi.advanceTimersByTime(86_400_000)
    expect(clientOf(log)).not.toBe(first)
    expect(clientOf(requestLog())).not.toBe(first)
  })
})

describe('a flood of failed requests', () => {
  it('writes few lines of a code in ten seconds, and how many more there were', () => {
    const log = requestLog()
    for (let count = 0; count < 10_000; count++) log.recordFailure(finished())
    log.recordFailure(finished({ status: 500, error: new Error('Broken.') }))
    expect(lines.length).toBe(21)
    expect(lines.at(-1)).toMatchObject({ code: 'EFATAL' })
    vi.advanceTimersByTime(10_000)
    expect(lines.length).toBe(22)
    expect(lines.at(-1)).toMatchObject({ event: 'requests-failed', code: 'EINVALQUERY', count: 9_980 })
    log.recordFailure(finished())
    expect(lines.at(-1)).toMatchObject({ event: 'request-failed' })
  })

  it('says at the end how many lines were left out', () => {
    const log = requestLog()
    for (let count = 0; count < 30; count++) log.recordFailure(finished())
    log.close()
    expect(lines.at(-1)).toMatchObject({ event: 'requests-failed', count: 10 })
  })
})

it('writes few errors of work in the background in ten seconds, and how many more there were', () => {
  const { log, lines } = recordingLog()
  const record = createErrorLog(log, { event: 'store-error', message: 'the store failed' })
  for (let count = 0; count < 1_000; count++) record(new Error('The disk is slow.'))
  expect(lines).toHaveLength(20)
  expect(lines[0]).toMatchObject({ level: 'error', event: 'store-error', error: 'Error: The disk is slow.' })
  vi.advanceTimersByTime(10_000)
  expect(lines.slice(20)).toEqual([expect.objectContaining({ level: 'error', event: 'store-error', count: 980 })])
  record(new Error('The disk is slow.'))
  expect(lines).toHaveLength(22)
})

describe('the access log', () => {
  it('is off by default', () => {
    expect(requestLog().recordAccess).toBeUndefined()
  })

  it('has a line for each request, with its path and without its query', () => {
    const path = `/images/${'a'.repeat(1_000)}`
    const log = requestLog({ accessLog: true })
    log.recordAccess!(finished({ status: 200, cacheStatus: 'HIT', error: undefined }))
    log.recordAccess!(finished({ url: `http://previews.test${path}?w=1`, status: 404, error: undefined }))
    expect(lines[0]).toEqual({
      level: 'info',
      message: 'request',
      event: 'request',
      method: 'GET',
      path: '/',
      status: 200,
      cache: 'HIT',
      targetHost: 'example.com',
      requestId: 'id-1',
      durationMs: expect.any(Number),
      client: expect.any(String),
    })
    expect(lines[1]!.path).toBe(path.slice(0, 200))
  })
})
