// Covers the renderer that `ExcessWatch` ends when the browser has no CPU to run on, or pauses when it starts too much.
import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import type { Connection } from 'puppeteer-core'
import { expect, it, onTestFinished } from 'vitest'
import { ExcessWatch } from '../../../src/server/browser/excess-watch.js'
import type { OpenPage } from '../../../src/server/browser/open-page.js'
import type { RunningBrowser } from '../../../src/server/browser/running-browser.js'

const SIGKILL = 9
const MIN_CPU_MS = 50
const BUSY = 'process.stdout.write("started", () => { for (;;); })'
const IDLE = 'process.stdout.write("started"); setInterval(() => {}, 1000)'
/** What the browser starts before the renderer that has requested it is paused. */
const MAX_TARGETS = 20

/** Resolves when the script runs, because a process that starts uses CPU time too. */
async function startProcess(script: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await once(child.stdout, 'data')
  return child
}

/** The renderers of a browser, and the pages that run in them, by name. */
async function watchRenderers(renderers: Record<string, ChildProcess>) {
  const browser = await startProcess(IDLE)
  const processInfo = [
    { type: 'browser', id: browser.pid },
    ...Object.values(renderers).map(({ pid }) => ({ type: 'renderer', id: pid })),
  ]
  let responding = Promise.resolve()
  const connection = Object.assign(new EventEmitter(), { send: () => responding.then(() => ({ processInfo })) })
  const running: RunningBrowser = {
    connection: connection as unknown as Connection,
    captureScreenshot: () => Promise.reject(new Error('no screenshot is taken')),
    userAgent: 'Test',
    version: '1.0',
    pid: browser.pid!,
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
  /** Keeps the browser from responding. @returns Ends that. */
  const keepBusy = () => {
    let respond = () => {}
    responding = new Promise((resolve) => (respond = resolve))
    return respond
  }
  const startWorker = () => connection.emit('Target.targetCreated', { targetInfo: { type: 'worker' } })
  return { watch, ended, events, crash, keepBusy, startWorker }
}

const cpuMsOf = (watch: ExcessWatch, { pid }: ChildProcess) => watch.cpuMsOfRenderers().get(pid!)

const isPaused = ({ pid }: ChildProcess) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

it('is the one that has used the most CPU time since the browser has stopped responding', async () => {
  const [busy, idle] = await Promise.all([startProcess(BUSY), startProcess(IDLE)])
  const { watch, ended, events, crash } = await watchRenderers({ busy, idle })
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

it.runIf(process.platform === 'linux')('is paused while the browser starts one worker after the other', async () => {
  const [busy, idle] = await Promise.all([startProcess(BUSY), startProcess(IDLE)])
  const { watch, ended, keepBusy, startWorker } = await watchRenderers({ busy, idle })
  await expect.poll(() => cpuMsOf(watch, busy)).toBeDefined()
  const respond = keepBusy()
  // The next read still finds the response to the one before, and counts from there.
  const beforeRead = cpuMsOf(watch, busy)!
  await expect.poll(() => cpuMsOf(watch, busy), { timeout: 10_000 }).toBeGreaterThan(beforeRead)
  const before = cpuMsOf(watch, busy)!
  await expect.poll(() => cpuMsOf(watch, busy)! - before, { timeout: 10_000 }).toBeGreaterThan(MIN_CPU_MS)
  for (let count = 0; count < MAX_TARGETS; count++) {
    expect(isPaused(busy)).toBe(false)
    startWorker()
  }
  await expect.poll(() => isPaused(busy)).toBe(true)
  expect(isPaused(idle)).toBe(false)
  respond()
  await expect.poll(() => isPaused(busy)).toBe(false)
  expect(ended).toEqual({})
})

it.runIf(process.platform === 'linux')('has a lower priority than the browser', async () => {
  const renderer = await startProcess(IDLE)
  await watchRenderers({ renderer })
  await expect.poll(() => getPriority(renderer.pid)).toBeGreaterThan(getPriority())
})

it('is none on a machine that other programs keep busy', async () => {
  const renderer = await startProcess(BUSY)
  const { watch, ended, events } = await watchRenderers({ renderer })
  await expect.poll(() => watch.cpuMsOfRenderers().get(renderer.pid!)).toBeGreaterThan(0)
  watch.killBusiestRenderer(watch.cpuMsOfRenderers(), { minCpuMs: MIN_CPU_MS })
  expect({ ended, events }).toEqual({ ended: {}, events: [] })
})
