import { launch, type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBuiltService, type Child } from './children.js'

const SAMPLES = 30
let service: Child
let chromium: Browser

beforeAll(async () => {
  service = await startBuiltService()
  chromium = await launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: ['--no-sandbox', '--hide-scrollbars', '--disable-background-networking'],
  })
})
afterAll(async () => {
  await chromium.close()
  await service.stop()
})

/** The minimum work of a screenshot: a context, a page, its navigation, the capture. */
async function bareCapture(url: string): Promise<number> {
  const startedAt = performance.now()
  const root = await chromium.target().createCDPSession()
  const { browserContextId } = await root.send('Target.createBrowserContext')
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const target = await chromium.waitForTarget(
    (candidate) => '_targetId' in candidate && candidate._targetId === targetId,
  )
  const session = await target.createCDPSession()
  await session.send('Page.enable')
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 1280,
    height: 800,
    deviceScaleFactor: 2,
    mobile: false,
  })
  const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve))
  await session.send('Page.navigate', { url })
  await loaded
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 })
  expect(data.length).toBeGreaterThan(1_000)
  await root.send('Target.disposeBrowserContext', { browserContextId })
  await root.detach()
  return performance.now() - startedAt
}

async function serviceCapture(url: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${service.url}/?screenshot=true&url=${encodeURIComponent(url)}`)
  expect([response.status, response.headers.get('x-cache-status')]).toEqual([200, 'MISS'])
  await response.arrayBuffer()
  return performance.now() - startedAt
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

it('an uncached response with a screenshot, compared with bare CDP on the same Chromium', async () => {
  const bare: number[] = []
  const ours: number[] = []
  for (let sample = -3; sample < SAMPLES; sample++) {
    const plain = await bareCapture(`${service.demo}/?bare=${sample}`)
    const whole = await serviceCapture(`${service.demo}/?sample=${sample}`)
    if (sample >= 0) bare.push(plain)
    if (sample >= 0) ours.push(whole)
  }
  const ratio = median(ours) / median(bare)
  console.log(
    `uncached capture p50: bare CDP ${median(bare).toFixed(0)} ms, service ${median(ours).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  )
  expect(ratio).toBeLessThanOrEqual(1.5)
})
