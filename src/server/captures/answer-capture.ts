import { createHash, timingSafeEqual } from 'node:crypto'
import { PageError } from '../../query/index.js'
import type { Extractor } from '../results/index.js'
import {
  CAPTURE_TYPE,
  decodeRequest,
  encodeExtraction,
  encodeFailure,
  InvalidMessageError,
  JSON_TYPE,
  MAX_REQUEST_BYTES,
} from './messages.js'

/**
 * Extracts a page for a front that has the secret. It ends when the front closes the connection.
 *
 * @throws  {PageError} `EAUTH` without the secret, `EFATAL` for a message that no front sends, and the errors of the extraction.
 */
export async function answerCapture(
  request: Request,
  { extractor, secret }: { extractor: Extractor; secret: string },
): Promise<Response> {
  if (!isAuthorized(request.headers.get('authorization'), secret))
    throw new PageError(
      'EAUTH',
      'Captures need the secret of the workers; give the front the same --worker-secret-file as this worker.',
    )
  const { signal } = request
  const scope = await readScope(request)
  const startedAt = performance.now()
  const extraction = await extractor.extract({ ...scope, signal })
  const body = encodeExtraction(extraction, Math.round(performance.now() - startedAt))
  return new Response(body, {
    headers: { 'content-type': CAPTURE_TYPE, 'content-length': String(body.byteLength), 'cache-control': 'no-store' },
  })
}

/** The response to a capture that failed, in the form that fronts read. */
export function captureFailure(error: unknown): Response {
  const { status, body } = encodeFailure(error)
  const headers = {
    'content-type': JSON_TYPE,
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="page-preview workers"' }),
  }
  return new Response(body, { status, headers })
}

/** Hashes have one length, so that the time says neither the length nor the beginning of the secret. */
function isAuthorized(header: string | null, secret: string): boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digestOf(header ?? ''), digestOf(`Bearer ${secret}`))
}

async function readScope(request: Request) {
  const text = await readText(request)
  try {
    return decodeRequest(text, request.headers)
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error
    throw invalidRequest(`The front ${error.message}.`, error)
  }
}

async function readText({ body, headers }: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = Number(headers.get('content-length') ?? 0)
  if (bytes <= MAX_REQUEST_BYTES) {
    bytes = 0
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength
      if (bytes > MAX_REQUEST_BYTES) break
      chunks.push(chunk)
    }
  }
  if (bytes > MAX_REQUEST_BYTES) throw invalidRequest(`The front has sent more than ${MAX_REQUEST_BYTES} bytes.`)
  return Buffer.concat(chunks).toString('utf8')
}

/** Not an error of the query: the front would report it to its caller, who has no part in it. */
const invalidRequest = (message: string, cause?: unknown) =>
  new PageError('EFATAL', message, { status: 400, ...(cause !== undefined && { cause }) })
