import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The built service in its own process. */
export interface Instance {
  /** The free host, without a slash at its end. */
  url: string
  /** The pro host, without a slash at its end. */
  proUrl: string
  dataDir: string
  pid: number
  /** What it has written so far: the ready line and the log. */
  log(): string
  /** Events of the log, parsed. */
  events(): Record<string, unknown>[]
  /** Requests a page of the free host. */
  get(query: Record<string, string>, init?: RequestInit): Promise<Response>
  /** Ends it without a goodbye, as a crash does. */
  kill(): Promise<void>
  /** Ends it with SIGTERM, and removes its folder unless that was given. */
  stop(): Promise<void>
}

export interface InstanceOptions {
  flags?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** A command that runs the rest of the command line in the same process, such as `unshare --mount`. */
  within?: readonly string[]
  /** Kept when the instance stops. Default: a temporary folder. */
  dataDir?: string
}

const COMMAND = resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')

/** @throws {Error} with its output when it ends before it is ready. */
export async function startInstance({
  flags = [],
  env = {},
  within = [],
  dataDir,
}: InstanceOptions = {}): Promise<Instance> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'page-preview-fault-')))
  const args = ['serve', '--port=0', '--pro-port=0', '--free-daily-limit=1000000', `--data-dir=${folder}`, ...flags]
  const [program, ...programArgs] = [...within, process.execPath, COMMAND, ...args] as [string, ...string[]]
  const child = spawn(program, programArgs, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  let output = ''
  const ready = new Promise<{ url: string; proUrl: string }>((found, lost) => {
    const record = (chunk: Buffer) => {
      output += String(chunk)
      const [, url, proUrl] = /free=(\S+) pro=(\S+)/.exec(output) ?? []
      if (url && proUrl) found({ url, proUrl })
    }
    child.stdout.on('data', record)
    child.stderr.on('data', record)
    child.once('exit', (code) => lost(new Error(`The service ended with ${code} before it was ready: ${output}`)))
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  const { url, proUrl } = await ready
  return {
    url,
    proUrl,
    dataDir: folder,
    pid: child.pid!,
    log: () => output,
    events: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    get: (query, init) => fetch(`${url}/?${new URLSearchParams(query)}`, init),
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM')
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
