import { isPageError } from '../../query/index.js'
import { IncomparableError, type Histories, type NewCapture } from '../history/index.js'
import type { RequestScope } from '../request-scope.js'
import type { CacheEntry } from '../store/index.js'
import type { Extraction, Extractor } from './extract-page.js'
import type { ExtractionResult } from './extraction-result.js'

/** Left of the time of the request for the response. */
const RESERVED_MS = 1_500
/** The metadata of a twin is not used. */
const UNUSED = {
  meta: false,
  ping: false,
  palette: undefined,
  markdown: undefined,
  text: undefined,
  candidates: undefined,
  explain: undefined,
} as const

/** A new result as far as its history depends on it. */
interface NewResult {
  key: string
  extraction: Extraction
  /** As it will be stored. */
  result: ExtractionResult
  /** Milliseconds since 1970. */
  createdAt: number
  /** Reading of `performance.now()` when the work began. */
  startedAt: number
  marks: Pick<CacheEntry, 'owner' | 'allowances' | 'lastPurge' | 'subjects'>
}

/**
 * Adds a new result to the history of its page. Where it differs from the result before, the page is captured a few more times, which
 * counts as work of the caller.
 *
 * @param isKept  Whether it becomes the result of its page; otherwise it is not compared.
 * @returns  The result with the history, and with a warning if it could not be compared.
 * @throws   The reason of the scope's `signal`, and errors of the store.
 */
export async function addToHistory(
  { key, extraction, result, createdAt, startedAt, marks }: NewResult,
  { isKept }: { isKept: boolean },
  scope: RequestScope,
  { histories, extractor }: { histories: Histories; extractor: Extractor },
): Promise<ExtractionResult> {
  const { signal } = scope
  const name = result.screenshot?.image
  if (!name || !isKept) return { ...result, history: (await histories.read(key)) ?? null }
  const durationMs = performance.now() - startedAt
  const endsAt = startedAt + scope.timeoutMs - RESERVED_MS
  const takeTwin = async (clockAheadMs: number) => {
    const timeoutMs = endsAt - performance.now()
    if (timeoutMs < durationMs) throw new IncomparableError('took too long to be captured several times')
    const parsed = scope.parsed.with(UNUSED)
    try {
      await scope.consumeQuota('page')
      const twin = await extractor.extract({ ...scope, parsed, query: parsed.query, timeoutMs, clockAheadMs })
      return comparedCapture(twin)
    } catch (error) {
      signal.throwIfAborted()
      if (!isPageError(error)) throw error
      throw new IncomparableError(`could not be captured several times (${error.message.replace(/\.$/, '')})`)
    }
  }
  try {
    const options = { takeTwin, client: scope.client, signal, marks }
    const title = result.data.title ?? null
    const newCapture: NewCapture = { ...comparedCapture(extraction), name, title, capturedAt: createdAt }
    return { ...result, history: await histories.add(key, newCapture, options) }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof IncomparableError)) throw error
    const warning = `The page ${error.message}, so whether it has changed is found out with its next capture.`
    return {
      ...result,
      history: (await histories.read(key)) ?? null,
      warnings: [...result.warnings, warning],
    }
  }
}

/** @throws  {IncomparableError} */
function comparedCapture({ result: { screenshot }, image, blocks }: Extraction) {
  if (!screenshot?.area || !image) throw new IncomparableError('did not show its content each time')
  if (!blocks) throw new IncomparableError('did not respond in time after its screenshot')
  const { width, height, area } = screenshot
  return { image, width, height, area, blocks }
}
