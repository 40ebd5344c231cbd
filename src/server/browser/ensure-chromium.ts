import type { ChromiumExecutable } from './chromium-executable.js'
import { findChromium, type FindChromiumOptions } from './find-chromium.js'
import { installChromium } from './install-chromium.js'

/**
 * Finds a Chromium, or installs one when none is found.
 *
 * @throws  {Error} as `findChromium` and `installChromium` do; the message contains the remedy.
 */
export async function ensureChromium(options: FindChromiumOptions = {}): Promise<ChromiumExecutable> {
  return (await findChromium(options)) ?? installChromium(options)
}
