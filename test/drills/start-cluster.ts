import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startInstance, type Instance } from '../faults/start-instance.js'
import { freePort } from '../shared/free-port.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'
import { startNumberedSite, type NumberedSite } from './numbered-site.js'
import { withSmallDisk } from './small-disk.js'

/** Three instances of the built service on one Redis and one bucket, and a site to preview. */
export interface Cluster {
  site: NumberedSite
  redis: TestRedis
  bucket: TestBucket
  instances: Instance[]
  /** Of the instances' free hosts, in their order. */
  ports: readonly number[]
  /** Deletes everything in Redis. */
  flush(): Promise<void>
  /** Stops an instance as a deployment does, and starts it again at the same port. */
  replace(index: number, env?: NodeJS.ProcessEnv): Promise<void>
  /** Starts an instance that has ended. */
  start(index: number): Promise<void>
  stop(): Promise<void>
}

const INSTANCES = 3
/** The instance whose disk can be filled. */
export const SMALL_DISK_INSTANCE = 2
/** Longer than a load balancer takes to notice. */
const DRAIN_DELAY_S = 2

export async function startCluster(): Promise<Cluster> {
  const [site, redis, bucket, dir] = await Promise.all([
    startNumberedSite(),
    startRedis(),
    startBucket(),
    mkdtemp(join(tmpdir(), 'page-preview-drill-')),
  ])
  const ports = await Promise.all(Array.from({ length: INSTANCES }, freePort))
  const redisUrl = redis.freshUrl()
  const shared = [`--redis=${redisUrl}`, `--s3=${bucket.freshUrl()}`, `--allow-target=${site.host}`]
  const startAt = (index: number, env: NodeJS.ProcessEnv = {}) => {
    const dataDir = join(dir, String(index))
    return startInstance({
      flags: [...shared, `--port=${ports[index]}`, '--trust-proxy=1', `--drain-delay=${DRAIN_DELAY_S}`],
      env: { PAGE_PREVIEW_SIGNING_SECRET: 'a secret that all instances of a drill share', ...env },
      dataDir,
      within: index === SMALL_DISK_INSTANCE ? withSmallDisk(dataDir) : [],
    })
  }
  const instances: Instance[] = []
  for (let index = 0; index < INSTANCES; index++) instances.push(await startAt(index))

  return {
    site,
    redis,
    bucket,
    instances,
    ports,
    async flush() {
      const client = new Redis(redisUrl)
      await client.flushall()
      client.disconnect()
    },
    async replace(index, env) {
      await instances[index]!.stop()
      instances[index] = await startAt(index, env)
    },
    async start(index) {
      instances[index] = await startAt(index)
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()))
      await Promise.all([site.close(), redis.close(), bucket.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}
