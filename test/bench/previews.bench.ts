import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPreviewsPage, type PreviewsPage } from './previews-page.js'

interface Mount {
  /** Milliseconds until React has rendered, committed and run its effects. */
  mountMs: number
  /** Milliseconds of scripting until the page is quiet, with the answers for what is in sight. */
  scriptMs: number
  longestTaskMs: number
  askedCount: number
  /** Boxes less than 600 pixels away from the screen. */
  nearCount: number
}

const ROUNDS = 5
const MARGIN_PX = 600

describe('a page of 100 previews beside one of 100 plain pictures', () => {
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
    const [before, asked] = [await scriptMs(), page.askedCount()]
    const { mountMs, longestTaskMs } = await tab.evaluate(MOUNT_AND_REST, kind)
    const nearCount = await tab.evaluate(COUNT_NEAR, MARGIN_PX)
    const result = {
      mountMs,
      scriptMs: (await scriptMs()) - before,
      longestTaskMs,
      askedCount: page.askedCount() - asked,
      nearCount,
    }
    await tab.close()
    return result
  }

  it('asks for those in sight alone, and is there as fast', async () => {
    await mount('plain')
    const plain: Mount[] = []
    const previews: Mount[] = []
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await mount('plain'))
      previews.push(await mount('previews'))
    }
    const ratio = (fact: 'mountMs' | 'scriptMs') => median(previews, fact) / median(plain, fact)
    const longestTaskMs = median(previews, 'longestTaskMs')
    const { askedCount, nearCount } = previews[0]!
    for (const fact of ['mountMs', 'scriptMs'] as const)
      console.log(
        `${fact}: plain ${median(plain, fact).toFixed(1)}, previews ${median(previews, fact).toFixed(1)}, ratio ${ratio(fact).toFixed(2)}`,
      )
    console.log(`longest task ${longestTaskMs} ms; ${askedCount} asked, ${nearCount} in sight`)
    expect(askedCount).toBe(nearCount)
    expect.soft(ratio('mountMs')).toBeLessThanOrEqual(2)
    expect.soft(longestTaskMs).toBeLessThanOrEqual(50)
  })
})

const median = (mounts: Mount[], fact: keyof Mount) =>
  mounts.map((mount) => mount[fact]).toSorted((a, b) => a - b)[Math.floor(mounts.length / 2)]!

/** In the page: mounts, and waits until nothing happens any more. */
const MOUNT_AND_REST = async (kind: string): Promise<Pick<Mount, 'mountMs' | 'longestTaskMs'>> => {
  let longestTaskMs = 0
  new PerformanceObserver((list) => {
    longestTaskMs = Math.max(longestTaskMs, ...list.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'longtask' })
  // In a task of its own, or what it takes is not counted as scripting.
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
