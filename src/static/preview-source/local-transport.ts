import type { Service, ServiceOptions } from '../../server/index.js'
import type { Transport } from './transport.js'

/** Options of the service in this process. */
export type LocalTransportOptions = Pick<
  ServiceOptions,
  'allowTargets' | 'allowUnsandboxed' | 'browser' | 'browserUser' | 'concurrency' | 'log'
>

/** The user of this process has no daily limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/** Callers limit themselves, and their requests share one queue. */
const QUEUE = 1_000

/** Sends requests to a service in this process, with a temporary data folder; it starts with the first request. */
export function createLocalTransport(options: LocalTransportOptions): Transport {
  let starting: Promise<Service> | undefined
  return {
    async send(url, signal) {
      starting ??= startService(options).catch((error: unknown) => {
        // The next request tries again.
        starting = undefined
        throw error
      })
      const service = await starting
      return service.fetch(new Request(url, { signal }))
    },
    async close() {
      const service = await starting?.catch(() => undefined)
      await service?.close()
    },
  }
}

/** @throws  Error with the reason when the service cannot start. */
async function startService(options: LocalTransportOptions): Promise<Service> {
  // Loaded when it is needed, because a run that has everything in its cache is then several times as fast.
  const { createService } = await import('../../server/index.js')
  const service = createService({ ...options, queue: QUEUE, freeDailyLimit: NO_LIMIT })
  try {
    await service.ready()
  } catch (error) {
    await service.close()
    throw error
  }
  return service
}
