// Covers the page that `ExcessWatch` ends when the browser has no CPU to run on.
import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Connection } from 'puppeteer-core'
import { expect, it, onTestFinished } from 'vitest'
import { ExcessWatch } from '../../../src/server/browser/excess-watch.js'
import type { OpenPage } from '../../../src/server/browser/open-page.js'
import type { RunningBrowser } from '../../../src/server/browser/running-browser.js'

const SIGKILL = 9
const MIN_CPU_MS = 50

function startProcess(script: string): ChildProcess {
  const child = spawn(process.execPath, ['--eval', script], { stdio: 'ignore' })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child
}

/** The renderers of a browser, and the pages that run in them, by name. */
function watchRenderers(renderers: Record<string, ChildProcess>) {
  const processInfo = Object.values(renderers).map(({ pid }) => ({ type: 'renderer', id: pid }))
  const connection = Object.assign(new EventEmitter(), { send: async () => ({ processInfo }) })
  const running: RunningBrowser = {
    connection: connection as unknown as Connection,
    captureScreenshot: () => Promise.reject(new Error('no screenshot is taken')),
    userAgent: 'Test',
    version: '1.0',
    pid: process.pid,
    gone: new AbortController().signal,
    kill: () => undefined,
    close: async () => undefined,
  }
  const events: Record<string, unknown>[] = []
  const log = (event: Record<string, unknown>) => void events.push(event)
  const watch = new ExcessWatch(running, { log, killBrowser: expect.unreachable, drainBrowser: expect.unreachable })
  const ended: Record<string, unknown> = {}
  for (const name of Object.keys(renderers)) {
    const end = (reason: Promise<unknown>) => void reason.then((error) => (ended[name] = error))
    watch.add({ owns: (targetId: string) => targetId === name, end } as Partial<OpenPage> as OpenPage)
  }
  watch.start()
  onTestFinished(() => watch.stop())
  const crash = (targetId: string) => connection.emit('Target.targetCrashed', { targetId, errorCode: SIGKILL })
  return { watch, ended, events, crash }
}

it('is the one that has used the most CPU time since the browser has stopped responding', async () => {
  const [busy, idle] = [startProcess('for (;;);'), startProcess('setInterval(() => {}, 1000)')]
  const { watch, ended, events, crash } = watchRenderers({ busy, idle })
  await expect.poll(() => watch.cpuMsOfRenderers().size).toBe(2)
  const before = watch.cpuMsOfRenderers()
  await expect
    .poll(() => watch.cpuMsOfRenderers().get(busy.pid!)! - before.get(busy.pid!)!, { timeout: 10_000 })
    .toBeGreaterThan(MIN_CPU_MS)
  watch.killBusiestRenderer(before, { minCpuMs: MIN_CPU_MS })
  await once(busy, 'exit')
  crash('busy')
  await expect.poll(() => ended).toMatchObject({ busy: { code: 'ETOOLARGE', cause: { name: 'TransientError' } } })
  expect(events).toEqual([expect.objectContaining({ event: 'page-unresponsive', pid: busy.pid })])
  expect(ended).not.toHaveProperty('idle')
  expect(idle.signalCode).toBeNull()
})

it('is none on a machine that other programs keep busy', async () => {
  const renderer = startProcess('for (;;);')
  const { watch, ended, events } = watchRenderers({ renderer })
  await expect.poll(() => watch.cpuMsOfRenderers().get(renderer.pid!)).toBeGreaterThan(0)
  watch.killBusiestRenderer(watch.cpuMsOfRenderers(), { minCpuMs: MIN_CPU_MS })
  expect({ ended, events }).toEqual({ ended: {}, events: [] })
})
