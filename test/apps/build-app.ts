import { join } from 'node:path'
import { runNpm } from './run-npm.js'

export const appDir = (name: string): string => join(import.meta.dirname, name)

/**
 * Builds an app with the packed package, as its author would.
 *
 * @param variables  Added to its environment.
 * @param script     Of its `package.json`. Default `build`.
 * @returns          Its folder.
 */
export async function buildApp(
  name: string,
  variables: Record<string, string> = {},
  script = 'build',
): Promise<string> {
  const dir = appDir(name)
  const withoutTelemetry = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  await runNpm(dir, ['run', script], { ...process.env, NODE_ENV: 'production', ...variables, ...withoutTelemetry })
  return dir
}
