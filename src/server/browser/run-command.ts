import { spawn } from 'node:child_process'

export interface RunCommandOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  timeoutMs: number
  signal?: AbortSignal | undefined
}

const MAX_OUTPUT_LENGTH = 65_536

/**
 * Runs a program without a shell.
 *
 * @returns  What it printed on stdout.
 * @throws   {Error} when it cannot be started, fails, or is too slow; the message holds the end of what it printed.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, signal }: RunCommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const child = spawn(command, args, {
      cwd,
      env,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] = (output[name] + text).slice(-MAX_OUTPUT_LENGTH)
      })
    child.on('error', (error) =>
      reject(limit.aborted ? new Error(`${command} was not done within ${timeoutMs / 1_000} seconds`) : error),
    )
    child.on('close', (code, killedBy) => {
      if (code === 0) return resolve(output.stdout)
      const end = (output.stderr || output.stdout).trim().slice(-600)
      reject(new Error(`${command} ended with ${killedBy ?? code}${end && `: ${end}`}`))
    })
  })
}
