import { isIP } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { Guard } from './guard.js'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 10_000

/**
 * Makes the undici dispatcher that everything but the browser fetches with: each connection is checked by the guard and goes to
 * exactly the checked address. A refused request rejects with the guard's `PageError`.
 *
 * Checked when connecting and not by `connect.lookup`, which undici does not call for IP literals.
 */
export function createDispatcher(guard: Guard): Dispatcher {
  const dial = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  return new Agent({
    connect: (options, callback) => void connectChecked(options, callback, { guard, dial }),
    connections: 16,
    pipelining: 1,
    maxHeaderSize: 65_536,
    headersTimeout: SILENCE_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
  })
}

async function connectChecked(
  options: buildConnector.Options,
  callback: buildConnector.Callback,
  { guard, dial }: { guard: Guard; dial: buildConnector.connector },
): Promise<void> {
  try {
    const target = await guard.check(originOf(options))
    const servername = options.servername || (isIP(target.hostname) ? undefined : target.hostname)
    dial({ ...options, hostname: target.address, port: String(target.port), servername }, callback)
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null)
  }
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
  return `${protocol}//${host}${port ? `:${port}` : ''}`
}
