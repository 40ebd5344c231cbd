import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../react/fake-service.js'
import { createFetchRecorder } from '../../src/playground/fetch-recorder.js'

describe('the fetch recorder', () => {
  it('returns the unread response, and records it', async () => {
    const recorder = createFetchRecorder(async () => new Response('{"a":1}', { status: 422, headers: { age: '3' } }))
    const listener = vi.fn()
    recorder.subscribe(listener)
    const request = recorder.fetch('http://service.test/?url=a')
    expect(recorder.recording()).toEqual({ pendingUrl: 'http://service.test/?url=a' })
    expect(await (await request).json()).toEqual({ a: 1 })
    const { exchange, pendingUrl } = recorder.recording()
    expect(pendingUrl).toBeUndefined()
    expect(exchange).toMatchObject({ kind: 'response', status: 422, text: '{"a":1}', byteLength: 7 })
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('bypasses the HTTP cache, whose responses belong to an earlier exchange', async () => {
    const fetch = vi.fn(async () => new Response(''))
    await createFetchRecorder(fetch).fetch('/', { headers: { a: 'b' }, cache: 'no-cache' })
    expect(fetch).toHaveBeenCalledWith('/', { headers: { a: 'b' }, cache: 'no-store' })
  })

  it('records a connection error and a timeout, and rejects as the request does', async () => {
    const offline = createFetchRecorder(() => Promise.reject(new TypeError('refused')))
    await expect(offline.fetch('/')).rejects.toThrow('refused')
    expect(offline.recording().exchange).toMatchObject({ kind: 'failure', reason: 'No connection to the service.' })

    const timeout = new DOMException('too slow', 'TimeoutError')
    const slow = createFetchRecorder(() => Promise.reject(timeout))
    await expect(slow.fetch('/', { signal: AbortSignal.abort(timeout) })).rejects.toBe(timeout)
    expect(slow.recording().exchange).toMatchObject({ kind: 'failure', reason: 'The service did not respond in time.' })
  })

  it('ignores an aborted request, and retains the previous exchange', async () => {
    const responses = [
      async () => new Response('first'),
      () => Promise.reject(new DOMException('aborted', 'AbortError')),
    ]
    const recorder = createFetchRecorder(() => responses.shift()!())
    await recorder.fetch('/one')
    await expect(recorder.fetch('/two', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    expect(recorder.recording()).toMatchObject({ exchange: { url: '/one', text: 'first' } })
    expect(recorder.recording().pendingUrl).toBeUndefined()
  })

  it.each<[string, () => Promise<Response>]>([
    ['responds', () => Promise.resolve(new Response('older'))],
    ['fails', () => Promise.reject(new TypeError('refused'))],
  ])('goes on to wait for a newer request when an older one %s', async (_, outcome) => {
    const [older, newer] = [deferred(), deferred()]
    const responses = [() => older.promise.then(outcome), () => newer.promise.then(() => new Response('newer'))]
    const recorder = createFetchRecorder(() => responses.shift()!())
    const requests = [recorder.fetch('/older'), recorder.fetch('/newer')]
    older.resolve()
    await requests[0]!.catch(() => undefined)
    expect(recorder.recording()).toEqual({ pendingUrl: '/newer' })
    newer.resolve()
    await requests[1]
    expect(recorder.recording()).toMatchObject({ exchange: { url: '/newer', text: 'newer' } })
  })
})
