import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Runs the npm that started the tests, or else the one on `PATH`, to its end.
 *
 * @throws  Error with `code`, `stdout` and `stderr` when npm fails.
 */
export async function runNpm(
  dir: string,
  args: string[],
  env = process.env,
): Promise<{ stdout: string; stderr: string }> {
  const npm = process.env.npm_execpath
  const [command, npmArgs] = npm ? [process.execPath, [npm]] : ['npm', []]
  return promisify(execFile)(command, [...npmArgs, ...args], { cwd: dir, env })
}
