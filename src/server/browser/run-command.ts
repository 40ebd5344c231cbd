import { spawn } from 'node:child_process'
import { withoutInheritedFiles } from '../without-inherited-files.js'

export interface RunCommandOptions {
  cwd?: string
  /** Required, because a child inherits the secrets of the service otherwise. */
  env: NodeJS.ProcessEnv
  /** Runs the program as another user. */
  user?: { uid: number; gid: number } | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
}

const MAX_OUTPUT_CHARS = 65_536
const MAX_QUOTED_CHARS = 600

/**
 * Runs a program without a shell.
 *
 * @returns  What it printed on stdout, at most the last 65,536 characters.
 * @throws   {Error} when it cannot be started, fails, or times out; the message quotes the end of its output.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, user, timeoutMs, signal }: RunCommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Not AbortSignal.timeout, because AbortSignal.any does not keep that from the garbage collector.
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    const child = spawn(command, args, {
      cwd,
      env,
      ...(user && { uid: user.uid, gid: user.gid }),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      killSignal: 'SIGKILL',
      stdio: withoutInheritedFiles(['ignore', 'pipe', 'pipe']),
    })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        output[stream] = (output[stream] + text).slice(-MAX_OUTPUT_CHARS)
      })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(
        timeout.signal.aborted ? new Error(`${command} did not finish within ${timeoutMs / 1_000} seconds`) : error,
      )
    })
    child.on('close', (exitCode, killSignal) => {
      clearTimeout(timer)
      if (exitCode === 0) return resolve(output.stdout)
      const quote = (output.stderr || output.stdout).trim().slice(-MAX_QUOTED_CHARS)
      reject(new Error(`${command} exited with ${killSignal ?? exitCode}${quote && `: ${quote}`}`))
    })
  })
}
