import { launch, type Browser } from 'puppeteer-core'

/** A browser for what people see, in English, which asks for nothing by itself. */
export function launchChromium(...flags: string[]): Promise<Browser> {
  return launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: ['--no-sandbox', '--disable-background-networking', '--lang=en-US', ...flags],
  })
}
