import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { slowCases } from '../../shared/slow-cases.js'
import { runServerCli } from '../../../src/static/commands/index.js'
import { localSite } from '../../local-site.js'
import { freePort } from '../../shared/free-port.js'
import { temporaryDir } from '../store/temporary-dir.js'
import { runCommand } from '../../static/commands/run-command.js'

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
      stdout: { write: (text) => ready(String(text)) },
      stderr: { write: (text) => fail(new Error(String(text))) },
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

describe('a port in use', () => {
  it.each(['--port', ...slowCases('--pro-port', '--admin-port', '--demo-port')])(
    'of %s is all that serve prints, with the flag that chooses another one',
    async (flag) => {
      const other = await localSite({})
      const { port } = new URL(other.url)
      const others = ['--port=0', '--pro-port=0', '--demo-port=0', '--demo', `--data-dir=${await temporaryDir()}`]
      const { code, output } = await runBuiltCommand('serve', ...others, `${flag}=${port}`)
      await other.close()
      expect({ code, output }).toEqual({
        code: 1,
        output: `page-preview-server: Port ${port} is already in use by another program; set ${flag} to another port.\n`,
      })
    },
  )

  it('by two options of the same service is reported with both', async () => {
    const port = await freePort()
    const { code, stderr } = await runCommand([
      'serve',
      `--port=${port}`,
      '--pro-port=0',
      '--demo',
      `--demo-port=${port}`,
    ])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `page-preview-server: Port ${port} is set by both --port and --demo-port; set --demo-port to another port.\n`,
    })
  })
})

/** In its own process, since the log is written to its standard error. */
async function runBuiltCommand(...args: string[]): Promise<{ code: number; output: string }> {
  const file = resolve(import.meta.dirname, '../../../src/server/dist/static/commands/page-preview-server.js')
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number, output: output + errors }
}
