/** A Chromium that has been started once, successfully. */
export interface ChromiumExecutable {
  path: string
  /** Libraries shipped with it, for `LD_LIBRARY_PATH`; only where the system lacks some of them. */
  libraryPath?: string
  /** Fonts shipped with it, for `FONTCONFIG_PATH`; only where the system has none. */
  fontsPath?: string
  source: ChromiumSource
}

export type ChromiumSource = 'CHROMIUM_PATH' | 'playwright' | 'system' | 'package' | 'option'
