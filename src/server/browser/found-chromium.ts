/** A Chromium that was seen to start. */
export interface FoundChromium {
  path: string
  /** Libraries that came with it, for `LD_LIBRARY_PATH`; only where the system lacks some. */
  libraryPath?: string
  /** Fonts that came with it, for `FONTCONFIG_PATH`; only where the system has none. */
  fontsPath?: string
  source: ChromiumSource
}

export type ChromiumSource = 'CHROMIUM_PATH' | 'playwright' | 'system' | 'package' | 'option'

/** One line of a log: what happened under `event`, the rest as it fits. */
export type Log = (event: Record<string, unknown>) => void

/** The environment that a Chromium needs to be started in. */
export function chromiumEnvironment(
  { libraryPath, fontsPath }: Pick<FoundChromium, 'libraryPath' | 'fontsPath'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return {
    ...env,
    ...(libraryPath && { LD_LIBRARY_PATH: [libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':') }),
    ...(fontsPath && { FONTCONFIG_PATH: fontsPath }),
  }
}
