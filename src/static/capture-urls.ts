import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { escapeUnprintable } from '../command-line/index.js'
import { canParseUrl } from '../query/written-url.js'
import { cacheKey, isPageError, PageError, type PageData, type PageQuery, type PageState } from '../query/index.js'
import { describeState } from '../server/static-tools.js'
import { errorCodeOf, removeTemporaryFiles, writeFileAtomically } from './files.js'
import type { ImageField, Variant, PreviewSource, SourceImage, SourcePage } from './preview-source.js'
import { workThrough } from './work-through.js'

/** What is captured of each page. */
export interface CaptureRequest {
  /** The parameters, without `url`. */
  parameters: Readonly<Record<string, unknown>>
  /** Which image is written. Default: none, results alone. */
  field: ImageField | undefined
  variant: Variant
}

interface RecordStart {
  /** The URL as it was listed. */
  url: string
  /** Hexadecimal; differs for each page and for each set of parameters that changes the result. */
  key: string
  /** ISO 8601, UTC. */
  date: string
}

/** A page that was captured. */
interface CapturedRecord extends RecordStart {
  status: 'captured'
  /** Name in the folder of the results; `null` when no image was requested. */
  file: string | null
  type: string | null
  /** Pixels. */
  width: number | null
  height: number | null
  /** Bytes. */
  size: number | null
  /** The page's own HTTP status. */
  statusCode: number
  title: string | null
  description: string | null
  /** What the page showed instead of its content, if the requested image exists nevertheless. */
  state?: PageState
  warnings?: string[]
}

/** A page that could not be captured. */
interface FailedRecord extends RecordStart {
  status: 'failed'
  code: string
  message: string
  /** What the page showed instead of its content. */
  state?: PageState
  /** The page's own HTTP status, if it responded. */
  statusCode?: number
}

/** One line of `results.ndjson`. */
export type CaptureRecord = CapturedRecord | FailedRecord

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
  failures: Pick<FailedRecord, 'url' | 'code' | 'message' | 'state' | 'statusCode'>[]
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
    const capture = async (url: string, signal: AbortSignal, page?: () => SourcePage) => {
      const record = await captureUrl(url, { ...options, signal }, page)
      await results.append(record)
      count(record, summary)
      options.onResult(record, false)
    }
    const remaining = [...pending.values()]
    const parts =
      remaining.length > 0 ? await options.source.pages?.(remaining, request.parameters, options.signal) : undefined
    if (!parts) await workThrough(remaining, options, (url, signal) => capture(url, signal))
    else
      for await (const part of parts)
        await workThrough(part, options, ({ number, page }, signal) => capture(remaining[number]!, signal, page))
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
    const { url, code, message, state, statusCode } = record
    summary.failures.push({ url, code, message, ...(state && { state }), ...(statusCode && { statusCode }) })
  }
}

const AGAIN = 'Run the same command again to capture the missing pages.'

const serviceError = (error: Error, { captured }: BatchSummary) =>
  new Error(`${error.message} ${captured === 1 ? '1 page' : `${captured} pages`} had been captured by then. ${AGAIN}`, {
    cause: error,
  })

/** An error of the file system with a sentence; any other as it is. */
function folderError(error: unknown, outDir: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const code = errorCodeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new Error(`There is no space left for ${outDir}. Free some space. ${AGAIN}`, { cause: error })
    : new Error(`The folder ${outDir} cannot be used (${error.message}).`, { cause: error })
}

/**
 * Captures one page into a file.
 *
 * @param read  Returns the result of the page, if it is known; may throw its error.
 * @returns  What became of it, a failure of the page or of the service included.
 * @throws   Error of the file system; {PageError} `EAUTH`, `ERATE`, and for a service that is not there, after which no other page can be captured; the reason of
 *           `signal`.
 */
async function captureUrl(url: string, run: CaptureUrlsOptions, read?: () => SourcePage): Promise<CaptureRecord> {
  const { source, request, outDir, signal } = run
  const { parameters, field, variant } = request
  const key = captureKey(url, request)
  let page: SourcePage | undefined
  try {
    const query = { ...parameters, url }
    page = read ? read() : await source.page(query, signal)
    await assertContent(page.data, field)
    const image = field && (await source.image(query, field, variant, signal))
    const file = image ? fileName(url, { key, type: image.type }) : null
    if (image && file) await writeFileAtomically(join(outDir, file), image.bytes, { isDurable: true })
    const date = new Date(page.producedAt).toISOString()
    return { url, key, date, status: 'captured', file, ...imageFields(image), ...pageFields(page) }
  } catch (error) {
    signal.throwIfAborted()
    // What no other page would be spared: `EBUSY` comes after retries.
    if (!isPageError(error) || ['EAUTH', 'ERATE', 'EBUSY', 'EFATALCLIENT'].includes(error.code)) throw error
    const { code } = error
    const message = error.message.slice(0, MAX_MESSAGE_CHARS)
    const found = page && { statusCode: page.statusCode, ...(page.data.state && { state: page.data.state }) }
    return { url, key, date: new Date().toISOString(), status: 'failed', code, message, ...found }
  }
}

