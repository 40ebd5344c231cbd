import { createHmac, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import pino from 'pino'
import { escapeUnprintable } from '../command-line/index.js'
import { hasLongHost } from '../query/help/index.js'
import { canParseUrl } from '../query/written-url.js'
import { isPageError, type ErrorCode } from '../query/index.js'
import { DAY_MS } from './utc-day.js'

/** The least severe level that is written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** The part of pino's interface that the service uses. */
export interface Logger {
  debug(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** Writes one log line: `event` names what happened, such as `browser-exited`, `level` is `info` by default, other properties are details. */
export type LogEvent = (event: { event: string; level?: 'warn' } & Record<string, unknown>) => void

/**
 * Writes JSON lines to stderr, because stdout is reserved for the ready line. URLs are logged without their query, so that
 * API keys stay out of the log. Logs are read on terminals, so characters that a terminal obeys or hides are escaped.
 *
 * @param destination  Default: stderr.
 */
export const createLogger = (level: LogLevel, destination: { write(line: string): void } = stderrLines()): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: escapeUnprintable } },
    destination,
  )

function stderrLines() {
  const lines = pino.destination({ dest: 2, sync: true })
  // Written to a file on a full disk, a line is lost. Without a listener, whoever logs it would fail.
  lines.on('error', () => undefined)
  return lines
}

/** What the log knows of a request that has its response. */
export interface FinishedRequest {
  method: string
  /** Absolute; only the host of its target is written, and its path in the access log. */
  url: string
  status: number
  cacheStatus: string
  requestId: string
  /** The trace id in `traceparent`. */
  traceId: string | undefined
  /** The network of the client; only its hash is written. */
  network: string
  /** Reading of `performance.now()`. */
  startedAt: number
  /** What failed the request, if anything. */
  error?: unknown
}

export interface RequestLog {
  /** Writes one line; of the lines of one code, at most 20 in 10 seconds, and then how many more there were. */
  recordFailure(request: FinishedRequest): void
  /** Writes one line for a request of any kind; `undefined` without an access log. */
  recordAccess: ((request: FinishedRequest) => void) | undefined
  /** Writes how many lines were left out. */
  close(): void
}

