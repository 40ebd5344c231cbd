import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createImages, type Images } from '../../../src/server/images/index.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const routes = {
  '/': '<!doctype html><h1>Hello</h1>',
  '/slow': '<!doctype html><h1>Hello</h1><img src="/never">',
  '/never': () => undefined,
  '/held': '<!doctype html><h1>Hello</h1><img src="/image">',
  '/image': '',
  '/loop': `<!doctype html><h1>Hello</h1><script>
    onload = () => setTimeout(() => { fetch('/loops', { keepalive: true }); for (;;); }, 20) </script>`,
  '/loop-at-once': `<!doctype html><h1>Hello</h1><script>
    const request = new XMLHttpRequest(); request.open('GET', '/loops', false); request.send(); for (;;); </script>`,
  '/loops': '',
}

const small = { viewport: { width: 300, height: 200, deviceScaleFactor: 1 } }

/** Captures a page for a client with nothing running, which waits, because another such client has the reserve. */
function captureAfterAnother(browser: TestBrowser) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort(new Error('The test is over.')))
  // Fails with the test.
  browser.capture('/never', small, { client: 'b', signal: abort.signal }).catch(() => undefined)
  return browser.capture('/', small, { client: 'c' })
}

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser(routes, { concurrency: 1, maxQueue: 1 })
  await test.capture('/', small)
}, 60_000)
beforeEach(() => void test.site.requests.splice(0))
afterAll(() => test.close())

