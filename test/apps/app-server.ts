import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AppHost } from './app-host.js'

/** An app that brings a server of its own, from when it says that it is ready and where; ended with all that it started. */
export async function appServer(dir: string, args: string[], env: Record<string, string>): Promise<AppHost> {
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString()
      if (said.includes('Ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code} before it was ready`)))
  })
  return {
    url: /http:\/\/127\.0\.0\.1:\d+/.exec(said)![0],
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
