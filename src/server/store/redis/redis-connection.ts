import { canParseUrl } from '../../../query/written-url.js'
import type { Redis, RedisOptions } from 'ioredis'
import { setTimeout as delay } from 'node:timers/promises'
import { busyError } from '../../busy-error.js'
import { failureReason, isNetworkError, type DependencyState } from '../dependencies.js'

/** How to connect to Redis. */
export interface RedisConfig {
  host: string
  port: number
  /** Number of the database. */
  db: number
  username: string | undefined
  password: string | undefined
  isEncrypted: boolean
  /** The URL without user name and password, for messages. */
  displayUrl: string
}

/** One connection to Redis on which every command settles in time. */
export interface RedisConnection {
  /**
   * Runs commands.
   *
   * @throws  {PageError} `EBUSY` while Redis is unreachable; the plain error when it rejects a command.
   */
  run<Result>(commands: (redis: Redis) => Promise<Result>): Promise<Result>
  /** The state that the last check or lost connection found. */
  state(): DependencyState
  /** Writes something, so that `state` is up to date; never rejects. */
  check(): Promise<void>
  close(): void
}

export interface ConnectRedisOptions {
  /** The option that named the URL, for messages. */
  option: '--keys' | '--queue' | '--redis'
  /** Prefix of each key, followed by a colon. */
  keyPrefix: string
  /** Whether the connection opens also while Redis is unreachable, and is established later. Default: false. */
  mayBeUnreachable?: boolean
  /** Whether the connection opens also while Redis has no memory left to write. Default: false. */
  mayBeFull?: boolean
  /** How long a command may take; longer for one that waits for something. Default: 1 second. */
  commandTimeoutMs?: number
  /** Called once when the connection is lost. */
  onDisconnect: (error: Error) => void
  /** Called when the connection is ready again. */
  onReconnect: () => void
}

const DEFAULT_PORT = 6379
/** A Redis nearby responds within a millisecond; after this time it counts as unreachable. */
const TIMEOUT_MS = 1_000
const MAX_RECONNECT_DELAY_MS = 500
/** A Redis that loads a large file is not ready for minutes. */
const START_TIMEOUT_MS = 3_000
const CLOSED = 'the connection was closed'
/** Messages of ioredis without a code. */
const NO_RESPONSE: ReadonlySet<string> = new Set([CLOSED, 'Command timed out', 'Connection is closed.'])
/** Replies of a Redis that will work again without another URL, login or permission. */
const TEMPORARY_REPLY = /^(BUSY|LOADING|MASTERDOWN|MISCONF|OOM|TRYAGAIN) /

/**
 * Parses `redis://[user[:password]@]host[:6379][/db]`; `rediss:` for TLS.
 *
 * @throws  {Error} whose message continues a sentence about the option, and contains no secret.
 */
export function parseRedisUrl(text: string): RedisConfig {
  const url = canParseUrl(text) ? new URL(text) : undefined
  if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname)
    throw new Error('must be a URL like redis://host:6379, or rediss://host:6379 for TLS')
  if (!/^\/?\d{0,5}$/.test(url.pathname) || url.search || url.hash)
    throw new Error('may end with the number of a database, like redis://host:6379/2, and with nothing else')
  const port = Number(url.port || DEFAULT_PORT)
  const db = Number(url.pathname.slice(1))
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    db,
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    isEncrypted: url.protocol === 'rediss:',
    displayUrl: `${url.protocol}//${url.hostname}:${port}${db ? `/${db}` : ''}`,
  }
}

/**
 * @throws  Error with a sentence for the operator when Redis rejects the login or the write of a key, and, unless
 *          `mayBeUnreachable`, when it is unreachable.
 */
export async function connectRedis(
  config: RedisConfig,
  { option, mayBeUnreachable = false, mayBeFull = false, ...options }: ConnectRedisOptions,
): Promise<RedisConnection> {
  const { keyPrefix, commandTimeoutMs = TIMEOUT_MS } = options
  const redis = await createRedisClient(config, { keyPrefix: `${keyPrefix}:`, commandTimeout: commandTimeoutMs })
  const connection = superviseClient(redis, options)
  try {
    await connection.start({ mayBeFull })
  } catch (error) {
    const cause = isErrorReply(error) ? error : connection.lastError()
    if (mayBeUnreachable && isTemporary(cause)) {
      connection.startDisconnected(cause)
      return connection
    }
    connection.close()
    throw new Error(
      `Redis at ${config.displayUrl} cannot be used (${failureReason(cause)}). Check that it runs and accepts this login, or set another URL with ${option}.`,
      { cause: error },
    )
  }
  return connection
}

/** How long to wait before another attempt to connect, the first of which is 1. */
export const reconnectDelayMs = (attempt: number): number => Math.min(attempt * 50, MAX_RECONNECT_DELAY_MS)

