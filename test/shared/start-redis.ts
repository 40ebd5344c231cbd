import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { programEnvironment } from './find-server-program.js'
import { freePort } from './free-port.js'

export interface TestRedis {
  /** URL of an unused database. */
  freshUrl(): string
  /** Like a crash: all its data is lost. */
  kill(): Promise<void>
  /** Starts it again at the same port. */
  restart(): Promise<void>
  /** Stops responding, with its port open, until it is resumed. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

export const hasRedis = !('missing' in inject('redis'))

/** Starts a Redis server at a free port, without persistence. */
export async function startRedis(): Promise<TestRedis> {
  const found = inject('redis')
  if ('missing' in found) throw new Error(`There is no Redis: ${found.missing}`)
  const { path, libraryPath } = found
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-redis-'))
  const port = await freePort()
  let database = 0
  let server = await start()

  async function start(): Promise<ChildProcess> {
    const settings = { port, bind: '127.0.0.1', dir, save: '', appendonly: 'no', databases: 1_000 }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const child = spawn(path, args, { env: programEnvironment(libraryPath), stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    for await (const chunk of child.stdout) {
      output += String(chunk)
      if (output.includes('Ready to accept connections')) break
    }
    child.stdout.destroy()
    if (!output.includes('Ready to accept')) throw new Error(`Redis did not start: ${output}`)
    return child
  }

  async function kill() {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exit = once(server, 'exit')
    server.kill('SIGKILL')
    await exit
  }

  return {
    freshUrl: () => `redis://127.0.0.1:${port}/${database++}`,
    kill,
    async restart() {
      await kill()
      server = await start()
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async close() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
