import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runNpm } from './run-npm.js'

export interface NpxService {
  free: string
  pro: string
  stop(): Promise<void>
}

/** @returns  A folder outside of this checkout with a package that depends on nothing. */
export async function emptyFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-empty-'))
  await writeFile(join(dir, 'package.json'), '{ "private": true, "type": "module" }')
  return dir
}

/** @param packages  Names with versions, or paths of tarballs. */
export const installPackages = (dir: string, ...packages: string[]) =>
  runNpm(dir, ['install', '--no-audit', '--no-fund', ...packages])

/** Where the service of a folder keeps its data. */
export const dataDirOf = (dir: string): string => join(dir, 'data')

/** Starts the service in its own process group, because npx leaves a child behind when it is killed alone. */
export async function startWithNpx(dir: string, command: string): Promise<NpxService> {
  const ports = ['--port=0', '--pro-port=0', '--demo-port=0']
  const args = ['--no', command, 'serve', '--demo', ...ports, `--data-dir=${dataDirOf(dir)}`]
  const child = spawn('npx', args, { cwd: dir, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  // Unlike its exit, this waits for the service too, which shares its standard output and still writes to its data folder.
  const closed = once(child, 'close')
  const output = await outputUntil(child.stdout.iterator({ destroyOnReturn: false }), /^page-preview ready .*\n/m)
  return {
    free: /free=(\S+)/.exec(output)![1]!,
    pro: /pro=(\S+)/.exec(output)![1]!,
    async stop() {
      child.stdout.resume()
      process.kill(-child.pid!, 'SIGTERM')
      await closed
    },
  }
}

/** @throws  Error with all output when it ends without a match. */
async function outputUntil(stream: AsyncIterable<Buffer>, pattern: RegExp): Promise<string> {
  let output = ''
  for await (const chunk of stream) {
    output += chunk.toString()
    if (pattern.test(output)) return output
  }
  throw new Error(`The service ended before it was ready: ${output}`)
}
