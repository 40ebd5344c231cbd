import type { TestProject } from 'vitest/node'
import { findRedis, type FoundRedis } from './find-redis.js'

declare module 'vitest' {
  interface ProvidedContext {
    redis: FoundRedis
  }
}

/** Looks for a Redis server, and warns at both ends of a run when there is none. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const redis = await findRedis()
  project.provide('redis', redis)
  const warnOfMissingRedis = () => {
    if ('missing' in redis)
      console.warn(`page-preview: the tests with a Redis do NOT run: ${redis.missing}. Install redis-server.`)
  }
  warnOfMissingRedis()
  return warnOfMissingRedis
}