/** A flood of invalid requests must not fill the disk. */
const MAX_LINES = 20
const WINDOW_MS = 10_000
const MAX_PATH_CHARS = 200
const MAX_HOST_CHARS = 255
const MAX_ERROR_CHARS = 4_000
const MAX_CAUSES = 5
const HASH_CHARS = 16
/** A URL with what may be secret in it: user and password, path and query. */
const URLS = /\b(https?|wss?|rediss?|s3):\/\/(?:[^\s/?#@"'<>]*@)?([^\s/?#@"'<>]*)[^\s"'<>]*/g

/** Writes lines about requests, without what could be private: URLs, keys, and addresses of clients. */
export function createRequestLog({ log, accessLog }: { log: Logger; accessLog: boolean }): RequestLog {
  const hashOf = createNetworkHash()
  const limit = createLineLimit<ErrorCode>((code, count) =>
    log.warn({ event: 'requests-failed', code, count }, 'more failed requests than the log lists one by one'),
  )
  const fieldsOf = (request: FinishedRequest) => ({
    targetHost: targetHostOf(request.url),
    requestId: request.requestId,
    traceId: request.traceId,
    durationMs: Math.round((performance.now() - request.startedAt) * 10) / 10,
    client: hashOf(request.network),
  })

  return {
    recordFailure(request) {
      const { error, status } = request
      const code = isPageError(error) ? error.code : 'EFATAL'
      if (!limit.allows(code)) return
      const causeCode = isPageError(error) && isPageError(error.cause) ? error.cause.code : undefined
      const fields = { event: 'request-failed', code, causeCode, status, ...fieldsOf(request) }
      if (code === 'EFATAL') log.error({ ...fields, error: describeError(error) }, 'request failed unexpectedly')
      else if (status >= 500) log.warn(fields, 'request failed')
      else log.info(fields, 'request failed')
    },
    recordAccess: accessLog
      ? (request) => {
          const { method, status, cacheStatus: cache } = request
          const path = pathOf(request.url).slice(0, MAX_PATH_CHARS)
          log.info({ event: 'request', method, path, status, cache, ...fieldsOf(request) }, 'request')
        }
      : undefined,
    close: () => limit.close(),
  }
}

/**
 * Logs errors of work in the background. One that is due to a store fails with every request, so at most 20 lines are written in 10
 * seconds, and then how many more there were.
 */
export function createErrorLog(
  log: Logger,
  { event, message }: { event: string; message: string },
): (error: unknown) => void {
  const limit = createLineLimit<string>((_, count) =>
    log.error({ event, count }, 'more errors than the log lists one by one'),
  )
  return (error) => {
    if (limit.allows(event)) log.error({ event, error: String(error) }, message)
  }
}

/**
 * Allows a number of lines of each code in a window, which starts with the first of them, and counts the others.
 *
 * @param onLeftOut  Called at the end of a window in which lines were left out.
 */
function createLineLimit<Code extends string>(onLeftOut: (code: Code, count: number) => void) {
  const windows = new Map<Code, { lines: number; timer: NodeJS.Timeout }>()
  const end = (code: Code) => {
    const window = windows.get(code)
    if (!window) return
    clearTimeout(window.timer)
    windows.delete(code)
    if (window.lines > MAX_LINES) onLeftOut(code, window.lines - MAX_LINES)
  }
  const start = (code: Code) => {
    const window = { lines: 0, timer: setTimeout(() => end(code), WINDOW_MS).unref() }
    windows.set(code, window)
    return window
  }
  return {
    /** Whether a line may be written. */
    allows(code: Code): boolean {
      const window = windows.get(code) ?? start(code)
      window.lines++
      return window.lines <= MAX_LINES
    },
    /** Reports what was left out until now. */
    close(): void {
      for (const code of windows.keys()) end(code)
    },
  }
}

/**
 * Hashes addresses of clients with a random key that is never stored and changes every 24 hours, so that the lines of one
 * client can be grouped within a day and the address cannot be computed.
 */
function createNetworkHash(): (network: string) => string {
  let keyedAt = -Infinity
  let key = Buffer.alloc(0)
  return (network) => {
    const now = performance.now()
    if (now - keyedAt >= DAY_MS) {
      key = randomBytes(32)
      keyedAt = now
    }
    return createHmac('sha256', key).update(network).digest('hex').slice(0, HASH_CHARS)
  }
}

/**
 * The host of the page that a request of the service names in its parameter `url`; `undefined` if there is none. An oEmbed
 * request may name a preview, which names the page.
 */
function targetHostOf(requestUrl: string): string | undefined {
  const target = parameterUrl(requestUrl)
  if (!target) return undefined
  const isPreview = target.origin === parseUrl(requestUrl)?.origin
  return ((isPreview && parameterUrl(target.href)) || target).host.slice(0, MAX_HOST_CHARS)
}

function parameterUrl(text: string): URL | undefined {
  const value = parseUrl(text)?.searchParams.get('url')
  return value ? parseUrl(value) : undefined
}

const pathOf = (url: string) => parseUrl(url)?.pathname ?? ''

/** Also of a request that was refused because it has no valid URL. */
const parseUrl = (text: string) => (hasLongHost(text) || !canParseUrl(text) ? undefined : new URL(text))

/** An error with its stack and its causes; of URLs only scheme and host are left. */
function describeError(error: unknown): string {
  const parts: string[] = []
  for (let cause = error; cause !== undefined && parts.length < MAX_CAUSES; cause = causeOf(cause))
    parts.push(cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause))
  // Cut afterwards: a URL that ends within its user and password looks like one with a host alone.
  return parts.join('\nCaused by ').replace(URLS, '$1://$2').slice(0, MAX_ERROR_CHARS)
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)
