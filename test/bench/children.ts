import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A server in its own process, so that it does not share a core with the benchmark. */
export interface Child {
  url: string
  /** The sample site, for the service. */
  demo: string
  pid: number
  /** Of a process that was started with `--inspect`. */
  inspectorUrl: string | undefined
  stop(): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')

const BARE = `
  const { readFileSync } = require('node:fs')
  const bytes = readFileSync(process.argv[1])
  const headers = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  const server = require('node:http').createServer((_, response) => response.writeHead(200, headers).end(bytes))
  server.listen(0, '127.0.0.1', () => console.log('ready free=http://127.0.0.1:' + server.address().port))
`

export async function startBareServer(bytes: Uint8Array, headers: Record<string, string>): Promise<Child> {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-bench-'))
  await writeFile(join(dir, 'bytes'), bytes)
  await writeFile(join(dir, 'headers'), JSON.stringify(headers))
  return start(['-e', BARE, join(dir, 'bytes'), join(dir, 'headers')], dir)
}

/**
 * The service as `npm run build` has built it.
 *
 * @param more       More flags of the service.
 * @param nodeFlags  Flags of Node.
 */
export async function startBuiltService(
  more: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<Child> {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-bench-'))
  const flags = [
    '--demo',
    '--demo-port=0',
    '--port=0',
    '--pro-port=0',
    '--free-daily-limit=1000000',
    '--log-level=warn',
    `--data-dir=${dir}`,
  ]
  const service = await start(
    [...nodeFlags, join(root, 'src/server/dist/static/commands/page-preview-server.js'), 'serve', ...flags, ...more],
    dir,
  )
  const examples = (await (await fetch(`${service.url}/playground/examples.json`)).json()) as { url: string }[]
  return { ...service, demo: new URL(examples[0]!.url).origin }
}

async function start(args: string[], dir: string): Promise<Child> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let inspectorUrl: string | undefined
  child.stderr.on('data', (chunk) => {
    // Node writes the URL before the program starts.
    inspectorUrl ??= /ws:\/\/\S+/.exec(String(chunk))?.[0]
    process.stderr.write(chunk)
  })
  const url = await new Promise<string>((found, lost) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      const ready = /free=(\S+)/.exec(text)
      if (ready) found(ready[1]!)
    })
    child.once('exit', (code) => lost(new Error(`ended with ${code} before it was ready`)))
  })
  return {
    url,
    demo: '',
    pid: child.pid!,
    inspectorUrl,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
