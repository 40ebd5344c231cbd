// Covers what a running Chromium finds on its machine: its environment, its user and its sandbox.
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processesOfGroup, processGroupOf } from './process-group.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

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
    const group = await processesOfGroup(await processGroupOf(test.browser.pid()!))
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
    expect(test.browser.version()).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect(test.events).toContainEqual(
      expect.objectContaining({ event: 'browser-started', version: test.browser.version() }),
    )
  })
})
