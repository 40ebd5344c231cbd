import { findChromium, type FindChromiumOptions } from './find-chromium.js'
import type { FoundChromium } from './found-chromium.js'
import { installChromium } from './install-chromium.js'

/**
 * Finds a Chromium, or else installs one.
 *
 * @throws  {Error} as `findChromium` and `installChromium` do, with a sentence that says what to do.
 */
export async function ensureChromium(options: FindChromiumOptions = {}): Promise<FoundChromium> {
  return (await findChromium(options)) ?? installChromium(options)
}
