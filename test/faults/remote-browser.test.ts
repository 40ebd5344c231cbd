// Covers a Chromium in another container that dies and is restarted: `remote-browser.ts`.
import { expect, it, onTestFinished } from 'vitest'
import { localSite } from '../local-site.js'
import { startRemoteChromium } from '../shared/start-remote-chromium.js'
import { startInstance } from './start-instance.js'

const HEAL_TIMEOUT_MS = 15_000

async function start(count: number) {
  const site = await localSite({ '/': '<title>Page</title><meta name="description" content="About it.">Page' })
  const browsers = await Promise.all(Array.from({ length: count }, () => startRemoteChromium()))
  const addresses = browsers.map(({ url }) => url).join()
  const flags = [`--allow-target=${site.host}`, `--browser=${addresses}`, '--allow-unsandboxed', '--concurrency=4']
  const service = await startInstance({ flags: [...flags, '--free-daily-limit=100'] })
  onTestFinished(async () => {
    await Promise.all([site.close(), ...browsers.map((browser) => browser.stop())])
  })
  const request = async (path: string, query: Record<string, string> = {}) => {
    const response = await service.get({ url: site.url + path, ...query })
    const { code } = (await response.json()) as { code?: string }
    return { status: response.status, code, remaining: response.headers.get('x-rate-limit-remaining') }
  }
  return { browsers, service, request, capture: (path: string) => request(path, { screenshot: 'true' }) }
}

it('answers 503 while the browser is away, and connects again', async () => {
  const { browsers, service, request, capture } = await start(1)
  expect(await capture('/?cached')).toMatchObject({ status: 200, remaining: '99' })
  await browsers[0]!.kill()
  await expect.poll(() => service.log()).toContain('browser-exited')
  expect(await capture('/?refused')).toMatchObject({ status: 503, code: 'EBUSY', remaining: '99' })
  expect(await capture('/?cached')).toMatchObject({ status: 200, remaining: '99' })
  expect(await request('/?metadata')).toMatchObject({ status: 200, remaining: '98' })
  await browsers[0]!.restart()
  await expect.poll(() => capture('/?refused'), { timeout: HEAL_TIMEOUT_MS }).toMatchObject({ status: 200 })
  await service.stop()
  expect(browsers[0]!.isRunning()).toBe(true)
})

it('loses no capture when one of two browsers dies', async () => {
  const { browsers, service, capture } = await start(2)
  expect(await capture('/?warm')).toMatchObject({ status: 200 })
  const captures = Promise.all(Array.from({ length: 8 }, (_, n) => capture(`/?${n}`)))
  await browsers[1]!.kill()
  expect((await captures).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  await service.stop()
})
