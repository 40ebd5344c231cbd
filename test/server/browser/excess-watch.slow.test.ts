// Covers pages that fill memory beside another page, which must not be blamed for that.
import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { isPageError } from '../../../src/query/index.js'
import { TransientError } from '../../../src/server/jobs/index.js'
import { processesOfGroup, processGroupOf } from './process-group.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const fill = (script: string) => `<title>Attack</title><body>Attack<script>const filled = []; ${script}</script>`
const routes = {
  '/arrays': fill(
    `const fill = () => { filled.push(new Uint8Array(20_000_000).fill(1)); setTimeout(fill, 20) }; fill()`,
  ),
  // The same bytes each time, because a page on a busy machine has little time of the processor.
  '/blobs': fill(`const bytes = new Uint8Array(50_000_000).fill(1)
    const fill = () => { filled.push(new Blob([bytes])) < 100 && setTimeout(fill, 10) }; fill()`),
  '/shader': `<title>Attack</title><canvas width="1024" height="1024"></canvas><script>
    const gl = document.querySelector('canvas').getContext('webgl')
    const program = gl.createProgram()
    const attach = (type, source) => {
      const shader = gl.createShader(type)
      gl.shaderSource(shader, source)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    attach(gl.VERTEX_SHADER, 'attribute vec2 a; void main() { gl_Position = vec4(a, 0, 1); }')
    attach(gl.FRAGMENT_SHADER, 'precision highp float; void main() { float x = gl_FragCoord.x;'
      + 'for (int i = 0; i < 20000; i++) x = sin(x) * cos(x) + float(i); gl_FragColor = vec4(x, 0, 0, 1); }')
    gl.linkProgram(program)
    gl.useProgram(program)
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW)
    gl.enableVertexAttribArray(0)
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
    for (let n = 0; n < 50; n++) gl.drawArrays(gl.TRIANGLES, 0, 3)
    gl.flush()
  </script>`,
  '/never': () => undefined,
  '/innocent': '<title>Innocent</title><h1>Hello</h1><p>Captured beside a page that fills memory.<img src="/image">',
}
const POLL = { timeout: 20_000, interval: 20 }
const LONGEST = { timeout: '28s' }

/** Does not finish loading the first time. */
async function startInnocent(test: TestBrowser) {
  let isHeld = true
  test.site.routes['/image'] = (_, response) => {
    if (!isHeld) response.writeHead(404).end()
    isHeld = false
  }
  const result = test.capture('/innocent', LONGEST, { client: 'b' })
  await vi.waitFor(() => expect(test.site.requests).toContain('GET /image'), POLL)
  return { result }
}

/** The largest first. */
async function renderersOf(browserPid: number): Promise<{ pid: number; bytes: number }[]> {
  const pids = await processesOfType('renderer', browserPid)
  return pids.map((pid) => ({ pid, bytes: anonymousBytes(pid) })).toSorted((a, b) => b.bytes - a.bytes)
}

async function processesOfType(type: 'renderer' | 'gpu-process', browserPid: number): Promise<number[]> {
  const pids = await processesOfGroup(await processGroupOf(browserPid))
  return pids.filter((pid) => commandOf(pid).includes(`--type=${type}`))
}

/** Empty for a process that has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** CPU time that a process has used. */
function cpuMsOf(pid: number): number {
  const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(values[11]) + Number(values[12])) * 10
}

const anonymousBytes = (pid: number) =>
  Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024

let test: TestBrowser | undefined
afterEach(() => test?.close())

it('retries a page whose tab crashes while another page is ended for its memory', async () => {
  test = await startTestBrowser(routes)
  const { browser, events } = test
  const innocent = await startInnocent(test)
  const attack = expect(test.capture('/arrays', { ...LONGEST, waitForTimeout: '25s' })).rejects.toMatchObject({
    code: 'ETOOLARGE',
  })
  // The third one, if any, is of the page that is opened in advance and empty.
  const second = await vi.waitFor(async () => {
    const [largest, second] = await renderersOf(browser.status().pid!)
    expect(largest?.bytes).toBeGreaterThan(400_000_000)
    return second!
  }, POLL)
  process.kill(second.pid, 'SIGTERM')
  await attack
  expect(await innocent.result).toMatchObject({ statusCode: 200 })
  expect(events).toContainEqual(expect.objectContaining({ event: 'capture-failed', attempts: 1 }))
  expect(events).not.toContainEqual(expect.objectContaining({ event: 'browser-exited' }))
}, 60_000)

it('retries a page that was closed first for the memory that another one has filled', async () => {
  test = await startTestBrowser(routes)
  const { events } = test
  const innocent = await startInnocent(test)
  const attack = test.capture('/blobs', { ...LONGEST, waitForTimeout: '25s' })
  const error: unknown = await attack.catch((reason: unknown) => reason)
  expect(await innocent.result).toMatchObject({ statusCode: 200 })
  // Where memory is slow, the time of the page is up before it has filled much.
  expect(error).toMatchObject({ code: expect.stringMatching(/^(ETOOLARGE|ETIMEOUT)$/) as string })
  expect(events.some(({ event }) => event === 'page-out-of-memory')).toBe(
    isPageError(error) && error.code === 'ETOOLARGE',
  )
}, 90_000)

it('does not remember the timeout of a page while another one keeps the GPU process busy', async () => {
  test = await startTestBrowser(routes)
  const { browser } = test
  await test.capture('/innocent')
  const timeout = () => test!.capture('/never', {}, { client: 'b', timeoutMs: 1_000 }).catch((error: unknown) => error)
  const failureBefore = await timeout()
  expect(failureBefore).toMatchObject({ code: 'ETIMEOUT' })
  expect(failureBefore).not.toMatchObject({ cause: expect.any(TransientError) as TransientError })
  const [gpuPid] = await processesOfType('gpu-process', browser.status().pid!)
  const cpuMsBefore = cpuMsOf(gpuPid!)
  const end = new AbortController()
  // It waits for no screenshot, so that the process is not ended.
  const attack = test.capture('/shader', { ...LONGEST, waitForTimeout: '25s' }, { signal: end.signal })
  await vi.waitFor(() => expect(cpuMsOf(gpuPid!) - cpuMsBefore).toBeGreaterThan(2_000), POLL)
  // A busy machine may keep the process from running for a while, which looks as if it had nothing to do.
  const isTransient = { code: 'ETIMEOUT', cause: expect.any(TransientError) as TransientError }
  await vi.waitFor(async () => expect(await timeout()).toMatchObject(isTransient), POLL)
  end.abort(new Error('cancelled'))
  await expect(attack).rejects.toThrow('cancelled')
}, 60_000)
