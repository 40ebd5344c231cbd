import { childEnvironment } from './child-environment.js'
import type { ChromiumExecutable } from './chromium-executable.js'

/** The environment variables that a Chromium process needs, and no other: those of the service contain secrets. */
export function chromiumEnvironment(
  { libraryPath, fontsPath }: Pick<ChromiumExecutable, 'libraryPath' | 'fontsPath'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return {
    ...childEnvironment(env),
    // In the locale C, Chromium finds no text, so that text fragments have no effect, and calls its language en-US@posix.
    LC_ALL: 'en_US.UTF-8',
    ...(libraryPath && { LD_LIBRARY_PATH: [libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':') }),
    ...(fontsPath && { FONTCONFIG_PATH: fontsPath }),
  }
}
