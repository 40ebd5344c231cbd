import { fetch, type Dispatcher, type Response } from 'undici'
import { isPageError, PageError, type ErrorCode } from '../query/index.js'
import { promisedFileType, sniffedFileType, type MediaField } from './media-file.js'

/** A medium that a page named, whole. */
export interface FetchedMedia {
  bytes: Uint8Array
  /** `jpg`, `svg`, `mp3`: always one that may be given out. */
  fileType: string
}

const MAX_BYTES = 25_000_000
const TIMEOUT_MS = 10_000

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; PagePreview/1.0)',
  accept: 'image/avif,image/webp,image/*,audio/*,video/*,*/*;q=0.5',
  'accept-encoding': 'identity',
}

/**
 * Fetches what a page named as its image, logo, audio or video: at most 25 MB, within 10 seconds.
 *
 * @param dispatcher  Whose connections the network guard checks, those of redirects too.
 * @throws            {PageError} `ENOEMBED` when it is not there or is no such medium, `ETOOLARGE`, `ETIMEOUT`, `EUNREACHABLE`,
 *                    `EFORBIDDENURL`. An aborted `signal` throws its own reason.
 */
export async function fetchMedia(
  url: string,
  field: MediaField,
  { dispatcher, signal }: { dispatcher: Dispatcher; signal: AbortSignal },
): Promise<FetchedMedia> {
  if (!/^https?:/i.test(url)) throw refusal('ENOEMBED', field, 'is not at an http(s) address')
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await fetch(url, { dispatcher, headers: HEADERS, signal: AbortSignal.any([signal, deadline]) })
    const fileType = promisedFileType(answer.url, answer.headers.get('content-type') ?? '', field)
    const isFit = answer.status === 200 && fileType
    if (!isFit) await answer.body?.cancel()
    if (answer.status !== 200)
      throw refusal('ENOEMBED', field, `is not there (it answers with status ${answer.status})`)
    const bytes = fileType ? await readAll(answer, field) : Buffer.alloc(0)
    const known = fileType === 'unknown' ? sniffedFileType(bytes) : fileType
    if (!known || bytes.byteLength === 0) throw refusal('ENOEMBED', field, 'is of a type that is not given out')
    return { bytes, fileType: known }
  } catch (error) {
    signal.throwIfAborted()
    throw explain(error, field, deadline)
  }
}

async function readAll({ body }: Response, field: MediaField): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw refusal('ETOOLARGE', field, `is larger than ${MAX_BYTES / 1_000_000} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What the guard says comes as the cause of a failed fetch, and speaks of an address that the caller did not give. */
function explain(error: unknown, field: MediaField, deadline: AbortSignal): unknown {
  if (isPageError(error)) return error
  if (deadline.aborted) return refusal('ETIMEOUT', field, `was not there within ${TIMEOUT_MS / 1_000} s`)
  const cause = error instanceof Error ? error.cause : undefined
  return isPageError(cause) && cause.code === 'EFORBIDDENURL'
    ? refusal('EFORBIDDENURL', field, 'is not at a public address', error)
    : refusal('EUNREACHABLE', field, 'cannot be fetched', error)
}

const refusal = (code: ErrorCode, field: MediaField, reason: string, cause?: unknown) =>
  new PageError(code, `The ${field} that the page names ${reason}.`, { data: { embed: reason }, cause })
