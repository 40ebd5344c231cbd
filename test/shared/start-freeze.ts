import { spawn } from 'node:child_process'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')

/** Starts the built command `freeze`. */
export function startFreeze(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [PROGRAM, 'freeze', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (part) => (output += String(part)))
  child.stderr.on('data', (part) => (output += String(part)))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  )
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return { ended, isRunning, kill: () => child.kill('SIGKILL') }
}
