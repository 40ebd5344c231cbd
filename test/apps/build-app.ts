import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const apps = join(import.meta.dirname, '../../stories/apps')

/**
 * Builds an app with the packed package, as its author would.
 *
 * @param variables  Added to its environment.
 * @returns          Its folder.
 */
export async function buildApp(name: string, variables: Record<string, string> = {}): Promise<string> {
  const dir = join(apps, name)
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  const env = { ...process.env, NODE_ENV: 'production', ...variables, ...quiet }
  const npm = process.env.npm_execpath
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  await promisify(execFile)(command, [...args, 'run', 'build'], { cwd: dir, env })
  return dir
}
