// Covers pages that fill memory beside another page, which must not be blamed for that.
import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { processesOfGroup, processGroupOf } from './process-group.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const fill = (script: string) => `<title>Attack</title><body>Attack<script>const filled = []; ${script}</script>`
const routes = {
  '/arrays': fill(
    `const fill = () => { filled.push(new Uint8Array(20_000_000).fill(1)); setTimeout(fill, 20) }; fill()`,
  ),
  '/blobs': fill(`const fill = () => {
    filled.push(new Blob([new Uint8Array(50_000_000).fill(1)])) < 100 && setTimeout(fill, 10) }; fill()`),
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
  const pids = await processesOfGroup(await processGroupOf(browserPid))
  return pids
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'))
    .map((pid) => ({ pid, bytes: anonymousBytes(pid) }))
    .toSorted((a, b) => b.bytes - a.bytes)
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
    const [largest, second] = await renderersOf(browser.pid()!)
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
  await expect(test.capture('/blobs', { ...LONGEST, waitForTimeout: '25s' })).rejects.toMatchObject({
    code: 'ETOOLARGE',
  })
  expect(await innocent.result).toMatchObject({ statusCode: 200 })
  expect(events).toContainEqual(expect.objectContaining({ event: 'page-out-of-memory' }))
}, 90_000)
