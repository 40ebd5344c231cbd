// Covers what a running Chromium finds on its machine: its environment, its user and its sandbox.
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processesOfGroup, processGroupOf } from './process-group.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

describe.runIf(process.platform === 'linux')('a running Chromium', () => {
  let test: TestBrowser
  let group: number[]
  beforeAll(async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'bucket-secret'
    process.env.PAGE_PREVIEW_REDIS = 'redis://user:redis-secret@nowhere'
    test = await startTestBrowser({ '/': '<h1>A page</h1>' })
    await test.capture('/')
    group = await processesOfGroup(await processGroupOf(test.browser.pid()!))
  })
  afterAll(async () => {
    delete process.env.AWS_SECRET_ACCESS_KEY
    delete process.env.PAGE_PREVIEW_REDIS
    await test.close()
  })

  it('has no secret of the service in its environment, nor have its child processes', () => {
    expect(group.length).toBeGreaterThan(1)
    for (const pid of group) expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toMatch(/secret|PAGE_PREVIEW/)
  })

  it('runs in its sandbox, and as another user where the service runs as root', () => {
    for (const pid of group) {
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain('--no-sandbox')
      expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]).not.toBe('0')
    }
    expect(test.events.map(({ event }) => event)).not.toContain('browser-unsandboxed')
  })

  it('yields to the service, also where the kernel schedules each session as a group', () => {
    for (const pid of group) {
      expect(getPriority(pid)).toBeGreaterThan(getPriority())
      if (existsSync(`/proc/${pid}/autogroup`))
        expect(readFileSync(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/ nice [1-9]\d*$/m)
    }
  })

  it('reports its version', () => {
    expect(test.browser.version()).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect(test.events).toContainEqual(
      expect.objectContaining({ event: 'browser-started', version: test.browser.version() }),
    )
  })
})
