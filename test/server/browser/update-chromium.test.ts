import { readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listInstalled, markInUse, type InstalledChromium } from '../../../src/server/browser/installed-chromiums.js'
import { startChromiumUpdates, type ChromiumUpdates } from '../../../src/server/browser/update-chromium.js'
import { startBrowserMirror, type BrowserMirror } from './browser-mirror.js'
import { createFakeHome, type FakeHome } from './fake-home.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let home: FakeHome
let mirror: BrowserMirror
let folder: string
let now: number
let current: InstalledChromium | undefined
let tried: string[]
let trialError: Error | undefined
let previousGone: () => void
let events: Record<string, unknown>[]
let updates: ChromiumUpdates

beforeEach(async () => {
  home = await createFakeHome()
  mirror = await startBrowserMirror()
  folder = join(home.path, 'own')
  now = Date.UTC(2026, 10, 26)
  tried = []
  trialError = undefined
  events = []
  await home.addProgram('.fonts/font.ttf')
  current = await addInstalled('152.0.1.1', 14)
  mirror.offer('154.0.1.1')
  updates = startChromiumUpdates({
    env: { ...home.env, PAGE_PREVIEW_CHROMIUM_DIR: folder },
    mirror: mirror.url,
    browser: {
      status: () => ({ chromium: current && { path: current.path, source: 'installed', installed: current } }) as never,
      replaceChromium: async (next) => {
        current = next
        return { previousGone: new Promise((resolve) => (previousGone = resolve)) }
      },
    },
    tryOut: async ({ version }) => {
      tried.push(version)
      if (trialError) throw trialError
    },
    clock: () => now,
    log: (event) => void events.push(event),
  })
})
afterEach(async () => {
  await updates.close()
  await Promise.all([home.remove(), mirror.close()])
})

async function addInstalled(version: string, daysAgo: number): Promise<InstalledChromium> {
  const path = await home.addProgram(`own/${version}/shell`, `echo Chromium ${version}`)
  const record = { executable: 'shell', origin: 'a mirror', installedAt: now - daysAgo * DAY_MS }
  await writeFile(join(dirname(path), 'installed.json'), JSON.stringify(record))
  return (await listInstalled(folder)).find((each) => each.version === version)!
}

const installedVersions = async () => (await listInstalled(folder)).map(({ version }) => version)
const failures = () => events.filter(({ event }) => event === 'chromium-update-failed')

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('updating a Chromium', () => {
  it('waits until it is 14 days old, then tries the stable version, lets it take over, and removes the old one', async () => {
    now -= 1
    await updates.check()
    expect(mirror.requests).toEqual([])
    now += 1
    await updates.check()
    expect(current?.version).toBe('154.0.1.1')
    expect(tried).toEqual(['154.0.1.1'])
    expect(updates.counts()).toEqual({ done: 1, failed: 0 })
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'chromium-updated', from: '152.0.1.1', to: '154.0.1.1' }),
    )
    expect(await installedVersions()).toEqual(['154.0.1.1', '152.0.1.1'])
    previousGone()
    await expect.poll(installedVersions).toEqual(['154.0.1.1'])
    await expect.poll(() => events.at(-1)).toMatchObject({ event: 'chromium-removed', version: '152.0.1.1' })
  })

  it('does not remove a version that another service uses, until that has ended', async () => {
    const endUse = await markInUse(current!)
    const unused = await addInstalled('151.0.1.1', 30)
    await updates.check()
    previousGone()
    await expect.poll(() => events.at(-1)).toMatchObject({ event: 'chromium-removed', version: unused.version })
    expect(await installedVersions()).toEqual(['154.0.1.1', '152.0.1.1'])
    await endUse()
    await addInstalled('155.0.1.1', 0)
    await updates.check()
    previousGone()
    await expect.poll(installedVersions).toEqual(['155.0.1.1'])
  })

  it('removes versions that nobody uses any more', async () => {
    current!.installedAt = now
    await addInstalled('151.0.1.1', 30)
    await updates.check()
    expect(await installedVersions()).toEqual(['152.0.1.1'])
  })

  it('removes a version whose user has died', async () => {
    const { folder: own } = current!
    await home.addProgram(`own/in-use/152.0.1.1_4194304-1x1_abcdef/mark`)
    await updates.check()
    previousGone()
    await expect.poll(() => readdir(join(own, '..'))).not.toContain('152.0.1.1')
    expect(await readdir(join(folder, 'in-use'))).toEqual([])
  })

  it('keeps the old one, and removes the new one, if that fails its trial; the next trial is later', async () => {
    trialError = new Error('The sample page is blank.')
    await updates.check()
    expect(current?.version).toBe('152.0.1.1')
    expect(await installedVersions()).toEqual(['152.0.1.1'])
    expect(failures()).toEqual([
      expect.objectContaining({ level: 'warn', reason: 'Error: The sample page is blank.', retryAfterMs: HOUR_MS }),
    ])
    trialError = undefined
    now += HOUR_MS - 1
    await updates.check()
    expect(current?.version).toBe('152.0.1.1')
    now += 1
    await updates.check()
    expect(current?.version).toBe('154.0.1.1')
    expect(updates.counts()).toEqual({ done: 1, failed: 1 })
  })

  it('tries again after growing pauses of at most a day while the mirror is down', async () => {
    mirror.serve('/chrome/last-known-good-versions.json', { status: 503 })
    await home.addProgram('bin/npm', 'exit 1')
    for (const hours of [1, 2, 4, 8, 16, 24, 24]) {
      await updates.check()
      expect(failures().at(-1)).toMatchObject({ retryAfterMs: hours * HOUR_MS })
      now += hours * HOUR_MS
    }
    expect(mirror.requests).toHaveLength(7)
    expect(current?.version).toBe('152.0.1.1')
  })

  it('looks up the stable version once a day if it has that already', async () => {
    mirror.offer('152.0.1.1')
    await updates.check()
    now += DAY_MS - 1
    await updates.check()
    expect(mirror.requests).toHaveLength(1)
    now += 1
    await updates.check()
    expect(mirror.requests).toHaveLength(2)
    expect(tried).toEqual([])
    expect(updates.counts()).toEqual({ done: 0, failed: 0 })
  })

  it('uses a newer version that another process has installed, before an update is due', async () => {
    current!.installedAt = now
    await addInstalled('153.0.1.1', 0)
    await updates.check()
    expect(current?.version).toBe('153.0.1.1')
    expect(tried).toEqual(['153.0.1.1'])
    expect(mirror.requests).toEqual([])
  })

  it('leaves a Chromium alone that the service has not installed', async () => {
    current = undefined
    await rm(folder, { recursive: true })
    await updates.check()
    expect(mirror.requests).toEqual([])
  })
})
