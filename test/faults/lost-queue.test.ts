// Covers how the built service ends while the Redis of its queue is away.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { hasRedis, startRedis } from '../shared/start-redis.js'
import { startInstance } from './start-instance.js'

/** Its queue gets 3 seconds, and each attempt to connect a fraction of one. */
const MAX_MS = 15_000

it.runIf(hasRedis)('ends on SIGTERM while the Redis of its queue is away', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.close())
  const service = await startInstance({ flags: [`--queue=${redis.freshUrl()}`] })
  await redis.kill()
  await expect.poll(() => service.events().map(({ event }) => event)).toContain('queue-unreachable')
  const stopped = service.stop().then(() => 'ended')
  const outcome = await Promise.race([stopped, delay(MAX_MS, 'runs', { ref: false })])
  if (outcome === 'runs') process.kill(service.pid, 'SIGKILL')
  expect(outcome).toBe('ended')
})
