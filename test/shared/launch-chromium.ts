import { launch, type Browser } from 'puppeteer-core'

/** Launches Chromium in English, without its own background requests. */
export function launchChromium(...flags: string[]): Promise<Browser> {
  return launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: ['--no-sandbox', '--disable-background-networking', '--lang=en-US', ...flags],
  })
}
