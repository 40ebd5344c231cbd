import type { Redis } from 'ioredis'
import { PageError } from '../../../query/index.js'
import { failureReason } from '../failure-reason.js'
import type { DependencyState } from '../store.js'
import type { RedisConfig } from './parse-redis-url.js'
import { redisKey } from './redis-key.js'

/** One connection to Redis on which every command settles within a second. */
export interface RedisConnection {
  /**
   * Runs commands.
   *
   * @throws  {PageError} `EBUSY` while Redis is unreachable; the plain error when it rejects a command.
   */
  run<Result>(commands: (redis: Redis) => Promise<Result>): Promise<Result>
  /** As the last check or lost connection found it. */
  state(): DependencyState
  /** Writes something, so that `state` is up to date; never rejects. */
  check(): Promise<void>
  close(): void
}

export interface RedisConnectionEvents {
  /** Called once when the connection is lost. */
  onDisconnect: (error: Error) => void
  /** Called when the connection is ready again. */
  onReconnect: () => void
}

/** A Redis nearby responds within a millisecond, so one that needs this long counts as unreachable. */
const TIMEOUT_MS = 1_000
const DEFAULT_KEY_PREFIX = 'page-preview'
const MAX_RECONNECT_DELAY_MS = 500

/** @throws  Error with a sentence for the operator when Redis is unreachable, rejects the login or cannot be written. */
export async function connectRedis(
  config: RedisConfig,
  { keyPrefix = DEFAULT_KEY_PREFIX, ...events }: RedisConnectionEvents & { keyPrefix?: string | undefined },
): Promise<RedisConnection> {
  const redis = await createClient(config, keyPrefix)
  const connection = superviseClient(redis, events)
  try {
    await redis.connect()
    await connection.start()
  } catch (error) {
    connection.close()
    const reason = failureReason(isErrorReply(error) ? error : connection.lastError())
    throw new Error(
      `Redis at ${config.displayUrl} cannot be used (${reason}); start it, or set another URL with --redis.`,
      { cause: error },
    )
  }
  return connection
}

async function createClient(config: RedisConfig, keyPrefix: string): Promise<Redis> {
  // Loaded on demand: it takes longer to load than the rest of the service, and most services do not use it.
  const ioredis = await import('ioredis')
  return new ioredis.Redis({
    host: config.host,
    port: config.port,
    db: config.db,
    ...(config.username && { username: config.username }),
    ...(config.password && { password: config.password }),
    ...(config.isEncrypted && { tls: { servername: config.host } }),
    keyPrefix: `${keyPrefix}:`,
    connectionName: 'page-preview',
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    // A server that hangs does not acknowledge a disconnect either.
    disconnectTimeout: 50,
    // While disconnected, commands fail at once, and none is sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // After a failover, the former primary is a replica that rejects writes.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => Math.min(attempt * 50, MAX_RECONNECT_DELAY_MS),
  })
}

/** Tracks whether the client is connected, and turns connection errors of commands into `EBUSY`. */
function superviseClient(redis: Redis, { onDisconnect, onReconnect }: RedisConnectionEvents) {
  let lastError = new Error('the connection was closed')
  let isConnected = false
  let rejectsWrites = false
  redis.on('error', (error: Error) => (lastError = error))
  redis.on('close', () => markDisconnected(lastError))

  function markDisconnected(error: Error) {
    if (!isConnected) return
    isConnected = false
    onDisconnect(error)
  }

  async function run<Result>(commands: (redis: Redis) => Promise<Result>): Promise<Result> {
    if (!isConnected) throw unreachableError(lastError)
    try {
      return await commands(redis)
    } catch (error) {
      if (!(error instanceof Error) || isErrorReply(error)) throw error
      // Reconnects, because every further command to a server that hangs would wait for its full timeout.
      if (isConnected) redis.disconnect(true)
      markDisconnected(error)
      throw unreachableError(error)
    }
  }

  const writeProbe = () => run((commands) => commands.set(redisKey('ready'), '1', 'PX', 60_000))

  async function check() {
    try {
      await writeProbe()
      rejectsWrites = false
    } catch (error) {
      rejectsWrites = isErrorReply(error)
    }
  }

  return {
    run,
    lastError: () => lastError,
    /** Call when the client has connected for the first time; rejects when Redis cannot be written. */
    async start() {
      isConnected = true
      await writeProbe()
      redis.on('ready', () => {
        isConnected = true
        onReconnect()
      })
    },
    state: (): DependencyState => (!isConnected ? 'unreachable' : rejectsWrites ? 'rejected' : 'ok'),
    check,
    close() {
      isConnected = false
      redis.disconnect()
    },
  }
}

const unreachableError = (cause: Error) =>
  new PageError('EBUSY', 'The shared store of this service cannot be reached. Try again in a few seconds.', {
    retryAfterMs: 2_000,
    cause,
  })

/** Redis responded, with an error. */
const isErrorReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'
