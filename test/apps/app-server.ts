import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import type { AppHost } from './listen-as-host.js'

/**
 * Starts an app that has its own server, and waits until that writes its URL and that it is ready.
 *
 * @param ready  What it writes last. Default `Ready`, as Next does.
 */
export async function appServer(
  dir: string,
  args: string[],
  env: Record<string, string>,
  ready = /Ready/,
): Promise<AppHost> {
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      // Tools colour what they write, parts of the URL too, where the environment asks for colours or says CI.
      output = stripVTControlCharacters(output + text.toString())
      if (ready.test(output)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${args[0]} exited with ${code} before it was ready`)))
  })
  return {
    url: /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0],
    async close() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
