import type { Connection } from 'puppeteer-core'
import { withinTime } from './within-time.js'

const HANDSHAKE_TIMEOUT_MS = 20_000

/**
 * Checks that a browser responds, and subscribes to its targets so that popups can be closed.
 *
 * @returns  `userAgent` without the mark of a headless browser, because many sites send those a different page; `version`
 *           as `143.0.7499.0`.
 */
export async function handshake(
  connection: Connection,
  gone: AbortSignal,
): Promise<{ userAgent: string; version: string }> {
  const responses = Promise.all([
    connection.send('Browser.getVersion'),
    connection.send('Target.setDiscoverTargets', { discover: true }),
  ])
  const [{ userAgent, product }] = await withinTime(responses, { timeoutMs: HANDSHAKE_TIMEOUT_MS, signal: gone })
  return { userAgent: userAgent.replace('HeadlessChrome', 'Chrome'), version: product.replace(/^.*\//, '') }
}