/**
 * Asserts that a page has what is captured of it. A page without its content may still have an image or a logo.
 *
 * @throws  {PageError} `ENOEMBED`
 */
async function assertContent(data: PageData, field: ImageField | undefined): Promise<void> {
  const { state } = data
  if (state && (field === undefined || field === 'screenshot' || !data[field])) {
    const consequence = field ? `, so there is no ${field} of it` : ''
    throw new PageError('ENOEMBED', `The page ${await describeState(state)}${consequence}.`)
  }
  if (field && !data[field]) throw new PageError('ENOEMBED', `The page has no ${field}.`)
}

const MAX_TITLE_CHARS = 1_000
const MAX_DESCRIPTION_CHARS = 5_000
const MAX_WARNINGS = 20
const MAX_WARNING_CHARS = 500
const MAX_MESSAGE_CHARS = 500

const imageFields = (image: SourceImage | undefined) => ({
  type: image?.type ?? null,
  width: image?.width ?? null,
  height: image?.height ?? null,
  size: image?.bytes.length ?? null,
})

const pageFields = ({ data, statusCode, warnings }: SourcePage) => ({
  statusCode,
  ...(data.state && { state: data.state }),
  title: data.title?.slice(0, MAX_TITLE_CHARS) ?? null,
  description: data.description?.slice(0, MAX_DESCRIPTION_CHARS) ?? null,
  ...(warnings.length > 0 && {
    warnings: warnings.slice(0, MAX_WARNINGS).map((warning) => warning.slice(0, MAX_WARNING_CHARS)),
  }),
})

/** @returns  Hexadecimal; invalid URLs have a key too. */
function captureKey(url: string, { parameters, field, variant }: CaptureRequest): string {
  const query = { ...parameters, url } as PageQuery
  const page = canParseUrl(url) && /^https?:/i.test(url) ? cacheKeyOf(query) : url
  const image = [field, variant.width, variant.type, variant.maxSide, variant.maxBytes].join(' ')
  return createHash('sha256').update(`${page}\n${image}`).digest('hex').slice(0, 16)
}

function cacheKeyOf(query: PageQuery): string {
  try {
    return cacheKey(query)
  } catch {
    return query.url
  }
}

const MAX_SLUG_CHARS = 80

/**
 * A file name from which people recognise the page. It consists of lower-case letters, digits, dots and dashes, and differs
 * for each key.
 *
 * @param key   Hexadecimal, of the page and what changes its image.
 * @param type  A file extension without its dot.
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

/** Name of the file of results: one JSON object a line. */
const RESULTS_FILE = 'results.ndjson'

/**
 * Opens the results of a folder: one line for each page and set of parameters.
 *
 * @param keys      The keys of this run; the line of each that is not finished is removed.
 * @param isForced  Whether nothing counts as finished.
 * @returns         The captures of earlier runs that need not be repeated, by key; and what adds a line.
 */
async function openResults(dir: string, { keys, isForced }: { keys: ReadonlySet<string>; isForced: boolean }) {
  const path = join(dir, RESULTS_FILE)
  const { records, isWhole } = await readRecords(path)
  const { size } = records
  const finished = new Map<string, CapturedRecord>()
  for (const record of records.values()) {
    if (!keys.has(record.key)) continue
    if (!isForced && record.status === 'captured' && (await isThere(dir, record))) finished.set(record.key, record)
    else records.delete(record.key)
  }
  // Another run may add lines at the same time, which are lost if the file is replaced.
  if (!isWhole || records.size < size)
    await writeFileAtomically(path, [...records.values()].map(lineOf).join(''), { isDurable: true })
  return { finished, append: (record: CaptureRecord) => appendFile(path, lineOf(record)) }
}

const lineOf = (record: CaptureRecord) => `${escapeUnprintable(JSON.stringify(record))}\n`

/** The records of a file by key, and whether it has nothing else; a line that was cut off, or was written by another program, is left out. */
async function readRecords(path: string): Promise<{ records: Map<string, CaptureRecord>; isWhole: boolean }> {
  const records = new Map<string, CaptureRecord>()
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return { records, isWhole: false }
  let [lines, bytes] = [0, 0]
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    lines++
    bytes += Buffer.byteLength(line) + 1
    const record = parseRecord(line)
    if (record) records.set(record.key, record)
  }
  // The last line has no line break if a run was killed; the file may have grown meanwhile.
  const isCutOff = bytes < found.size || bytes === found.size + 1
  return { records, isWhole: lines === records.size && !isCutOff }
}

function parseRecord(line: string): CaptureRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<CaptureRecord> | null
    const isRecord = typeof record?.key === 'string' && typeof record.url === 'string'
    return isRecord && /^(captured|failed)$/.test(String(record.status)) ? (record as CaptureRecord) : undefined
  } catch {
    return undefined
  }
}

async function isThere(dir: string, { file, size }: CapturedRecord): Promise<boolean> {
  if (file === null) return true
  // The file of results is untrusted, and must not name another folder.
  if (typeof file !== 'string' || /[/\\\0]/.test(file)) return false
  const stats = await stat(join(dir, file)).catch(() => undefined)
  return stats?.isFile() === true && stats.size === size
}
