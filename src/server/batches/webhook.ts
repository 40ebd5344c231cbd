import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { isPageError, PageError } from '../../query/index.js'
import { canParseUrl } from '../../query/written-url.js'
import { withTimeout } from '../jobs/index.js'
import type { Guard, GuardedDispatcher } from '../network/index.js'
import type { WebhookOutcome } from './job-store.js'

/** How long a webhook may take to respond. */
const TIMEOUT_MS = 10_000
const MAX_URL_CHARS = 2_048
/** The pause before each further attempt; after the last one the webhook has failed. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000]
const GONE = 410

/** `whsec_` and base64, as in the specification: https://github.com/standard-webhooks/standard-webhooks */
const SECRET = /^whsec_([\w+/]{32,88}={0,2})$/
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

/** Where a job reports its end, and the secret that signs the report. */
export interface Webhook {
  url: string
  secret: Buffer
}

/**
 * Reads the field `webhook` of a request.
 *
 * @throws  {PageError} `EINVALQUERY`
 */
export function parseWebhook(value: unknown): Webhook {
  if (typeof value !== 'object' || value === null) throw invalidWebhook('must be an object with url and secret')
  const { url, secret, ...others } = value as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalidWebhook(`has the unknown field "${unknown.slice(0, 100)}"`)
  if (typeof url !== 'string' || url.length > MAX_URL_CHARS || !canParseUrl(url) || !/^https?:\/\//i.test(url))
    throw invalidWebhook('must have an absolute http(s) url')
  const { username, password } = new URL(url)
  if (username || password) throw invalidWebhook('must have a url without user name and password')
  const [, base64] = typeof secret === 'string' ? (SECRET.exec(secret) ?? []) : []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES)
    throw invalidWebhook(
      `must have a secret: whsec_ and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes`,
    )
  return { url: new URL(url).href, secret: bytes }
}

export const invalidWebhook = (reason: string): PageError =>
  new PageError('EINVALQUERY', `webhook ${reason}.`, { data: { webhook: reason } })

/** A report that is sent to a webhook; the same ID and body with each attempt. */
interface Report {
  id: string
  body: string
  /** How many times it was sent, this time included. */
  attempts: number
}

/**
 * Sends a signed report. Redirects are not followed, because a signature is for one receiver.
 *
 * @throws  The reason of `signal`.
 */
export async function sendReport(
  { url, secret }: Webhook,
  { id, body, attempts }: Report,
  {
    guard,
    dispatcher,
    clock,
    signal,
  }: { guard: Guard; dispatcher: GuardedDispatcher; clock: () => number; signal: AbortSignal },
): Promise<WebhookOutcome> {
  const timestamp = Math.floor(clock() / 1_000)
  const send = async (either: AbortSignal) => {
    await guard.check(url, { signal: either })
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      signal: either,
      headers: {
        'content-type': 'application/json',
        'user-agent': dispatcher.userAgent,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(secret, `${id}.${timestamp}.${body}`),
      },
      body,
    })
    response.body.on('error', () => undefined).destroy()
    return response.statusCode
  }
  try {
    const status = await withTimeout(send, {
      signal,
      timeoutMs: TIMEOUT_MS,
      timeoutError: () => new Error('The webhook did not respond in time.'),
    })
    if (status >= 200 && status < 300) return { status: 'delivered' }
    if (status === GONE) return { status: 'failed' }
  } catch (error) {
    signal.throwIfAborted()
    if (isPageError(error) && error.code === 'EFORBIDDENURL') return { status: 'failed' }
  }
  const afterMs = RETRY_DELAYS_MS[attempts - 1]
  return afterMs === undefined ? { status: 'failed' } : { status: 'later', afterMs }
}

/** @see  https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
const signatureOf = (secret: Buffer, text: string) => `v1,${createHmac('sha256', secret).update(text).digest('base64')}`