describe('the queue of the browser', () => {
  it('advances as soon as a capture is aborted', async () => {
    const abort = new AbortController()
    const running = test.capture('/slow', small, { signal: abort.signal })
    const next = test.capture('/', small)
    await vi.waitFor(() => expect(test.site.requests).toContain('GET /never'), { timeout: 10_000 })
    expect(test.site.requests).not.toContain('GET /')
    abort.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
    expect(await next).toMatchObject({ statusCode: 200 })
  })

  it('advances only when the encoder of an aborted capture has ended', async () => {
    const images = createImages()
    const encoding = { hasStarted: false, end: () => {} }
    const endsLate: Images['encodeScreenshot'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        encoding.hasStarted = true
        encoding.end = () => reject(signal.reason as Error)
      })
    const encodeScreenshot: Images['encodeScreenshot'] = (...args) =>
      encoding.hasStarted ? images.encodeScreenshot(...args) : endsLate(...args)
    const own = await startTestBrowser(routes, { concurrency: 1, images: { ...images, encodeScreenshot } })
    onTestFinished(() => own.close())
    const abort = new AbortController()
    const running = own.capture('/', small, { signal: abort.signal })
    await vi.waitFor(() => expect(encoding.hasStarted).toBe(true), { timeout: 10_000 })
    abort.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
    const next = own.capture('/', small)
    await vi.waitFor(() => expect(own.browser.status().queueLength).toBe(1))
    encoding.end()
    expect(await next).toMatchObject({ statusCode: 200 })
    await images.close()
  })

  it('has a limit: one more capture is rejected with the time to wait', async () => {
    const abort = new AbortController()
    const first = test.capture('/slow', small, { signal: abort.signal })
    const second = test.capture('/', small, { signal: abort.signal })
    const third = test.capture('/', small)
    expect(test.browser.status().queueLength).toBe(1)
    await expect(third).rejects.toMatchObject({ code: 'EBUSY', status: 503 })
    await expect(third).rejects.toHaveProperty('retryAfterMs', expect.any(Number))
    abort.abort(new Error('cancelled'))
    await expect(first).rejects.toThrow('cancelled')
    await expect(second).rejects.toThrow('cancelled')
    expect(await test.capture('/', small)).toMatchObject({ statusCode: 200 })
  })

  it.each<[name: string, query: Record<string, string>, outcome: object]>([
    ['waitForTimeout', { waitForTimeout: '25s' }, {}],
    ['waitForSelector', { waitForSelector: '#never' }, {}],
    ['a page that never stops', { waitUntil: 'networkidle' }, {}],
    ['an element that is missing', { waitForSelector: '#never', element: '#never' }, { code: 'EBRWSRTIMEOUT' }],
  ])('ends the wait for %s while a client with nothing running waits', async (_, query, outcome) => {
    const own = await startTestBrowser(routes, { concurrency: 1 })
    onTestFinished(() => own.close())
    await own.capture('/', small)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const [path, request] = query.waitUntil ? ['/slow', 'GET /never'] : ['/held', 'GET /image']
    const slow = own.capture(path, { ...small, ...query }).catch((error: unknown) => error)
    await vi.waitFor(() => expect(own.site.requests).toContain(request), { timeout: 10_000 })
    const next = captureAfterAnother(own)
    await vi.waitFor(() => expect(own.browser.status().queueLength).toBe(1))
    vi.advanceTimersByTime(8_000)
    const yielded = {
      isProvisional: true,
      warnings: expect.arrayContaining([expect.stringContaining('others were waiting')]),
    }
    expect(await slow).toMatchObject('code' in outcome ? outcome : yielded)
    expect(await next).toMatchObject({ isProvisional: false, warnings: [] })
  })

  it('ends the wait for a server that does not respond while a client with nothing running waits', async () => {
    const own = await startTestBrowser(routes, { concurrency: 1 })
    onTestFinished(() => own.close())
    await own.capture('/', small)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const slow = own.capture('/never', small).catch((error: unknown) => error)
    await vi.waitFor(() => expect(own.site.requests).toContain('GET /never'), { timeout: 10_000 })
    const next = captureAfterAnother(own)
    await vi.waitFor(() => expect(own.browser.status().queueLength).toBe(1))
    vi.advanceTimersByTime(8_000)
    expect(await slow).toMatchObject({ code: 'EBRWSRTIMEOUT' })
    expect(await next).toMatchObject({ statusCode: 200 })
  })

  it.each<[name: string, path: string, query: Record<string, unknown>]>([
    ['after it has loaded', '/loop', { waitForTimeout: '1s' }],
    ['while it loads', '/loop-at-once', {}],
    ['and is captured whole', '/loop', { waitForTimeout: '1s', screenshot: { fullPage: true } }],
    ['when its element is looked for', '/loop', { waitForTimeout: '1s', element: 'h1' }],
  ])(
    'ends the capture of a page whose scripts run without end %s while a client with nothing running waits',
    async (_, path, query) => {
      const own = await startTestBrowser(routes, { concurrency: 1 })
      onTestFinished(() => own.close())
      await own.capture('/', small)
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => void vi.useRealTimers())
      let hasEnded = false
      const loop = own.capture(path, { ...small, ...query }).catch((error: unknown) => error)
      void loop.finally(() => (hasEnded = true))
      await vi.waitFor(() => expect(own.site.requests).toContain('GET /loops'), { timeout: 10_000 })
      const next = captureAfterAnother(own)
      await vi.waitFor(() => expect(own.browser.status().queueLength).toBe(1))
      expect(hasEnded).toBe(false)
      // More than a visit that yields has left, in steps, because it begins to yield when it notices.
      await vi.waitFor(
        () => {
          vi.advanceTimersByTime(1_000)
          expect(hasEnded).toBe(true)
        },
        { timeout: 5_000, interval: 200 },
      )
      expect(await loop).toMatchObject({ code: 'EBRWSRTIMEOUT' })
      expect(await next).toMatchObject({ statusCode: 200 })
    },
  )

  it('counts towards the timeout of a capture', async () => {
    const own = await startTestBrowser(routes, { concurrency: 1 })
    onTestFinished(() => own.close())
    const abort = new AbortController()
    const running = own.capture('/slow', small, { signal: abort.signal })
    await expect(own.capture('/', small, { timeoutMs: 2_500 })).rejects.toMatchObject({
      code: 'EBRWSRTIMEOUT',
      status: 504,
      retryAfterMs: 2_500,
    })
    // A page takes about a second.
    await expect(own.capture('/', small, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'EBUSY' })
    abort.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
  })
})

it('is the fault of the browser if it exits during one attempt, although the other fails in another way', async () => {
  const images = createImages()
  onTestFinished(() => images.close())
  let attempts = 0
  const encodeScreenshot: Images['encodeScreenshot'] = (_, { signal }) => {
    attempts++
    if (attempts > 1) return Promise.reject(new Error('The pixels are lost.'))
    process.kill(own.browser.status().pid!)
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  }
  const own = await startTestBrowser(routes, { concurrency: 1, images: { ...images, encodeScreenshot } })
  onTestFinished(() => own.close())
  await expect(own.capture('/', small)).rejects.toMatchObject({ code: 'EBUSY', status: 503 })
  expect(attempts).toBe(2)
})
