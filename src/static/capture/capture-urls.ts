import { mkdir } from 'node:fs/promises'
import { isPageError } from '../../query/index.js'
import type { PreviewSource } from '../preview-source/index.js'
import type { CaptureRecord, FailedRecord } from './capture-record.js'
import { captureKey, captureUrl, type CaptureRequest } from './capture-url.js'
import { openResults, type Results } from './open-results.js'
import { removePartialFiles } from './write-whole-file.js'

export interface CaptureUrlsOptions {
  source: PreviewSource
  request: CaptureRequest
  /** Folder of the images and of `results.ndjson`; it is created. */
  outDir: string
  /** Captures at the same time. */
  concurrency: number
  /** Captures again what is there. */
  isForced: boolean
  /** Called for each page: with its record, or when an earlier run has captured it. */
  onResult: (record: CaptureRecord, isSkipped: boolean) => void
  /** Aborting it ends the run; finished captures stay. */
  signal: AbortSignal
}

export interface BatchSummary {
  total: number
  captured: number
  /** Captured by an earlier run. */
  skipped: number
  failed: number
  /** Bytes of the images that this run wrote. */
  bytes: number
  failures: Pick<FailedRecord, 'url' | 'code' | 'message'>[]
}

/**
 * Captures pages into a folder; a page that fails does not stop the others.
 *
 * @throws  Error with a sentence when the folder cannot be written, or when the service refuses all requests; the reason of
 *          `signal`.
 */
export async function captureUrls(urls: readonly string[], options: CaptureUrlsOptions): Promise<BatchSummary> {
  const { request, outDir, isForced } = options
  const pending = new Map(urls.map((url) => [captureKey(url, request), url]))
  const summary: BatchSummary = { total: pending.size, captured: 0, skipped: 0, failed: 0, bytes: 0, failures: [] }
  try {
    await mkdir(outDir, { recursive: true })
    await removePartialFiles(outDir)
    const results = await openResults(outDir, { keys: new Set(pending.keys()), isForced })
    for (const [key, record] of results.finished) {
      pending.delete(key)
      summary.skipped++
      options.onResult(record, true)
    }
    await capturePending(pending.values(), { ...options, results, summary })
  } catch (error) {
    options.signal.throwIfAborted()
    throw isPageError(error) ? serviceError(error, summary) : folderError(error, outDir)
  }
  return summary
}

async function capturePending(
  urls: IterableIterator<string>,
  { results, summary, signal, ...options }: CaptureUrlsOptions & { results: Results; summary: BatchSummary },
): Promise<void> {
  const stopping = new AbortController()
  const either = AbortSignal.any([signal, stopping.signal])
  const work = async () => {
    // All workers take from one iterator.
    for (const url of urls) {
      either.throwIfAborted()
      const record = await captureUrl(url, { ...options, signal: either })
      await results.append(record)
      count(record, summary)
      options.onResult(record, false)
    }
  }
  const workers = Array.from({ length: options.concurrency }, () =>
    work().catch((error: unknown) => {
      stopping.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(workers)
  either.throwIfAborted()
}

function count(record: CaptureRecord, summary: BatchSummary): void {
  if (record.status === 'captured') {
    summary.captured++
    summary.bytes += record.size ?? 0
  } else {
    summary.failed++
    const { url, code, message } = record
    summary.failures.push({ url, code, message })
  }
}

const AGAIN = 'Run the same command again: it goes on with what is missing.'

const serviceError = (error: Error, { captured }: BatchSummary) =>
  new Error(`${error.message} Captured before that: ${captured}. ${AGAIN}`, { cause: error })

/** An error of the file system with a sentence; any other as it is. */
function folderError(error: unknown, outDir: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  return error.code === 'ENOSPC' || error.code === 'EDQUOT'
    ? new Error(`There is no space left for ${outDir}: free some. ${AGAIN}`, { cause: error })
    : new Error(`The folder ${outDir} cannot be used (${error.message}).`, { cause: error })
}
