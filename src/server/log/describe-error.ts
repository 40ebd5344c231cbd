import { inspect } from 'node:util'

const MAX_CHARS = 4_000
const MAX_CAUSES = 5
/** A URL with what may be secret in it: user and password, path and query. */
const URLS = /\b(https?|wss?|rediss?|s3):\/\/(?:[^\s/?#@"'<>]*@)?([^\s/?#@"'<>]*)[^\s"'<>]*/g

/** An error with its stack and its causes, at most 4,000 characters; of URLs only scheme and host are left. */
export function describeError(error: unknown): string {
  const parts: string[] = []
  for (let cause = error; cause !== undefined && parts.length < MAX_CAUSES; cause = causeOf(cause))
    parts.push(cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause))
  return parts.join('\nCaused by ').slice(0, MAX_CHARS).replace(URLS, '$1://$2')
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)
