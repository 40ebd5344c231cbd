import type { TestProject } from 'vitest/node'
import { findRedis, type FoundRedis } from './find-redis.js'

declare module 'vitest' {
  interface ProvidedContext {
    redis: FoundRedis
  }
}

/** Finds what the tests need beside Node and a Chromium, and says at both ends of a run what they had to do without. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const redis = await findRedis()
  project.provide('redis', redis)
  const tell = () => {
    if ('missing' in redis)
      console.warn(`page-preview: the tests with a Redis do NOT run: ${redis.missing}. Install redis-server.`)
  }
  tell()
  return tell
}
