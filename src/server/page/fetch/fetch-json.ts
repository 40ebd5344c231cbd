import type { FetchContext } from './fetch-context.js'
import { followRedirects } from './follow-redirects.js'
import { readBody, SUPPORTED_ENCODINGS } from './read-body.js'
import { USER_AGENT } from './user-agent.js'

const MAX_JSON_BYTES = 256_000

const REQUEST_HEADERS = {
  'user-agent': USER_AGENT,
  accept: 'application/json,application/manifest+json,*/*;q=0.5',
  'accept-encoding': SUPPORTED_ENCODINGS,
}

/**
 * Fetches a small JSON document.
 *
 * @returns  `undefined` for a status other than 200 or a body over 256 kB.
 * @throws   {PageError} as `followRedirects` does; {SyntaxError} for invalid JSON.
 */
export async function fetchJson(url: string, context: FetchContext): Promise<unknown> {
  const { statusCode, headers, body } = await followRedirects(url, { ...context, headers: REQUEST_HEADERS })
  try {
    if (statusCode !== 200) return undefined
    const encoding = headers['content-encoding']?.toString()
    const { signal } = context
    const { bytes, isComplete } = await readBody(body, { encoding, maxBytes: MAX_JSON_BYTES, signal })
    return isComplete ? JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) : undefined
  } finally {
    body.destroy()
  }
}
