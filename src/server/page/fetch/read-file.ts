import { isPageError } from '../../../query/index.js'
import type { ReservedMemory } from '../../budget/index.js'
import { withTimeout } from '../../jobs/index.js'
import type { FileKind } from '../media-type.js'
import type { FinalResponse } from './follow-redirects.js'
import { ContentEncodingError } from './decode-body.js'
import { readBody, SlowBodyError } from './read-body.js'

class LateFileError extends Error {}

/** A file as received, as far as it is read. */
export interface FetchedFile {
  kind: FileKind
  /** The whole PDF, or the start of any other; `undefined` if it could not be read, for the reason in `problem`. */
  bytes: Uint8Array | undefined
  /** The end of a sentence that begins with the file. */
  problem?: string
  /** Whether it may be readable soon. */
  isTemporary?: boolean
}

/** As for other media, and enough for the text that a screenshot shows. */
const MAX_BYTES = { pdf: 25_000_000, text: 500_000 }
/** Less than the time of a page, so that its title stays if its file is too slow. */
const TIMEOUT_MS = { pdf: 8_000, text: 3_000 }

/** Reads the body of a file, decompressed. A file that cannot be read is no error: its name and its type are known. */
export async function readFile(
  response: FinalResponse,
  { kind, memory, signal }: { kind: FileKind; memory: ReservedMemory | undefined; signal: AbortSignal },
): Promise<FetchedFile> {
  // What an error sends is not the file.
  if (response.statusCode >= 300) return { kind, bytes: undefined }
  const limits = kind === 'pdf' ? 'pdf' : 'text'
  const maxBytes = MAX_BYTES[limits]
  const isTooLarge = { kind, bytes: undefined, problem: `is larger than ${maxBytes / 1_000_000} MB` }
  if (kind === 'pdf' && Number(response.headers['content-length'] ?? 0) > maxBytes) return isTooLarge
  const read = (signal: AbortSignal) => readBody(response, { maxBytes, memory, signal })
  try {
    const timeoutError = () => new LateFileError('too slow')
    const { bytes, isComplete } = await withTimeout(read, { signal, timeoutMs: TIMEOUT_MS[limits], timeoutError })
    if (kind === 'pdf' && !isComplete) return isTooLarge
    // A copy, because a small buffer shares its memory with those of other pages.
    return { kind, bytes: new Uint8Array(bytes) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ContentEncodingError) return { kind, bytes: undefined, problem: 'is damaged' }
    const isSlow = error instanceof SlowBodyError || error instanceof LateFileError
    const problem =
      isPageError(error) && error.code === 'EBUSY'
        ? 'needs more memory than is free'
        : isSlow
          ? 'arrives too slowly'
          : 'did not arrive completely'
    return { kind, bytes: undefined, problem, isTemporary: true }
  }
}
