import type { Connection } from 'puppeteer-core'
import { abortable } from './abortable.js'

const GREETING_TIMEOUT_MS = 20_000

/** The first words with a browser; from then on it also tells of popups. */
export async function greet(connection: Connection, gone: AbortSignal): Promise<{ userAgent: string }> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(GREETING_TIMEOUT_MS)])
  const greeting = Promise.all([
    connection.send('Browser.getVersion'),
    connection.send('Target.setDiscoverTargets', { discover: true }),
  ])
  const [{ userAgent }] = await abortable(greeting, signal)
  return { userAgent: userAgent.replace('HeadlessChrome', 'Chrome') }
}
