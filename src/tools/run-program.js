// @ts-check
// Plain JavaScript, because it runs before anything is installed.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Runs a program with its output on this terminal, and forwards signals to it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]  `env` is added to this process's. Default of `cwd`: the checkout.
 * @returns {Promise<number>} Its exit code.
 */
export function runProgram(command, args, { env = {}, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal)
    process.on('SIGTERM', forward).on('SIGINT', forward)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', forward).off('SIGINT', forward)
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs a script with this Node.
 *
 * @param {string} file  @param {string[]} [args]  @param {NodeJS.ProcessEnv} [env]
 */
export const runNode = (file, args = [], env) => runProgram(process.execPath, [file, ...args], { env })

/**
 * Runs the npm that started this process, or else the one on `PATH`.
 *
 * @param {string[]} args  @param {string} [cwd]
 */
export const runNpm = (args, cwd) =>
  process.env.npm_execpath
    ? runProgram(process.execPath, [process.env.npm_execpath, ...args], { cwd })
    : runProgram('npm', args, { cwd })

/**
 * @param {Promise<number>} exitCode
 * @param {string} advice  The message of the error that is thrown for another exit code than 0.
 */
export async function requireSuccess(exitCode, advice) {
  if ((await exitCode) !== 0) throw new Error(advice)
}

/** @param {string} line */
export const log = (line) => console.log(`page-preview: ${line}`)
