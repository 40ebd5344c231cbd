import { setTimeout as delay } from 'node:timers/promises'
import type { TestBucket } from '../shared/start-bucket.js'
import type { TestRedis } from '../shared/start-redis.js'

/** Something that is taken away and given back while requests are sent. */
export interface Drill {
  name: string
  /** Requests that may fail. Default: 0. */
  mayFail?: number
  run: () => Promise<void>
}

interface SharedStores {
  redis: TestRedis
  bucket: TestBucket
  /** Deletes everything in Redis. */
  flush(): Promise<void>
}

const MINUTE_MS = 60_000

/** The value of `NODE_OPTIONS` for a process whose clock is 10 minutes ahead. */
export const CLOCK_AHEAD = `--import=${encodeURI(
  `data:text/javascript,const { now } = Date; Date.now = () => now() + ${10 * MINUTE_MS}`,
)}`

/** What happens to the stores that processes share, each for `awayMs`. */
export const storeDrills = (stores: () => SharedStores, awayMs: number): Drill[] => [
  {
    name: `Redis is killed, and started again without its data after ${awayMs / 1_000} seconds`,
    async run() {
      await stores().redis.kill()
      await delay(awayMs)
      await stores().redis.restart()
    },
  },
  {
    name: `Redis hangs for ${awayMs / 1_000} seconds`,
    async run() {
      stores().redis.pause()
      await delay(awayMs)
      stores().redis.resume()
    },
  },
  {
    name: 'Redis is emptied',
    run: () => stores().flush(),
  },
  {
    name: `the bucket is away for ${awayMs / 1_000} seconds`,
    async run() {
      await stores().bucket.stop()
      await delay(awayMs)
      await stores().bucket.restart()
    },
  },
]