/**
 * A client of Redis; the options of the caller come before ours.
 *
 * Its commands fail at once while it is disconnected, and none is sent twice.
 */
export async function createRedisClient(config: RedisConfig, options: RedisOptions): Promise<Redis> {
  // Loaded on demand: it takes longer to load than the rest of the service, and most services do not use it.
  const ioredis = await import('ioredis')
  return new ioredis.Redis({
    host: config.host,
    port: config.port,
    db: config.db,
    ...(config.username && { username: config.username }),
    ...(config.password && { password: config.password }),
    ...(config.isEncrypted && { tls: { servername: config.host } }),
    connectionName: 'page-preview',
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    // A server that hangs does not acknowledge a disconnect either.
    disconnectTimeout: 50,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // After a failover, the former primary is a replica that rejects writes.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: reconnectDelayMs,
    ...options,
  })
}

/** Tracks whether the client is connected, and turns connection errors of commands into `EBUSY`. */
function superviseClient(
  redis: Redis,
  { onDisconnect, onReconnect }: Pick<ConnectRedisOptions, 'onDisconnect' | 'onReconnect'>,
) {
  let lastError = new Error(CLOSED)
  let isConnected = false
  let rejectsWrites = false
  let hasStarted = false
  /** Since it was last reported. */
  let isDown = false
  redis.on('ready', () => {
    isConnected = true
    // A former primary accepts connections too, and each of its refusals ends one.
    if (hasStarted) void check()
  })
  redis.on('error', (error: Error) => (lastError = error))
  redis.on('close', () => markDisconnected(lastError))

  function reportDown(error: Error) {
    if (isDown) return
    isDown = true
    onDisconnect(error)
  }

  function reportUp() {
    isDown = false
    onReconnect()
  }

  function markDisconnected(error: Error) {
    if (!isConnected) return
    isConnected = false
    reportDown(error)
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

  const writeProbe = (commands: Redis) => commands.set(redisKey('ready'), '1', 'PX', 60_000)

  async function check() {
    try {
      await run(writeProbe)
      rejectsWrites = false
      if (isDown) reportUp()
    } catch (error) {
      rejectsWrites = isErrorReply(error)
    }
  }

  return {
    run,
    lastError: () => lastError,
    /** Connects; rejects when Redis is unreachable or cannot be written. */
    async start({ mayBeFull }: { mayBeFull: boolean }) {
      await rejectAfter(START_TIMEOUT_MS, redis.connect())
      await writeProbe(redis).catch((error: unknown) => {
        if (!mayBeFull || !isRedisFull(error)) throw error
        rejectsWrites = true
      })
      hasStarted = true
    },
    /** Goes on after `start` has failed; the client tries to connect until it can. */
    startDisconnected(error: Error) {
      hasStarted = true
      rejectsWrites = isErrorReply(error)
      if (!rejectsWrites && isConnected) redis.disconnect(true)
      if (!rejectsWrites) isConnected = false
      reportDown(error)
    },
    state: (): DependencyState => (!isConnected ? 'unreachable' : rejectsWrites ? 'rejected' : 'ok'),
    check,
    close() {
      isConnected = false
      redis.disconnect()
    },
  }
}

/** @throws  {Error} when the work takes longer than a time, and goes on; else the error of the work. */
export async function rejectAfter<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  const timeout = new AbortController()
  const late = delay(timeoutMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`no response within ${timeoutMs} milliseconds`)
  })
  // Whichever is the slower one has no other consumer.
  for (const each of [work, late]) each.catch(() => undefined)
  return Promise.race([work, late]).finally(() => timeout.abort())
}

function isTemporary(error: Error): boolean {
  if (error.name === 'ReplyError') return TEMPORARY_REPLY.test(error.message)
  // Other errors without a code mean that the server is not a Redis.
  return 'code' in error ? isNetworkError(error) : NO_RESPONSE.has(error.message)
}

const unreachableError = (cause: Error) => busyError('The shared store of this service cannot be reached', { cause })

/** Whether Redis rejects a write because its `maxmemory` is used up; what frees memory is still accepted. */
export const isRedisFull = (error: unknown): boolean => isErrorReply(error) && error.message.startsWith('OOM ')

/** Redis responded, with an error. */
const isErrorReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'

/** Names a key in Redis. The connection puts its prefix in front, which keeps it apart from keys of other services. */
export const redisKey = (...parts: string[]): string => parts.join(':')

/**
 * The results of a `MULTI` transaction, which reports the failure of each command apart.
 *
 * @throws  the error of the first command that failed.
 */
export function transactionResults(replies: readonly [Error | null, unknown][] | null): unknown[] {
  return (replies ?? []).map(([error, result]) => {
    if (error) throw error
    return result
  })
}
