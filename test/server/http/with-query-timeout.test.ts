import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { parseQuery } from '../../../src/query/index.js'
import { withQueryTimeout } from '../../../src/server/http/with-query-timeout.js'

const TIMEOUT_MS = 300
const { query } = parseQuery({ url: 'https://example.com', timeout: TIMEOUT_MS })

/** Work that ends when its signal aborts, or much later. */
const slowWork = (signal: AbortSignal) =>
  new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => resolve('too late'), TIMEOUT_MS * 5)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

it('ends work after the timeout, whenever the garbage collector runs', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const timer = setInterval(collectGarbage, 20)
  onTestFinished(() => clearInterval(timer))
  const { signal } = new AbortController()
  await expect(withQueryTimeout(query, signal, slowWork)).rejects.toMatchObject({
    code: 'ETIMEOUT',
    data: { timeout: 'exceeded' },
  })
})

it('throws the reason of the request when that is aborted first', async () => {
  const request = new AbortController()
  const working = withQueryTimeout(query, request.signal, slowWork)
  request.abort(new Error('gone'))
  await expect(working).rejects.toThrow('gone')
})

it('passes on results and errors of the work', async () => {
  const { signal } = new AbortController()
  expect(await withQueryTimeout(query, signal, async () => 'result')).toBe('result')
  const failing = withQueryTimeout(query, signal, () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
})
