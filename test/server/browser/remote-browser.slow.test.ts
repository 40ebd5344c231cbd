import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { recommendedFlags } from '../../../src/server/browser/chromium-flags.js'
import { createGuard, createPageProxies } from '../../../src/server/network/index.js'
import type { Route } from '../../local-site.js'
import { forwardPort, startRemoteChromium, type RemoteChromium } from '../../shared/start-remote-chromium.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const SCRIPT = `new Worker('/worker.js'); new SharedWorker('/shared.js'); new WebSocket(location.href.replace('http', 'ws'));
fetch('/fetch', { credentials: 'omit' })`
const routes: Record<string, Route> = {
  '/': '<h1>Hello</h1>',
  '/parts': `<h1>Parts</h1><iframe src="/frame"></iframe><img src="/image"><script>${SCRIPT}</script>`,
  '/frame': '<p>Frame',
  '/worker.js': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('/from-worker')`),
  '/shared.js': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('/from-shared-worker')`),
}

const remotes: RemoteChromium[] = []
const startRemote = async (...args: Parameters<typeof startRemoteChromium>) => {
  const remote = await startRemoteChromium(...args)
  remotes.push(remote)
  return remote
}

let remote: RemoteChromium
let test: TestBrowser
beforeEach(async () => {
  remote = await startRemote()
})
afterEach(async () => {
  await test.close()
  await Promise.all(remotes.splice(0).map((each) => each.stop()))
})

/** The contexts of the test that uses the browser, since each connection has its own. */
const contextsOf = async ({ url }: RemoteChromium) => {
  const targets = (await (await fetch(`${url}/json/list`)).json()) as { type: string }[]
  return targets.filter(({ type }) => type === 'page').length
}

const startBrowser = (addresses: string[], options: Parameters<typeof startTestBrowser>[1] = {}) =>
  startTestBrowser(routes, { executable: addresses, allowUnsandboxed: true, ...options })

describe('a browser that runs already', () => {
  it('is used, and left running without a page of the service', async () => {
    const before = await contextsOf(remote)
    test = await startBrowser([remote.url])
    expect(await test.capture('/')).toMatchObject({ statusCode: 200 })
    expect(test.browser.status().pid).toBeUndefined()
    // One page is opened in advance for the next capture.
    await vi.waitFor(async () => expect(await contextsOf(remote)).toBe(before + 1), { timeout: 5_000 })
    await test.browser.close()
    await vi.waitFor(async () => expect(await contextsOf(remote)).toBe(before), { timeout: 5_000 })
    expect(remote.isRunning()).toBe(true)
  })

  it('is connected to again after it was restarted', async () => {
    test = await startBrowser([remote.url])
    await test.capture('/')
    await remote.kill()
    await vi.waitFor(() => expect(test.events.map(({ event }) => event)).toContain('browser-exited'))
    await expect(test.capture('/')).rejects.toMatchObject({ code: 'EBUSY', status: 503 })
    expect(await test.browser.isReady()).toBe(false)
    await remote.restart()
    await vi.waitFor(async () => expect(await test.capture('/')).toMatchObject({ statusCode: 200 }), {
      timeout: 12_000,
      interval: 500,
    })
  })

  it('is reached by its name, which it refuses as a Host header', async () => {
    test = await startBrowser([`http://localhost:${remote.port}`])
    expect(await test.capture('/')).toMatchObject({ statusCode: 200 })
  })

  it('may be named by a ws:// URL', async () => {
    const version = (await (await fetch(`${remote.url}/json/version`)).json()) as { webSocketDebuggerUrl: string }
    test = await startBrowser([version.webSocketDebuggerUrl])
    expect(await test.capture('/')).toMatchObject({ statusCode: 200 })
  })

  it('is refused without a flag that the guard depends on, which is named', async () => {
    const flags = recommendedFlags('127.0.0.1').filter((flag) => !flag.includes('webrtc'))
    const unsafe = await startRemote({ flags })
    test = await startBrowser([unsafe.url])
    await expect(test.capture('/')).rejects.toMatchObject({ code: 'EBUSY' })
    const { reason } = test.events.find(({ event }) => event === 'browser-launch-failed')!
    expect(reason).toContain('--webrtc-ip-handling-policy=disable_non_proxied_udp is missing. Start it with: ')
    expect(reason).toContain(`'--host-resolver-rules=MAP * 127.0.0.1:9 , EXCLUDE 127.0.0.1'`)
    expect(test.site.requests).toEqual([])
  })
})

describe('a browser on another host', () => {
  const HOST = '127.0.0.2'

  it('reaches the proxy of its page there, with the secret of that page', async () => {
    const other = await startRemote({ proxyPublicHost: HOST })
    const forwarded = await forwardPort(other.port, HOST)
    onTestFinished(() => forwarded.close())
    let proxies: ReturnType<typeof createPageProxies> | undefined
    test = await startBrowser([`http://${HOST}:${forwarded.port}`], {
      proxyPublicHost: HOST,
      openProxy: async () => {
        proxies ??= createPageProxies(createGuard({ allowTargets: [test.site.host] }), {
          host: HOST,
          requireCredentials: true,
        })
        return proxies.open()
      },
    })
    onTestFinished(() => proxies?.close())
    expect(await test.capture('/parts', { waitForTimeout: 500 })).toMatchObject({ statusCode: 200, warnings: [] })
    const parts = ['/frame', '/image', '/worker.js', '/from-worker', '/shared.js', '/from-shared-worker', '/fetch']
    for (const path of parts) await vi.waitFor(() => expect(test.site.requests).toContain(`GET ${path}`))
  })

  it('that cannot reach the proxy is reported as that, and not as a failure of the page', async () => {
    test = await startBrowser([remote.url], {
      openProxy: async () => ({ url: 'http://127.0.0.1:9', budget: undefined, close: async () => undefined }),
    })
    await expect(test.capture('/')).rejects.toMatchObject({ code: 'EBUSY', status: 503 })
    expect(JSON.stringify(test.events)).toContain('set --proxy-host')
  })
})

it('spreads pages over several browsers, and goes on while one of them is away', async () => {
  const second = await startRemote()
  test = await startBrowser([remote.url, second.url], { concurrency: 4 })
  expect(await test.browser.isReady()).toBe(true)
  const captures = [1, 2, 3, 4].map((n) => test.capture(`/?${n}`, {}, { client: `client ${n}` }))
  await expect
    .poll(async () => Math.min(...(await Promise.all([contextsOf(remote), contextsOf(second)]))))
    .toBeGreaterThanOrEqual(2)
  expect(await Promise.all(captures)).toHaveLength(4)
  await second.kill()
  for (let n = 0; n < 4; n++) expect(await test.capture(`/?alone${n}`)).toMatchObject({ statusCode: 200 })
  await second.restart()
  await vi.waitFor(
    async () => {
      await test.capture('/?again')
      expect(await contextsOf(second)).toBeGreaterThanOrEqual(1)
    },
    { timeout: 15_000, interval: 500 },
  )
})
