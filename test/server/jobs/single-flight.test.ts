import { describe, expect, it } from 'vitest'
import { createSingleFlight } from '../../../src/server/jobs/index.js'

/** A `make` that a test settles by hand, and what is known of its calls. */
function workInProgress() {
  const calls: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const make = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      calls.push({ signal, resolve, reject })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  return { calls, make }
}

const throwAtOnce = () => {
  throw new Error('broken')
}

describe('single flight', () => {
  it('makes one thing for all who ask at the same time', async () => {
    const flights = createSingleFlight<string>()
    const { calls, make } = workInProgress()
    const results = Array.from({ length: 50 }, () => flights.run('page', make))
    expect(calls).toHaveLength(1)
    expect([flights.has('page'), flights.has('other'), flights.size]).toEqual([true, false, 1])
    calls[0]!.resolve('made')
    expect(new Set(await Promise.all(results))).toEqual(new Set(['made']))
    expect([flights.has('page'), flights.size]).toEqual([false, 0])
  })

  it('makes it again for whoever asks later, and apart for another key', async () => {
    const flights = createSingleFlight<string>()
    let count = 0
    const make = async () => `${++count}`
    expect(await flights.run('page', make)).toBe('1')
    expect(await flights.run('page', make)).toBe('2')
    expect(await Promise.all([flights.run('page', make), flights.run('other', make)])).toEqual(['3', '4'])
  })

  it('gives an error to all, also one that is thrown at once, and forgets it', async () => {
    const flights = createSingleFlight<string>()
    const results = [flights.run('page', throwAtOnce), flights.run('page', async () => 'not called')]
    for (const result of results) await expect(result).rejects.toThrow('broken')
    expect(await flights.run('page', async () => 'made')).toBe('made')
  })

  it('lets one caller go with its own reason while the others get the result', async () => {
    const flights = createSingleFlight<string>()
    const { calls, make } = workInProgress()
    const leaving = new AbortController()
    const gone = flights.run('page', make, { signal: leaving.signal })
    const staying = flights.run('page', make, { signal: new AbortController().signal })
    const background = flights.run('page', make)
    leaving.abort(new Error('closed the tab'))
    await expect(gone).rejects.toThrow('closed the tab')
    expect(calls[0]!.signal.aborted).toBe(false)
    calls[0]!.resolve('made')
    expect(await Promise.all([staying, background])).toEqual(['made', 'made'])
  })

  it('gives up when every caller has gone, and starts afresh for the next at once', async () => {
    const flights = createSingleFlight<string>()
    const { calls, make } = workInProgress()
    const callers = [new AbortController(), new AbortController()]
    const results = callers.map(({ signal }) => flights.run('page', make, { signal }))
    callers[0]!.abort()
    expect(calls[0]!.signal.aborted).toBe(false)
    callers[1]!.abort()
    expect(calls[0]!.signal.reason).toMatchObject({ name: 'PageError', code: 'EABORTED' })
    expect(flights.has('page')).toBe(false)
    const next = flights.run('page', make)
    expect(calls).toHaveLength(2)
    for (const result of results) await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(flights.has('page')).toBe(true)
    calls[1]!.resolve('made')
    expect(await next).toBe('made')
  })

  it('goes on while a caller without a signal waits', async () => {
    const flights = createSingleFlight<string>()
    const { calls, make } = workInProgress()
    const background = flights.run('page', make)
    const leaving = new AbortController()
    const gone = flights.run('page', make, { signal: leaving.signal })
    leaving.abort()
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls[0]!.signal.aborted).toBe(false)
    calls[0]!.resolve('made')
    expect(await background).toBe('made')
  })

  it('does not start for a caller that has gone already', async () => {
    const flights = createSingleFlight<string>()
    const { calls, make } = workInProgress()
    await expect(flights.run('page', make, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect([calls.length, flights.size]).toEqual([0, 0])
  })

  it('is not moved by a caller that goes after the result is there', async () => {
    const flights = createSingleFlight<string>()
    const { calls, make } = workInProgress()
    const caller = new AbortController()
    const result = flights.run('page', make, { signal: caller.signal })
    calls[0]!.resolve('made')
    expect(await result).toBe('made')
    caller.abort()
    expect(calls[0]!.signal.aborted).toBe(false)
  })
})
