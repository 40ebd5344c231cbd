import { isPageError, PageError, type ErrorCode } from '../../query/index.js'
import { promisedFileType, sniffedFileType, type MediaField } from './media-file.js'
import { fetchFile, type FetchFileOptions } from '../page/index.js'

/** A medium that a page named, whole. */
export interface FetchedMedia {
  bytes: Uint8Array
  /** `jpg`, `svg`, `mp3`: always one that may be given out. */
  fileType: string
}

const MAX_BYTES = 25_000_000

/** What is told of a failure: what went wrong with an address that the caller did not give. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  ETOOLARGE: `is larger than ${MAX_BYTES / 1_000_000} MB`,
  ETIMEOUT: 'was not there in time',
  EFORBIDDENURL: 'is not at a public address',
}

/**
 * Fetches what a page named as its image, logo, audio or video: at most 25 MB, within 10 seconds.
 *
 * @throws  {PageError} `ENOEMBED` when it is not there or is no such medium, `ETOOLARGE`, `ETIMEOUT`, `EUNREACHABLE`,
 *          `EFORBIDDENURL`. An aborted `signal` throws its own reason.
 */
export async function fetchMedia(
  url: string,
  field: MediaField,
  options: Pick<FetchFileOptions, 'guard' | 'dispatcher' | 'signal'>,
): Promise<FetchedMedia> {
  if (!/^https?:/i.test(url)) throw refusal('ENOEMBED', field, 'is not at an http(s) address')
  let promised: string | undefined
  const checkResponse: FetchFileOptions['checkResponse'] = ({ url: address, statusCode, contentType }) => {
    if (statusCode !== 200) throw refusal('ENOEMBED', field, `is not there (it answers with status ${statusCode})`)
    promised = promisedFileType(address, contentType, field)
    if (!promised) throw notGivenOut(field)
  }
  const accept = 'image/avif,image/webp,image/*,audio/*,video/*,*/*;q=0.5'
  const bytes = await fetchFile(url, { ...options, accept, maxBytes: MAX_BYTES, checkResponse }).catch(
    (error: unknown) => {
      options.signal.throwIfAborted()
      throw explain(error, field)
    },
  )
  const fileType = promised === 'unknown' ? sniffedFileType(bytes) : promised
  if (!fileType || bytes.byteLength === 0) throw notGivenOut(field)
  return { bytes, fileType }
}

function explain(error: unknown, field: MediaField): unknown {
  if (!isPageError(error) || error.code === 'ENOEMBED') return error
  const reason = REASONS[error.code]
  return reason ? refusal(error.code, field, reason, error) : refusal('EUNREACHABLE', field, 'cannot be fetched', error)
}

const notGivenOut = (field: MediaField) => refusal('ENOEMBED', field, 'is of a type that is not given out')

const refusal = (code: ErrorCode, field: MediaField, reason: string, cause?: unknown) =>
  new PageError(code, `The ${field} that the page names ${reason}.`, { data: { embed: reason }, cause })
