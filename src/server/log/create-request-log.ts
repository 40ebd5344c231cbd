import { isPageError, type ErrorCode } from '../../query/index.js'
import { createClientHash } from './client-hash.js'
import type { Logger } from './create-logger.js'
import { describeError } from './describe-error.js'
import { createLineLimit } from './line-limit.js'
import { targetHostOf } from './target-host.js'

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
  /** Network address or network; only its hash is written. */
  client: string
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

export interface RequestLogOptions {
  log: Logger
  accessLog: boolean
}

/** A flood of invalid requests must not fill the disk. */
const MAX_LINES = 20
const WINDOW_MS = 10_000
const MAX_PATH_CHARS = 200

/** Writes lines about requests, without what could be private: URLs, keys, and addresses of clients. */
export function createRequestLog({ log, accessLog }: RequestLogOptions): RequestLog {
  const hashOf = createClientHash()
  const limit = createLineLimit<ErrorCode>({
    maxLines: MAX_LINES,
    windowMs: WINDOW_MS,
    onLeftOut: (code, count) =>
      log.warn({ event: 'requests-failed', code, count }, 'more requests failed than the log has lines for'),
  })
  const fieldsOf = (request: FinishedRequest) => ({
    targetHost: targetHostOf(request.url),
    requestId: request.requestId,
    traceId: request.traceId,
    durationMs: Math.round((performance.now() - request.startedAt) * 10) / 10,
    client: hashOf(request.client),
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

const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : '')
