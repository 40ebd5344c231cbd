// Covers how a Chromium is launched, and what it finds on its machine: its environment, its user, its sandbox and its profile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findChromium } from '../../../src/server/browser/find-chromium.js'
import { createLauncher, createProfileFolder } from '../../../src/server/browser/launch-browser.js'
import { startBrowserMirror } from './browser-mirror.js'
import { createFakeHome } from './fake-home.js'
import { processesOfGroup, processGroupOf } from './process-group.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

// The first test, because a browser of another one may still be closing its pipes.
it.runIf(process.platform === 'linux')(
  'keeps no pipe of a browser that has exited, although a child of another process group has them open',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'page-preview-launch-'))
    await chmod(folder, 0o755)
    const executable = join(folder, 'chromium')
    // The child ends by itself.
    const script = '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 143.0.0.0 && exit\nsetsid sleep 8 &\nexit 1\n'
    await writeFile(executable, script, { mode: 0o755 })
    const countPipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
    const before = countPipes()
    try {
      const { launch } = createLauncher({ executable, allowUnsandboxed: true })
      await expect(launch(new AbortController().signal)).rejects.toThrow('does not start')
      await expect.poll(countPipes, { timeout: 4_000 }).toBe(before)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

it.each([
  ['/nowhere/chromium', 'ENOENT'],
  [process.execPath, 'bad option'],
])('reports why %s does not start as a browser', async (executable, reason) => {
  const { launch } = createLauncher({ executable, allowUnsandboxed: true })
  await expect(launch(new AbortController().signal)).rejects.toThrow(reason)
})

it('does not install a Chromium again right after that has failed, but finds one that was put there', async () => {
  const home = await createFakeHome()
  await chmod(home.path, 0o755)
  const mirror = await startBrowserMirror()
  onTestFinished(() => Promise.all([home.remove(), mirror.close()]).then(() => undefined))
  const names = ['HOME', 'PATH', 'CHROMIUM_PATH', 'PLAYWRIGHT_BROWSERS_PATH', 'PAGE_PREVIEW_CHROMIUM_DIR'] as const
  for (const name of names)
    vi.stubEnv(name, name === 'CHROMIUM_PATH' ? '' : (home.env[name] ?? join(home.path, 'none')))
  onTestFinished(() => void vi.unstubAllEnvs())
  // Another program of this machine may be found.
  if (await findChromium()) return
  const { launch } = createLauncher({ mirror: mirror.url, allowUnsandboxed: true })
  const { signal } = new AbortController()
  for (let count = 0; count < 3; count++) await expect(launch(signal)).rejects.toThrow('none could be installed')
  expect(mirror.requests).toHaveLength(1)
  await home.addProgram('bin/chromium', '[ "$1" = --version ] && echo Chromium 143.0.1.2')
  await expect(launch(signal)).rejects.toThrow('bin/chromium does not start')
})

interface ChromiumProcess {
  environment: string
  commandLine: string
  uid: string | undefined
  priority: number
  autogroup: string | undefined
}

/** `undefined` for a process that has ended, as the one of a page does behind its capture. */
function readProcess(pid: number): ChromiumProcess | undefined {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1')
  try {
    return {
      environment: read('environ'),
      commandLine: read('cmdline'),
      uid: /^Uid:\s+(\d+)/m.exec(read('status'))?.[1],
      priority: getPriority(pid),
      autogroup: existsSync(`/proc/${pid}/autogroup`) ? read('autogroup') : undefined,
    }
  } catch (error) {
    // Its folder stays until its parent has noticed that it ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && existsSync(`/proc/${pid}`)) throw error
    return undefined
  }
}

describe.runIf(process.platform === 'linux')('a running Chromium', () => {
  let test: TestBrowser
  let processes: ChromiumProcess[]
  beforeAll(async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'bucket-secret'
    process.env.PAGE_PREVIEW_REDIS = 'redis://user:redis-secret@nowhere'
    test = await startTestBrowser({ '/': '<h1>A page</h1>' })
    await test.capture('/')
    const group = await processesOfGroup(await processGroupOf(test.browser.status().pid!))
    processes = group.flatMap((pid) => readProcess(pid) ?? [])
  })
  afterAll(async () => {
    delete process.env.AWS_SECRET_ACCESS_KEY
    delete process.env.PAGE_PREVIEW_REDIS
    await test.close()
  })

  it('has no secret of the service in its environment, nor have its child processes', () => {
    expect(processes.length).toBeGreaterThan(1)
    for (const { environment } of processes) expect(environment).not.toMatch(/secret|PAGE_PREVIEW/)
  })

  it('runs in its sandbox, and as another user where the service runs as root', () => {
    for (const { commandLine, uid } of processes) {
      expect(commandLine).not.toContain('--no-sandbox')
      expect(uid).not.toBe('0')
    }
    expect(test.events.map(({ event }) => event)).not.toContain('browser-unsandboxed')
  })

  it('yields to the service, also where the kernel schedules each session as a group', () => {
    for (const { priority, autogroup } of processes) {
      expect(priority).toBeGreaterThan(getPriority())
      if (autogroup !== undefined) expect(autogroup).toMatch(/ nice [1-9]\d*$/m)
    }
  })

  it('reports its version', () => {
    expect(test.browser.status().version).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect(test.events).toContainEqual(
      expect.objectContaining({ event: 'browser-started', version: test.browser.status().version }),
    )
  })
})

describe('the folder of a profile', () => {
  let folder: string
  let systemFolder: string | undefined
  beforeEach(async () => {
    systemFolder = process.env.TMPDIR
    folder = await mkdtemp(join(tmpdir(), 'page-preview-profiles-'))
    process.env.TMPDIR = folder
  })
  afterEach(async () => {
    if (systemFolder === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = systemFolder
    await rm(folder, { recursive: true, force: true })
  })

  const profileOf = (pid: number, instance: string) => mkdtemp(join(folder, `page-preview-browser-${pid}-${instance}-`))

  /** What a profile folder of this process has in its name. */
  const ownInstance = async () => basename(await createProfileFolder()).split('-')[4]!

  it('keeps the profiles of the running service, which may have several browsers', async () => {
    const first = await createProfileFolder()
    const second = await createProfileFolder()
    expect((await readdir(folder)).toSorted()).toEqual([first, second].map((path) => basename(path)).toSorted())
  })

  it.runIf(process.platform === 'linux')(
    'removes the profile of an earlier process with its own id, as each service in a container has it',
    async () => {
      const abandoned = await profileOf(process.pid, `${await ownInstance()}0`)
      await createProfileFolder()
      expect(await readdir(folder)).not.toContain(basename(abandoned))
    },
  )

  it.runIf(process.platform === 'linux')(
    'removes the profile of an earlier process whose id another program has now',
    async () => {
      const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
      try {
        await once(other, 'spawn')
        const abandoned = await profileOf(other.pid!, await ownInstance())
        await createProfileFolder()
        expect(await readdir(folder)).not.toContain(basename(abandoned))
      } finally {
        other.kill('SIGKILL')
        await once(other, 'exit')
      }
    },
  )
})
