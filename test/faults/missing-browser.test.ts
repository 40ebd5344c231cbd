// Covers a browser file that disappears or stops working while the service runs, and comes back: `supervisor.ts`.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { findBrowserUser, readableChromium } from '../../src/server/browser/browser-user.js'
import { ensureChromium } from '../../src/server/browser/index.js'
import { startInstance, type Instance } from './start-instance.js'

const HEAL_TIMEOUT_MS = 12_000

let site: LocalSite
let folder: string
let wrapper: string
let script: string
let service: Instance

beforeAll(async () => {
  script = await wrapperScript()
})
beforeEach(async () => {
  site = await localSite({ '/': '<title>Page</title><meta name="description" content="About it.">Page' })
  folder = await mkdtemp(join(tmpdir(), 'page-preview-wrapper-'))
  wrapper = join(folder, 'chromium')
  await restore()
  onTestFinished(() => Promise.all([site.close(), rm(folder, { recursive: true })]).then(() => undefined))
})

async function startService(): Promise<void> {
  const flags = [`--allow-target=${site.host}`, `--browser=${wrapper}`, '--allow-unsandboxed', '--free-daily-limit=100']
  service = await startInstance({ flags })
  onTestFinished(() => service.stop())
}

/** A browser that can be taken away, without touching the real one. */
async function wrapperScript(): Promise<string> {
  const { path, libraryPath, fontsPath } = await runnableChromium()
  const variables = Object.entries({ LD_LIBRARY_PATH: libraryPath, FONTCONFIG_PATH: fontsPath })
    .map(([name, value]) => (value ? `export ${name}='${value}'\n` : ''))
    .join('')
  return `#!/bin/sh\n${variables}exec '${path}' "$@"\n`
}

/** The user that runs the browser can run it too, if the service runs as root. */
async function runnableChromium() {
  const chromium = await ensureChromium()
  const user = await findBrowserUser()
  return user ? readableChromium(chromium, { user, signal: new AbortController().signal }) : chromium
}

async function restore(): Promise<void> {
  await writeFile(wrapper, script)
  await chmod(wrapper, 0o755)
}

const replaceBy = async (lines: string) => writeFile(wrapper, `#!/bin/sh\n${lines}\n`)

const request = async (path: string, query: Record<string, string> = {}) => {
  const response = await service.get({ url: site.url + path, ...query })
  const { code } = (await response.json()) as { code?: string }
  const { headers, status } = response
  return { status, code, retryAfter: headers.get('retry-after'), remaining: headers.get('x-rate-limit-remaining') }
}

const capture = (path: string) => request(path, { screenshot: 'true' })

async function killBrowser(): Promise<void> {
  const { pid } = service.events().findLast(({ event }) => event === 'browser-started') as { pid: number }
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => service.log()).toContain('browser-exited')
}

it.each([
  { fault: 'is deleted', cause: () => rm(wrapper) },
  { fault: 'is not executable', cause: () => chmod(wrapper, 0o644) },
  { fault: 'ends at once', cause: () => replaceBy('exit 1') },
  { fault: 'crashes when it is launched', cause: () => replaceBy('echo "Chromium 143.0.1.1"; kill -SEGV $$') },
])('answers 503 while the browser $fault, and heals', async ({ cause }) => {
  await chmod(folder, 0o755)
  await startService()
  expect(await capture('/?cached')).toMatchObject({ status: 200, remaining: '99' })
  await cause()
  await killBrowser()

  const refused = await capture('/?refused')
  expect(refused).toMatchObject({ status: 503, code: 'EBUSY', remaining: '99' })
  expect(Number(refused.retryAfter)).toBeGreaterThan(0)
  expect(await request('/?metadata')).toMatchObject({ status: 200, remaining: '98' })
  expect(await capture('/?cached')).toMatchObject({ status: 200, remaining: '98' })
  expect(service.log()).toContain('browser-launch-failed')

  await restore()
  await expect.poll(() => capture('/?refused'), { timeout: HEAL_TIMEOUT_MS }).toMatchObject({ status: 200 })
})

it.runIf(process.getuid?.() === 0)(
  'goes on with its copy of a browser that only root can run, after that is deleted',
  async () => {
    await startService()
    expect(await capture('/?before')).toMatchObject({ status: 200 })
    const copied = service.events().find(({ event }) => event === 'chromium-copied')
    onTestFinished(() => rm(dirname(String(copied?.['to'])), { recursive: true }))
    await rm(wrapper)
    await killBrowser()
    expect(await capture('/?after')).toMatchObject({ status: 200 })
  },
)
