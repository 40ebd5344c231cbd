// Covers the watchdog of the event loop, in the built package.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const MODULE = resolve(import.meta.dirname, '../../src/server/dist/watch-event-loop.js')

/** Starts the watchdog, waits until it runs, blocks the main thread for a while, and prints the count. */
const program = (blockedMs: number) => `
  import { setTimeout as delay } from 'node:timers/promises'
  import { watchEventLoop } from ${JSON.stringify(MODULE)}
  const watch = watchEventLoop('info')
  await delay(2_000)
  const end = Date.now() + ${blockedMs}
  while (Date.now() < end);
  await delay(1_000)
  console.log(watch.blockCount())
  await watch.close()`

async function blockFor(blockedMs: number) {
  const args = ['--input-type=module', '--eval', program(blockedMs)]
  return promisify(execFile)(process.execPath, args, { timeout: 60_000 })
}

it('logs and counts an event loop that is blocked for longer than 2 seconds, once', async () => {
  const { stdout, stderr } = await blockFor(5_000)
  expect(stdout).toBe('1\n')
  expect(stderr.match(/"event":"[^"]+"/g)).toEqual(['"event":"event-loop-blocked"', '"event":"event-loop-runs-again"'])
})

it('stays silent about a shorter one', async () => {
  const { stdout, stderr } = await blockFor(500)
  expect([stdout, stderr]).toEqual(['0\n', ''])
})
