import { describe, expect, it } from 'vitest'
import { runServerCli } from '../../../src/server/commands/index.js'
import { freePort } from '../../shared/free-port.js'
import { temporaryDir } from '../store/temporary-dir.js'

interface Run {
  stdout: string
  stop(): Promise<number>
}

/** Runs `serve` in this process until its ready line. */
async function startServe(...flags: string[]): Promise<Run> {
  let sendSignal: (() => void) | undefined
  let ended: Promise<number> | undefined
  const stdout = await new Promise<string>((ready, fail) => {
    ended = runServerCli(['serve', '--port=0', '--pro-port=0', '--log-level=silent', ...flags], {
      env: {},
      stdout: { write: ready },
      stderr: { write: (text) => fail(new Error(text)) },
      once: (_, stop) => (sendSignal = stop),
      off: () => undefined,
    })
  })
  return {
    stdout,
    async stop() {
      sendSignal!()
      return ended!
    },
  }
}

describe('serve --demo', () => {
  it('prints its pages and the data folder, and serves cached results at the same addresses after a restart', async () => {
    const [dataDir, port] = [await temporaryDir(), await freePort()]
    const cacheStatuses: (string | null)[] = []
    for (let start = 0; start < 2; start++) {
      const run = await startServe('--demo', `--demo-port=${port}`, `--data-dir=${dataDir}`)
      const [ready, ...lines] = run.stdout.split('\n')
      expect(ready).toMatch(/^page-preview ready free=\S+ pro=\S+ playground=\S+$/)
      expect(lines).toEqual([
        'Sample pages:',
        `  http://127.0.0.1:${port}/         Landing page`,
        `  http://127.0.0.1:${port}/article  Article`,
        `  http://127.0.0.1:${port}/pricing  Pricing`,
        `  http://127.0.0.1:${port}/clock    Clock`,
        `  http://127.0.0.1:${port}/arabic   Arabic`,
        `Results are stored in ${dataDir}`,
        '',
      ])
      const query = new URLSearchParams({ url: `http://127.0.0.1:${port}/article` })
      const response = await fetch(`${/free=(\S+)/.exec(ready!)![1]}/?${query}`)
      await response.arrayBuffer()
      cacheStatuses.push(response.headers.get('x-cache-status'))
      expect(await run.stop()).toBe(0)
    }
    expect(cacheStatuses).toEqual(['MISS', 'HIT'])
  })
})

describe('serve without --demo', () => {
  it('prints the ready line alone', async () => {
    const run = await startServe(`--data-dir=${await temporaryDir()}`)
    await run.stop()
    expect(run.stdout).toMatch(/^page-preview ready .*\n$/)
  })
})
