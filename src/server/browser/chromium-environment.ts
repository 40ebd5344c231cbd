import type { ChromiumExecutable } from './chromium-executable.js'

/** The environment variables that a Chromium process needs. */
export function chromiumEnvironment(
  { libraryPath, fontsPath }: Pick<ChromiumExecutable, 'libraryPath' | 'fontsPath'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return {
    ...env,
    ...(libraryPath && { LD_LIBRARY_PATH: [libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':') }),
    ...(fontsPath && { FONTCONFIG_PATH: fontsPath }),
  }
}
