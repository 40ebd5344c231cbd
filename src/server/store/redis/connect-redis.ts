import type { Redis } from 'ioredis'
import { PageError } from '../../../query/index.js'
import { reasonOf } from '../reason-of.js'
import type { RedisAddress } from './read-redis-url.js'

/** One connection to a Redis, on which nothing ever waits for long. */
export interface RedisLink {
  /**
   * Runs commands, in time.
   *
   * @throws  {PageError} `EBUSY` while Redis is out of reach; the plain error when it refuses a command.
   */
  run<Result>(commands: (redis: Redis) => Promise<Result>): Promise<Result>
  /** Whether Redis takes a write right now. */
  isReady(): Promise<boolean>
  close(): void
}

export interface RedisNews {
  /** Called once when Redis is lost. */
  onLost: (error: Error) => void
  /** Called when it is there again. */
  onBack: () => void
}

/** The name of every row starts with it: others may use the same database. */
export const PREFIX = 'page-preview:'

/** A Redis nearby answers within a millisecond; what takes so long is lost. */
const DEADLINE_MS = 1_000
const LONGEST_PAUSE_MS = 500

/** @throws  Error with a sentence when Redis cannot be reached, lets nobody in, or cannot be written. */
export async function connectRedis(address: RedisAddress, { onLost, onBack }: RedisNews): Promise<RedisLink> {
  // It takes longer to load than everything else, and few need it.
  const ioredis = await import('ioredis')
  const redis = new ioredis.Redis({
    host: address.host,
    port: address.port,
    db: address.db,
    ...(address.username && { username: address.username }),
    ...(address.password && { password: address.password }),
    ...(address.isEncrypted && { tls: { servername: address.host } }),
    connectionName: 'page-preview',
    lazyConnect: true,
    connectTimeout: DEADLINE_MS,
    commandTimeout: DEADLINE_MS,
    // One that keeps silent does not say goodbye either.
    disconnectTimeout: 50,
    // While it is lost, whoever asks is told at once, and nothing is sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // What was the primary may have become a replica.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (times) => Math.min(times * 50, LONGEST_PAUSE_MS),
  })
  let lastError = new Error('the connection was closed')
  let isLost = true
  redis.on('error', (error: Error) => (lastError = error))
  redis.on('close', () => lose(lastError))

  function lose(error: Error) {
    if (isLost) return
    isLost = true
    onLost(error)
  }

  async function run<Result>(commands: (redis: Redis) => Promise<Result>): Promise<Result> {
    if (isLost) throw outOfReach(lastError)
    try {
      return await commands(redis)
    } catch (error) {
      if (!(error instanceof Error) || isReply(error)) throw error
      // One that keeps silent would cost every further command its whole deadline.
      if (!isLost) redis.disconnect(true)
      lose(error)
      throw outOfReach(error)
    }
  }

  const touch = () => run((commands) => commands.set(`${PREFIX}ready`, '1', 'PX', 60_000))

  try {
    await redis.connect()
    isLost = false
    await touch()
  } catch (error) {
    isLost = true
    redis.disconnect()
    const reason = isReply(error) ? error : lastError
    throw new Error(
      `Redis at ${address.name} cannot be used (${reasonOf(reason)}); start it, or give another address with --redis.`,
      { cause: error },
    )
  }
  redis.on('ready', () => {
    isLost = false
    onBack()
  })

  return {
    run,
    isReady: () =>
      touch().then(
        () => true,
        () => false,
      ),
    close() {
      isLost = true
      redis.disconnect()
    },
  }
}

const outOfReach = (cause: Error) =>
  new PageError('EBUSY', 'The service cannot reach what it shares with its other instances; ask again in a moment.', {
    retryAfterMs: 2_000,
    cause,
  })

/** Redis is there, and said no. */
const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'
