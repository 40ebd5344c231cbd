import { expect, it } from 'vitest'
import { RendererThrottle } from '../../../src/server/browser/renderer-throttle.js'

/** A browser with renderers, whose CPU times in milliseconds are added to with each read. */
function throttledBrowser(...rendererIds: number[]) {
  const cpuMs = new Map([1, ...rendererIds].map((pid) => [pid, 0]))
  const paused = new Set<number>()
  const throttle = new RendererThrottle((pid, signal) => {
    if (signal === 'SIGSTOP') paused.add(pid)
    else paused.delete(pid)
  })
  const read = (used: Record<number, number>, { responds }: { responds: boolean }) => {
    for (const [pid, ms] of Object.entries(used)) cpuMs.set(Number(pid), cpuMs.get(Number(pid))! + ms)
    const processes = [...cpuMs].map(([pid, ms]) => ({
      pid,
      isRenderer: pid !== 1,
      isGpu: false,
      privateBytes: 0,
      sharedBytes: 0,
      cpuMs: ms,
    }))
    throttle.update(processes, processes[0]!, responds)
    return [...paused]
  }
  read({}, { responds: true })
  return { read, throttle }
}

const responding = { responds: true }
const silent = { responds: false }

it('pauses no renderer while the browser has breaks, however busy the renderer is', () => {
  const { read } = throttledBrowser(2)
  for (let count = 0; count < 10; count++) {
    expect(read({ 1: 50, 2: 50 }, responding)).toEqual([])
    expect(read({ 1: 10, 2: 50 }, responding)).toEqual([])
  }
})

it('pauses no renderer while a busy machine keeps the browser from running', () => {
  const { read } = throttledBrowser(2)
  for (let count = 0; count < 100; count++) expect(read({ 2: 50 }, silent)).toEqual([])
})

it.each([true, false])(
  'pauses the busiest renderer until the browser is idle; it responds meanwhile: %s',
  (responds) => {
    const { read } = throttledBrowser(2, 3)
    expect(read({ 1: 50, 2: 30, 3: 40 }, { responds })).toEqual([])
    expect(read({ 1: 50, 2: 30, 3: 40 }, { responds })).toEqual([3])
    expect(read({ 1: 30 }, { responds })).toEqual([3])
    expect(read({}, silent)).toEqual([3])
    expect(read({}, responding)).toEqual([])
  },
)

it('pauses further busy renderers if that does not help, and none that is idle', () => {
  const { read } = throttledBrowser(2, 3, 4)
  expect(read({ 1: 90, 2: 30, 3: 50 }, silent)).toEqual([3])
  expect(read({ 1: 90, 2: 30 }, silent)).toEqual([3, 2])
  expect(read({ 1: 500 }, silent)).toEqual([3, 2])
})

it('pauses the same renderer for longer each time, up to a limit', () => {
  const { read } = throttledBrowser(2)
  const pausedReads = () => {
    read({ 1: 90, 2: 60 }, silent)
    for (let reads = 1; ; reads++) if (read({}, responding).length === 0) return reads
  }
  expect(Array.from({ length: 8 }, pausedReads)).toEqual([1, 2, 4, 8, 16, 32, 32, 32])
})

it('resumes all renderers when nothing watches them any longer', () => {
  const { read, throttle } = throttledBrowser(2, 3)
  read({ 1: 90, 2: 30, 3: 50 }, silent)
  read({ 1: 90 }, silent)
  throttle.stop()
  expect(read({}, silent)).toEqual([])
})
