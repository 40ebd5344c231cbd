// Child processes: the environment that they have, and what they print.
import { spawn } from 'node:child_process'

export interface RunCommandOptions {
  cwd?: string
  /** Required, because a child inherits the secrets of the service otherwise: see `childEnvironment`. */
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
      stdio: ['ignore', 'pipe', 'pipe'],
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

/** What programs need from an environment: where things are, the language and the time zone. */
const NAMES = new Set(
  'PATH HOME TMPDIR LANG LANGUAGE TZ LD_LIBRARY_PATH CHROME_DEVEL_SANDBOX FONTCONFIG_PATH FONTCONFIG_FILE'
    .concat(' XDG_CACHE_HOME XDG_DATA_HOME XDG_DATA_DIRS')
    .concat(' SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT TEMP TMP USERPROFILE APPDATA LOCALAPPDATA')
    .concat(' PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86)')
    .split(' '),
)

/** npm reaches its registry through these. */
const NPM_NAMES = /^npm_config_|^(https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i

/**
 * The environment of a child process: named variables only, because an attacker who controls the child, or reads its
 * `/proc/PID/environ`, must not find the secrets of the service.
 */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  pick(env, (name) => NAMES.has(name.toUpperCase()) || name.startsWith('LC_'))

/** Like `childEnvironment`, with the settings of npm and of its network. */
export const npmEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...childEnvironment(env),
  ...pick(env, (name) => NPM_NAMES.test(name)),
})

const pick = (env: NodeJS.ProcessEnv, isIncluded: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => isIncluded(name)))
