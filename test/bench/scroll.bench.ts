import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatTable } from '../shared/format-table.js'
import { startPreviewsPage, type PreviewsPage } from './previews-page.js'

interface Scroll {
  frames: number
  /** Between two frames, milliseconds. */
  longestFrameMs: number
  /** Frames that took longer than two frames of 60 a second. */
  droppedFrames: number
  longestTaskMs: number
}

const ROUNDS = 3
const PX_PER_FRAME = 60
const MAX_TASK_MS = 50
const MAX_FRAME_MS = 100

const MEASURES = ['frames', 'droppedFrames', 'longestFrameMs', 'longestTaskMs'] as const

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

/** Scrolls through the whole page at 3,600 pixels a second, while its previews and images load. */
async function scroll(kind: 'plain' | 'previews'): Promise<Scroll> {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 })
  await tab.goto(page.url, { waitUntil: 'networkidle' })
  await tab.evaluate((kind) => (window as Window & { mount?: (kind: string) => void }).mount?.(kind), kind)
  await tab.waitForLoadState('networkidle')
  const result = await tab.evaluate(SCROLL_TO_END, PX_PER_FRAME)
  await tab.close()
  return result
}

it('scrolls through 100 previews without a long task or a long frame', async () => {
  await scroll('plain')
  const plain: Scroll[] = []
  const previews: Scroll[] = []
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await scroll('plain'))
    previews.push(await scroll('previews'))
  }
  const rows = Object.entries({ plain, previews }).map(([kind, scrolls]) => [
    kind,
    ...MEASURES.map((measure) => median(scrolls, measure).toFixed(0)),
  ])
  console.log(
    formatTable([['images', 'frames', 'dropped frames', 'longest frame, ms', 'longest task, ms'], ...rows]).join('\n'),
  )
  expect(median(previews, 'frames')).toBeGreaterThan(300)
  expect.soft(median(previews, 'longestTaskMs')).toBeLessThanOrEqual(MAX_TASK_MS)
  expect.soft(median(previews, 'longestFrameMs')).toBeLessThanOrEqual(MAX_FRAME_MS)
})

const median = (scrolls: Scroll[], measure: keyof Scroll) =>
  scrolls.map((scroll) => scroll[measure]).toSorted((a, b) => a - b)[Math.floor(scrolls.length / 2)]!

/** Runs in the page. */
const SCROLL_TO_END = async (pxPerFrame: number): Promise<Scroll> => {
  let longestTaskMs = 0
  const observer = new PerformanceObserver((list) => {
    longestTaskMs = Math.max(longestTaskMs, ...list.getEntries().map(({ duration }) => duration))
  })
  observer.observe({ type: 'longtask' })
  const nextFrame = () => new Promise<number>(requestAnimationFrame)
  const gaps: number[] = []
  let previous = await nextFrame()
  while (scrollY + innerHeight < document.documentElement.scrollHeight - 1) {
    scrollBy(0, pxPerFrame)
    const now = await nextFrame()
    gaps.push(now - previous)
    previous = now
  }
  observer.disconnect()
  return {
    frames: gaps.length,
    longestFrameMs: Math.max(...gaps),
    droppedFrames: gaps.filter((gap) => gap > 2_000 / 60 + 1).length,
    longestTaskMs,
  }
}
