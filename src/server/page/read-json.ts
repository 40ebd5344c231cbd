import { followRedirects } from './follow-redirects.js'
import type { PingOptions } from './ping-url.js'
import { readableEncodings, readBytes } from './read-bytes.js'

const MAX_JSON_BYTES = 256_000

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; PagePreview/1.0)',
  accept: 'application/json,application/manifest+json,*/*;q=0.5',
  'accept-encoding': readableEncodings,
}

/**
 * Fetches a small JSON document that a page names.
 *
 * @returns  `undefined` when it answers without success, or with more than 256 kB.
 * @throws   {PageError} as `followRedirects` does; {SyntaxError} for what is no JSON.
 */
export async function readJson(url: string, options: PingOptions): Promise<unknown> {
  const { statusCode, headers, body } = await followRedirects(url, { ...options, headers: HEADERS })
  try {
    if (statusCode !== 200) return undefined
    const encoding = headers['content-encoding']?.toString()
    const { bytes, isWhole } = await readBytes(body, { encoding, maxBytes: MAX_JSON_BYTES, signal: options.signal })
    return isWhole ? JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) : undefined
  } finally {
    body.destroy()
  }
}
