import { isPageError, PageError, type ErrorCode } from '../../query/index.js'
import { fetchFile, type FetchFileOptions } from '../page/index.js'
import { declaredFileType, detectImageType, type MediaField } from './media-file.js'

/** The complete bytes of a page's image, logo, audio or video. */
export interface FetchedMedia {
  bytes: Uint8Array
  /** File extension without dot, `jpg`, `svg`, `mp3`: always one of the types that the service serves. */
  fileType: string
}

export type FetchMediaOptions = Pick<FetchFileOptions, 'guard' | 'dispatcher' | 'memory' | 'signal'>

const MAX_BYTES = 25_000_000
const ACCEPT = 'image/avif,image/webp,image/*,audio/*,video/*,*/*;q=0.5'

/** The URL is not the caller's own, so messages name the field that it belongs to. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  ETOOLARGE: `is larger than ${MAX_BYTES / 1_000_000} MB`,
  ETIMEOUT: 'was not received in time',
  EFORBIDDENURL: 'is not at a public address',
}

/**
 * Fetches the image, logo, audio or video of a page: at most 25 MB, within 10 seconds.
 *
 * @throws  {PageError} `ENOEMBED` when it does not exist or has another type, `ETOOLARGE`, `ETIMEOUT`, `EUNREACHABLE`,
 *          `EFORBIDDENURL`, `EBUSY`. An aborted `signal` throws its own reason.
 */
export async function fetchMedia(url: string, field: MediaField, options: FetchMediaOptions): Promise<FetchedMedia> {
  if (!/^https?:/i.test(url)) throw mediaError('ENOEMBED', field, 'does not have an http(s) URL')
  let declared: string | undefined
  const checkResponse: FetchFileOptions['checkResponse'] = ({ url: finalUrl, statusCode, contentType }) => {
    if (statusCode !== 200) throw mediaError('ENOEMBED', field, `could not be fetched (status ${statusCode})`)
    declared = declaredFileType(finalUrl, contentType, field)
    if (!declared) throw unsupportedType(field)
  }
  const bytes = await fetchFile(url, { ...options, accept: ACCEPT, maxBytes: MAX_BYTES, checkResponse }).catch(
    (error: unknown) => {
      options.signal.throwIfAborted()
      throw describeFailure(error, field)
    },
  )
  const fileType = declared === 'unknown' ? detectImageType(bytes) : declared
  if (!fileType || bytes.byteLength === 0) throw unsupportedType(field)
  return { bytes, fileType }
}

function describeFailure(error: unknown, field: MediaField): unknown {
  if (!isPageError(error) || error.code === 'ENOEMBED' || error.code === 'EBUSY') return error
  const reason = REASONS[error.code]
  return reason
    ? mediaError(error.code, field, reason, error)
    : mediaError('EUNREACHABLE', field, 'could not be fetched', error)
}

const unsupportedType = (field: MediaField) => mediaError('ENOEMBED', field, 'has a type that is not served')

const mediaError = (code: ErrorCode, field: MediaField, reason: string, cause?: unknown) =>
  new PageError(code, `The ${field} of the page ${reason}.`, { data: { embed: reason }, cause })
