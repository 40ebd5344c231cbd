import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { readActivityOf, type ProcessActivity } from '../../../src/server/browser/processes.js'
import { respondInTime } from '../../../src/server/browser/respond-in-time.js'

/** Checked twenty times, every 2 ms. */
const LIMIT_MS = 40
const CHECK_MS = 2
const never = () => new Promise<never>(() => undefined)

/** A browser that does not respond, and does the same between any two checks. */
async function watchSilentBrowser(activity: { cpuMs: number; isRunnable: boolean } | undefined) {
  const counts = { checks: 0, starved: 0 }
  const readActivity = (): ProcessActivity | undefined => {
    counts.checks++
    return activity && { ...activity, cpuMs: activity.cpuMs * counts.checks }
  }
  const onStarved = () => void counts.starved++
  const hasResponded = await respondInTime(never(), { limitMs: LIMIT_MS, readActivity, onStarved })
  return { hasResponded, ...counts }
}

it.each([
  ['is stopped, or waits for something else than a CPU', { cpuMs: 0, isRunnable: false }],
  ['computes all the time', { cpuMs: CHECK_MS, isRunnable: true }],
  ['runs on another machine', undefined],
])('gives up a browser after the limit that %s', async (_, activity) => {
  expect(await watchSilentBrowser(activity)).toEqual({ hasResponded: false, checks: 20, starved: 0 })
})

it('counts only the CPU time of a browser that waits for a CPU, and reports each time that it waits for as long as the limit', async () => {
  expect(await watchSilentBrowser({ cpuMs: CHECK_MS / 2, isRunnable: true })).toEqual({
    hasResponded: false,
    checks: 40,
    starved: 1,
  })
})

it('gives up a browser that gets no CPU after three times the limit', async () => {
  expect(await watchSilentBrowser({ cpuMs: 0, isRunnable: true })).toEqual({
    hasResponded: false,
    checks: 60,
    starved: 3,
  })
})

it.each([
  ['responds', () => Promise.resolve({})],
  ['is gone', () => Promise.reject(new Error('gone'))],
])('waits no longer once the browser %s', async (_, respond) => {
  const readActivity = () => undefined
  expect(await respondInTime(respond(), { limitMs: LIMIT_MS, readActivity, onStarved: expect.unreachable })).toBe(true)
})

it.runIf(process.platform === 'linux')('tells a process that computes from one that is stopped', async () => {
  const child = spawn(process.execPath, ['--eval', 'console.log(); for (;;);'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await once(child.stdout, 'data')
  const computing = readActivityOf(child.pid!)!
  expect(computing.isRunnable).toBe(true)
  await expect.poll(() => readActivityOf(child.pid!)!.cpuMs).toBeGreaterThan(computing.cpuMs)
  child.kill('SIGSTOP')
  await expect.poll(() => readActivityOf(child.pid!)!.isRunnable).toBe(false)
})

it.runIf(process.platform === 'linux')('knows nothing of a process that has exited', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(readActivityOf(child.pid!)).toBeUndefined()
})
