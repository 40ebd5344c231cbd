import type { ConnectionTransport } from 'puppeteer-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createConnection, estimateBrowserAgeDays } from '../../../src/server/browser/running-browser.js'

it.each([
  ['143.0.7499.0', '2026-02-01', 61],
  ['120.0.6099.0', '2023-12-05', 0],
  ['153.0.1.2', '2026-09-08', 0],
  ['156.0.1.2', '2026-11-22', 33],
  ['200.0', '2026-11-22', 0],
])('estimates the age of %s on %s within two weeks of %i days', (version, day, days) => {
  expect(Math.abs(estimateBrowserAgeDays(version, Date.parse(day))! - days)).toBeLessThanOrEqual(14)
})

it('knows nothing of a version without a number', () => {
  expect(estimateBrowserAgeDays('unknown', Date.now())).toBeUndefined()
})

describe('a connection', () => {
  afterEach(() => void vi.useRealTimers())

  /** A connection to a browser that does nothing but what a test sends in its name. */
  function openConnection() {
    const sent: { id: number; method: string; sessionId?: string }[] = []
    const transport: ConnectionTransport = { send: (text) => sent.push(JSON.parse(text)), close: () => undefined }
    const connection = createConnection(transport, 'ws://browser')
    return { connection, sent, receive: (message: object) => transport.onmessage?.(JSON.stringify(message)) }
  }

  it('resolves a call with the response of the browser', async () => {
    const { connection, sent, receive } = openConnection()
    expect(connection.url()).toBe('ws://browser')
    const call = connection.send('Browser.getVersion')
    receive({ id: sent[0]!.id, result: { product: 'Chrome/1' } })
    expect(await call).toEqual({ product: 'Chrome/1' })
  })

  it('fails a call that the browser does not respond to', async () => {
    vi.useFakeTimers()
    const { connection } = openConnection()
    const failed = vi.fn()
    connection.send('Browser.getVersion').catch(failed)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(String(failed.mock.calls[0])).toContain('Browser.getVersion timed out')
  })

  it('fails a call to a page that has gone without waiting', async () => {
    const { connection, sent, receive } = openConnection()
    receive({ method: 'Target.attachedToTarget', params: { sessionId: 'one', targetInfo: { type: 'page' } } })
    const call = connection.session('one')!.send('Page.enable')
    expect(sent[0]).toMatchObject({ method: 'Page.enable', sessionId: 'one' })
    // Without the session, as Chromium writes it.
    receive({ id: sent[0]!.id, error: { code: -32_001, message: 'Session with given id not found.' } })
    await expect(call).rejects.toThrow('Session with given id not found')
  })
})
