import type { TestProject } from 'vitest/node'
import { findServerProgram, type FoundProgram } from './find-server-program.js'

declare module 'vitest' {
  interface ProvidedContext {
    redis: FoundProgram
  }
}

const REDIS = {
  names: ['redis-server', 'valkey-server'],
  variable: 'REDIS_SERVER_PATH',
  package: 'redis-server',
  packagePath: 'usr/bin/redis-server',
  versionFlag: '--version',
}

/** Looks for a Redis server, and warns at both ends of a run when there is none. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const redis = await findServerProgram(REDIS)
  project.provide('redis', redis)
  const warnOfMissingRedis = () => {
    if ('missing' in redis)
      console.warn(`page-preview: the tests with a Redis do NOT run: ${redis.missing}. Install redis-server.`)
  }
  warnOfMissingRedis()
  return warnOfMissingRedis
}
