// Covers the update of an installed Chromium while the service captures pages: `update-chromium.ts`, `try-chromium.ts`.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { findBrowserUser, readableChromium } from '../../src/server/browser/browser-user.js'
import { ensureChromium } from '../../src/server/browser/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBrowserMirror, type BrowserMirror } from '../server/browser/browser-mirror.js'
import { startInstance, type Instance } from './start-instance.js'

const DAY_MS = 86_400_000
const INTERVAL_MS = 50
const CONCURRENCY = 4
/** All slots are taken, and as many captures wait. With more, a slow machine needs longer than a request may take. */
const MAX_PENDING = 2 * CONCURRENCY
/** Enough for a start of the service, an installation, a trial and the take-over. */
const UPDATE_TIMEOUT_MS = 60_000

let home: string
let site: LocalSite
let mirror: BrowserMirror

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'page-preview-update-'))
  await chmod(home, 0o755)
  await mkdir(join(home, '.fonts'))
  await writeFile(join(home, '.fonts/font.ttf'), '')
  site = await localSite({ '/': '<!doctype html><title>Page</title><p>A page with a sentence that can be read.' })
  mirror = await startBrowserMirror()
  await addInstalled('143.0.1.1', 15)
  mirror.offer('144.0.1.1', { script: await scriptOf('144.0.1.1'), hasHash: true })
  onTestFinished(async () => {
    await Promise.all([site.close(), mirror.close()])
    await rm(home, { recursive: true })
  })
})

/** The Chromium of the tests, which says that it has another version. */
async function scriptOf(version: string): Promise<string> {
  const chromium = await ensureChromium()
  const user = await findBrowserUser()
  const { path, libraryPath, fontsPath } = user
    ? await readableChromium(chromium, { user, signal: new AbortController().signal })
    : chromium
  const variables = Object.entries({ LD_LIBRARY_PATH: libraryPath, FONTCONFIG_PATH: fontsPath })
    .map(([name, value]) => (value ? `export ${name}='${value}'\n` : ''))
    .join('')
  return `[ "$1" = --version ] && echo Chromium ${version} && exit\n${variables}exec '${path}' "$@"`
}

async function addInstalled(version: string, daysAgo: number): Promise<void> {
  const folder = join(home, 'chromium', version)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'shell'), `#!/bin/sh\n${await scriptOf(version)}\n`, { mode: 0o755 })
  const record = { executable: 'shell', origin: 'a mirror', installedAt: Date.now() - daysAgo * DAY_MS }
  await writeFile(join(folder, 'installed.json'), JSON.stringify(record))
}

async function start(...flags: string[]): Promise<Instance> {
  const service = await startInstance({
    flags: [
      `--allow-target=${site.host}`,
      `--browser-mirror=${mirror.url}`,
      '--allow-unsandboxed',
      `--concurrency=${CONCURRENCY}`,
      '--max-queue=1000',
      ...flags,
    ],
    env: {
      HOME: home,
      PATH: '/nowhere',
      CHROMIUM_PATH: '',
      PLAYWRIGHT_BROWSERS_PATH: '/nowhere',
      PAGE_PREVIEW_CHROMIUM_DIR: join(home, 'chromium'),
    },
  })
  onTestFinished(() => service.stop())
  return service
}

const chromiumOf = async (service: Instance) =>
  ((await (await fetch(`${service.url}/readyz`)).json()) as { chromium: Record<string, unknown> }).chromium

const installed = async () => (await readdir(join(home, 'chromium'))).filter((name) => /^\d/.test(name))

it('takes over without a failed capture while more are requested than run at once, and removes the old one', async () => {
  const service = await start()
  const before = await chromiumOf(service)
  expect(before['source']).toBe('installed')
  const statuses: number[] = []
  const captures: Promise<void>[] = []
  const capture = async (id: number) => {
    const query = { url: `${site.url}/?${id}`, screenshot: 'true', 'viewport.width': '320', 'viewport.height': '200' }
    const response = await service.get(query)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  const captureUntil = async (isDone: () => boolean, timeoutMs: number) => {
    const startedAt = performance.now()
    while (!isDone() && performance.now() - startedAt < timeoutMs) {
      if (captures.length - statuses.length < MAX_PENDING) captures.push(capture(captures.length))
      await sleep(INTERVAL_MS)
    }
  }
  const has = (event: string) => service.events().some((each) => each['event'] === event)
  await captureUntil(() => has('chromium-updated'), UPDATE_TIMEOUT_MS)
  expect(service.log()).toContain('chromium-updated')
  const countBefore = statuses.length
  await captureUntil(() => statuses.length > countBefore + 2 * MAX_PENDING, UPDATE_TIMEOUT_MS)
  await Promise.all(captures)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(has('capture-failed')).toBe(false)

  const after = await chromiumOf(service)
  expect(after['source']).toBe('installed')
  expect(Date.parse(String(after['installedAt']))).toBeGreaterThan(Date.parse(String(before['installedAt'])))
  await expect.poll(installed).toEqual(['144.0.1.1'])
  expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
    'page_preview_chromium_updates_total{outcome="done"} 1',
  )
  // A service that has ended uses none.
  await service.stop()
  expect(await readdir(join(home, 'chromium', 'in-use'))).toEqual([])
})

it('keeps the old one if the new one cannot capture a page', async () => {
  mirror.offer('144.0.1.1', { script: '[ "$1" = --version ] && echo Chromium 144.0.1.1 && exit\nexit 1' })
  const service = await start()
  await expect.poll(() => service.log(), { timeout: UPDATE_TIMEOUT_MS }).toContain('chromium-update-failed')
  expect(await installed()).toEqual(['143.0.1.1'])
  expect((await service.get({ url: `${site.url}/`, screenshot: 'true' })).status).toBe(200)
})

it('is not updated with --no-browser-update', async () => {
  const service = await start('--no-browser-update')
  expect((await service.get({ url: `${site.url}/`, screenshot: 'true' })).status).toBe(200)
  // Longer than the service waits before its first check.
  await sleep(12_000)
  expect(mirror.requests).toEqual([])
  expect(await readFile(join(home, 'chromium/143.0.1.1/installed.json'), 'utf8')).toContain('a mirror')
})
