// Covers `stories` as a reader opens them, in the built Storybook and in `npm run storybook`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../shared/free-port.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { axeViolations } from './axe.js'
import { openPage } from './open-page.js'
import { walkByTab } from './tab-stops.js'

interface Entry {
  id: string
  type: 'docs' | 'story'
}

/** A Storybook that can be opened. */
interface RunningStorybook {
  url: string
  stop: () => Promise<void>
}

/** On a busy machine each page takes several seconds. */
const MANY_PAGES = { timeout: 600_000 }

let chromium: Browser
beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium.close())

describe.each([
  ['built', startBuilt],
  ['under development', startDevelopment],
])('the Storybook %s', (_, start) => {
  let storybook: RunningStorybook
  let entries: Entry[]
  beforeAll(async () => {
    storybook = await start()
    const response = await fetch(`${storybook.url}/index.json`)
    entries = Object.values(((await response.json()) as { entries: Record<string, Entry> }).entries)
  }, 180_000)
  afterAll(() => storybook?.stop())

  it('lists every parameter of the query language among the props, without an error', async () => {
    const { page, complaints } = await openEntry(storybook, 'pagepreview--docs', 'docs')
    expect(await errorsOf(page, complaints)).toEqual([])
    const rows = await page.$$eval('.docblock-argstable tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].slice(0, 3).map((cell) => cell.textContent)),
    )
    await page.close()
    const names = rows.map(([name]) => name?.replace('*', ''))
    expect(names).toEqual(
      expect.arrayContaining(['url', 'device', 'screenshot.fullPage', 'ttl', 'endpoint', 'apiKey', 'theme', 'data']),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(rows.flat().join('\n')).not.toMatch(/readonly \[|keyof |\bunion\b|infer |"'/)
    expect(rows).toContainEqual(['theme', expect.any(String), "'auto'"])
  })

  // Both show the same pages and stories, and the built one is faster.
  if (start === startDevelopment) return

  it(
    'shows every page of the docs without an error, without violations for axe, as wide as a phone',
    MANY_PAGES,
    async () => {
      const pages = entries.filter(({ type }) => type === 'docs')
      expect(pages.length).toBeGreaterThan(20)
      for (const { id } of pages) {
        const { page, complaints } = await openEntry(storybook, id, 'docs')
        const violations = await axeViolations(page, '#storybook-docs', '.docblock-argstable')
        expect
          .soft({ errors: await errorsOf(page, complaints), violations }, id)
          .toEqual({ errors: [], violations: [] })
        await page.setViewport({ width: 390, height: 844 })
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), id).toBe(390)
        await page.close()
      }
    },
  )

  it(
    'leads through the links and controls of every story by Tab, each with an outline and in view',
    MANY_PAGES,
    async () => {
      for (const { id } of entries.filter(({ type }) => type === 'story')) {
        const { page } = await openEntry(storybook, id, 'story')
        const { stops, missed } = await walkByTab(page)
        expect
          .soft([...missed, ...stops.filter(({ isOutlined, isInView }) => !isOutlined || !isInView)], id)
          .toEqual([])
        await page.close()
      }
    },
  )
})

/** What the browser complained of, and what Storybook shows in the place of stories and pages that it cannot show. */
async function errorsOf(page: Page, complaints: readonly string[]): Promise<string[]> {
  const shown = await page.$$eval('[data-story-block] pre, .sb-show-errordisplay .sb-errordisplay', (errors) =>
    errors.map(({ textContent }) => textContent ?? ''),
  )
  return [...complaints.filter((complaint) => !isFixtureFailure(complaint)), ...shown]
}

/** Stories of failures request addresses where nothing is. */
const isFixtureFailure = (complaint: string) => complaint.startsWith('Failed to load resource')

/** Opens a story, or a page of the docs, and waits until each story on it has ended. */
async function openEntry(
  { url }: RunningStorybook,
  id: string,
  viewMode: Entry['type'],
): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await openPage(chromium, `${url}/iframe.html?id=${id}&viewMode=${viewMode}`)
  await page.waitForSelector(viewMode === 'docs' ? '#storybook-docs h1' : '#storybook-root *', { timeout: 60_000 })
  await page.waitForFunction(
    () => {
      const renders: { phase: string }[] = Reflect.get(window, '__STORYBOOK_PREVIEW__').storyRenders
      const ended = renders.filter(({ phase }) => ['finished', 'errored', 'aborted'].includes(phase))
      return ended.length === renders.length && renders.length >= document.querySelectorAll('[data-story-block]').length
    },
    { timeout: 60_000 },
  )
  return { page, complaints }
}

async function startBuilt(): Promise<RunningStorybook> {
  const outDir = await mkdtemp(join(tmpdir(), 'page-preview-storybook-'))
  const [exitCode] = await once(runStorybook(['build', '-o', outDir, '--quiet']), 'exit')
  expect(exitCode).toBe(0)
  const server = await preview({ configFile: false, build: { outDir }, preview: { port: await freePort() } })
  return {
    url: server.resolvedUrls!.local[0]!.replace(/\/$/, ''),
    async stop() {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

async function startDevelopment(): Promise<RunningStorybook> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const cacheDir = await mkdtemp(join(tmpdir(), 'page-preview-storybook-'))
  const args = ['dev', '-p', String(port), '--ci', '--no-open', '--exact-port', '--quiet']
  // Without the dependencies that an earlier start has bundled, as on a machine that has never started it.
  const child = runStorybook(args, { CACHE_DIR: cacheDir })
  const exited = once(child, 'exit')
  await vi.waitFor(() => fetch(`${url}/index.json`), { timeout: 120_000, interval: 200 })
  return {
    url,
    async stop() {
      child.kill()
      await exited
      await rm(cacheDir, { recursive: true, force: true })
    },
  }
}

function runStorybook(args: string[], env: NodeJS.ProcessEnv = {}) {
  const program = join('node_modules', '.bin', 'storybook')
  return spawn(process.execPath, [program, ...args, '-c', 'stories/.storybook', '--disable-telemetry'], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
}
