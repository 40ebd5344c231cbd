import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from '../../src/server/browser/index.js'
import { chromiumEnvironment } from '../../src/server/browser/probe-chromium.js'
import { freePort } from '../shared/free-port.js'

/** Starts a Chromium without its sandbox, because tests may run as root. @returns  With the address of its DevTools. */
export async function startChromium(flags: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const chromium = await ensureChromium()
  const profile = await mkdtemp(join(tmpdir(), 'page-preview-unguarded-'))
  const port = await freePort()
  const args = [...flags, '--no-sandbox', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`]
  const env = chromiumEnvironment(chromium)
  const child = spawn(chromium.path, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  for await (const text of child.stderr.setEncoding('utf8')) if ((stderr += text).includes('ws://')) break
  if (!stderr.includes('ws://')) throw new Error(`Chromium has not started: ${stderr}`)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        // The whole group, because a wrapper script may have launched the browser.
        process.kill(-child.pid!, 'SIGKILL')
        await exited
      }
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
