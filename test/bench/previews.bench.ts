import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPreviewsPage, type PreviewsPage } from './previews-page.js'

interface Mount {
  /** Milliseconds until React has rendered, committed and run its effects. */
  mountMs: number
  /** Milliseconds of scripting until the page is idle, with the responses for the previews near the viewport. */
  scriptMs: number
  longestTaskMs: number
  requestCount: number
  /** Boxes less than 600 pixels away from the viewport. */
  nearCount: number
}

const ROUNDS = 5
const MARGIN_PX = 600

describe('mounting 100 previews, compared with 100 plain images', () => {
  let page: PreviewsPage
  let browser: Browser
  beforeAll(async () => {
    page = await startPreviewsPage()
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await page.stop()
  })

  async function mount(kind: 'plain' | 'previews'): Promise<Mount> {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await tab.goto(page.url, { waitUntil: 'networkidle' })
    const devtools = await tab.context().newCDPSession(tab)
    await devtools.send('Performance.enable')
    const scriptMs = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0)
    }
    const [before, requestsBefore] = [await scriptMs(), page.requestCount()]
    const { mountMs, longestTaskMs } = await tab.evaluate(MOUNT_UNTIL_IDLE, kind)
    const nearCount = await tab.evaluate(COUNT_NEAR, MARGIN_PX)
    const result = {
      mountMs,
      scriptMs: (await scriptMs()) - before,
      longestTaskMs,
      requestCount: page.requestCount() - requestsBefore,
      nearCount,
    }
    await tab.close()
    return result
  }

  it('requests only those near the viewport, and takes at most 2.5 times as long', async () => {
    await mount('plain')
    const plain: Mount[] = []
    const previews: Mount[] = []
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await mount('plain'))
      previews.push(await mount('previews'))
    }
    const ratio = (measure: 'mountMs' | 'scriptMs') => median(previews, measure) / median(plain, measure)
    const longestTaskMs = median(previews, 'longestTaskMs')
    const { requestCount, nearCount } = previews[0]!
    for (const measure of ['mountMs', 'scriptMs'] as const)
      console.log(
        `${measure}: plain ${median(plain, measure).toFixed(1)}, previews ${median(previews, measure).toFixed(1)}, ratio ${ratio(measure).toFixed(2)}`,
      )
    console.log(`longest task ${longestTaskMs} ms; ${requestCount} requests, ${nearCount} near the viewport`)
    expect(requestCount).toBe(nearCount)
    expect.soft(ratio('mountMs')).toBeLessThanOrEqual(2.5)
    expect.soft(longestTaskMs).toBeLessThanOrEqual(50)
  })
})

const median = (mounts: Mount[], measure: keyof Mount) =>
  mounts.map((mount) => mount[measure]).toSorted((a, b) => a - b)[Math.floor(mounts.length / 2)]!

/** Runs in the page: mounts, and waits until it is idle. */
const MOUNT_UNTIL_IDLE = async (kind: string): Promise<Pick<Mount, 'mountMs' | 'longestTaskMs'>> => {
  let longestTaskMs = 0
  new PerformanceObserver((list) => {
    longestTaskMs = Math.max(longestTaskMs, ...list.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'longtask' })
  // In its own task; otherwise its time would not be counted as scripting.
  const mountMs = await new Promise<number>((resolve) =>
    setTimeout(() => {
      const start = performance.now()
      ;(window as Window & { mount?: (kind: string) => void }).mount?.(kind)
      resolve(performance.now() - start)
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  await new Promise((resolve) => requestIdleCallback(resolve))
  return { mountMs, longestTaskMs }
}

const COUNT_NEAR = (marginPx: number): number =>
  [...document.querySelectorAll('.page-preview, figure')].filter(
    (box) => box.getBoundingClientRect().top < innerHeight + marginPx,
  ).length
