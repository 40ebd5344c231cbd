import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheKey, isPageError, PageError, type PageQuery, type PageState } from '../../query/index.js'
import { describeState } from '../../server/results/index.js'
import type { ImageField, ImageRequest, PreviewSource, SourceImage, SourcePage } from '../preview-source/index.js'
import { openResults, type CaptureRecord, type FailedRecord } from './results.js'
import { workThrough } from '../work-through.js'
import { removeTemporaryFiles, writeFileAtomically } from '../write-file.js'

/** What is captured of each page. */
export interface CaptureRequest {
  /** The parameters, without `url`. */
  parameters: Readonly<Record<string, unknown>>
  /** Which image is written. Default: none, results alone. */
  field: ImageField | undefined
  variant: ImageRequest
}

interface CaptureUrlsOptions {
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
    await removeTemporaryFiles(outDir)
    const results = await openResults(outDir, { keys: new Set(pending.keys()), isForced })
    for (const [key, record] of results.finished) {
      pending.delete(key)
      summary.skipped++
      options.onResult(record, true)
    }
    await workThrough(pending.values(), options, async (url, signal) => {
      const record = await captureUrl(url, { ...options, signal })
      await results.append(record)
      count(record, summary)
      options.onResult(record, false)
    })
  } catch (error) {
    options.signal.throwIfAborted()
    throw isPageError(error) ? serviceError(error, summary) : folderError(error, outDir)
  }
  return summary
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

const MAX_TITLE_CHARS = 1_000
const MAX_DESCRIPTION_CHARS = 5_000
const MAX_WARNINGS = 20
const MAX_WARNING_CHARS = 500

/** @returns  Hexadecimal; a URL that is none has a key too. */
function captureKey(url: string, { parameters, field, variant }: CaptureRequest): string {
  const query = { ...parameters, url } as PageQuery
  const page = URL.canParse(url) && /^https?:/i.test(url) ? cacheKeyOf(query) : url
  const image = [field, variant.width, variant.type].join(' ')
  return createHash('sha256').update(`${page}\n${image}`).digest('hex').slice(0, 16)
}

/**
 * Captures one page into a file.
 *
 * @returns  What became of it, a failure of the page or of the service included.
 * @throws   Error of the file system; {PageError} `EAUTH` and `ERATE`, after which no other page can be captured; the reason of
 *           `signal`.
 */
async function captureUrl(url: string, run: CaptureUrlsOptions): Promise<CaptureRecord> {
  const { request, outDir, signal } = run
  const key = captureKey(url, request)
  try {
    const { page, image } = await capture(url, run)
    const start = { url, key, date: new Date(page.producedAt).toISOString(), status: 'captured' as const }
    const file = image ? fileName(url, { key, type: image.type }) : null
    if (image && file) await writeFileAtomically(join(outDir, file), image.bytes, { isDurable: true })
    return { ...start, file, ...imageFields(image), ...pageFields(page) }
  } catch (error) {
    signal.throwIfAborted()
    if (!isPageError(error) || error.code === 'EAUTH' || error.code === 'ERATE') throw error
    const { code, message } = error
    const state = error instanceof NoContentError ? { state: error.state } : {}
    return { url, key, date: new Date().toISOString(), status: 'failed', code, message, ...state }
  }
}

async function capture(
  url: string,
  { source, request: { parameters, field, variant }, signal }: CaptureUrlsOptions,
): Promise<{ page: SourcePage; image: SourceImage | undefined }> {
  const query = { ...parameters, url }
  const page = await source.page(query, signal)
  if (!field) return { page, image: undefined }
  if (field === 'screenshot' && page.data.state) throw new NoContentError(page.data.state)
  if (!page.data[field]) throw new PageError('ENOEMBED', `The page has no ${field}.`)
  return { page, image: await source.image(query, field, variant, signal) }
}

/** The page did not show its content, so there is no screenshot. */
class NoContentError extends PageError {
  constructor(readonly state: PageState) {
    super('ENOEMBED', `The page ${describeState(state)}, so there is no screenshot of it.`)
  }
}

const imageFields = (image: SourceImage | undefined) => ({
  type: image?.type ?? null,
  width: image?.width ?? null,
  height: image?.height ?? null,
  size: image?.bytes.length ?? null,
})

const pageFields = ({ data, statusCode, warnings }: SourcePage) => ({
  statusCode,
  title: data.title?.slice(0, MAX_TITLE_CHARS) ?? null,
  description: data.description?.slice(0, MAX_DESCRIPTION_CHARS) ?? null,
  ...(warnings.length > 0 && {
    warnings: warnings.slice(0, MAX_WARNINGS).map((warning) => warning.slice(0, MAX_WARNING_CHARS)),
  }),
})

function cacheKeyOf(query: PageQuery): string {
  try {
    return cacheKey(query)
  } catch {
    return query.url
  }
}

const MAX_SLUG_CHARS = 80

/**
 * A file name from which people recognize the page. It consists of lower-case letters, digits, dots and dashes, and differs
 * for each key.
 *
 * @param key   Hexadecimal, of the page and what changes its image.
 * @param type  Without dot.
 */
export function fileName(url: string, { key, type }: { key: string; type: string }): string {
  const slug = url
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/[?#].*/s, '')
    .replace(/[^a-z\d.]+/g, '-')
    .replace(/[-.]{2,}/g, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^[.-]/, '')
    .replace(/[.-]$/, '')
  return `${slug || 'page'}-${key.slice(0, 10)}.${type}`
}
