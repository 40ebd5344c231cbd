import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { cacheKey, isPageError, PageError, type PageQuery, type PageState } from '../../query/index.js'
import type { ImageField, ImageRequest, PreviewSource, SourceImage, SourcePage } from '../preview-source/index.js'
import { describeState } from '../../server/results/index.js'
import type { CaptureRecord } from './capture-record.js'
import { fileName } from './file-name.js'
import { writeWholeFile } from './write-whole-file.js'

/** What is captured of each page. */
export interface CaptureRequest {
  /** The parameters, without `url`. */
  parameters: Readonly<Record<string, unknown>>
  /** Which image is written. Default: none, results alone. */
  field: ImageField | undefined
  variant: ImageRequest
}

export interface CaptureUrlOptions {
  source: PreviewSource
  request: CaptureRequest
  /** An existing folder. */
  outDir: string
  signal: AbortSignal
}

const MAX_TITLE_CHARS = 1_000
const MAX_DESCRIPTION_CHARS = 5_000
const MAX_WARNINGS = 20
const MAX_WARNING_CHARS = 500

/** @returns  Hexadecimal; a URL that is none has a key too. */
export function captureKey(url: string, { parameters, field, variant }: CaptureRequest): string {
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
export async function captureUrl(url: string, options: CaptureUrlOptions): Promise<CaptureRecord> {
  const { source, request, outDir, signal } = options
  const key = captureKey(url, request)
  try {
    const { page, image } = await capture(url, { source, request, signal })
    const start = { url, key, date: new Date(page.producedAt).toISOString(), status: 'captured' as const }
    const file = image ? fileName(url, { key, type: image.type }) : null
    if (image && file) await writeWholeFile(join(outDir, file), image.bytes)
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
  { source, request: { parameters, field, variant }, signal }: Pick<CaptureUrlOptions, 'source' | 'request' | 'signal'>,
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
