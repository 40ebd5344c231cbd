import { homedir } from 'node:os'
import { join } from 'node:path'
import manifest from './chromium-package/package.json' with { type: 'json' }

export const CHROMIUM_PACKAGE = '@sparticuz/chromium'

/** The folder that the npm package's Chromium is unpacked into. `PAGE_PREVIEW_CHROMIUM_DIR` overrides the default. */
export function chromiumPackageFolder(env: NodeJS.ProcessEnv): string {
  if (env.PAGE_PREVIEW_CHROMIUM_DIR) return env.PAGE_PREVIEW_CHROMIUM_DIR
  const cache = env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache')
  return join(cache, 'page-preview', `chromium-${manifest.dependencies[CHROMIUM_PACKAGE]}`)
}
