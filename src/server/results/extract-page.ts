import prettyBytes from 'pretty-bytes'
import type { Dispatcher } from 'undici'
import { fields, type PageQuery } from '../../query/index.js'
import { resolveDevice, type Browser } from '../browser/index.js'
import type { ExtractionResult } from './extraction-result.js'
import type { Guard } from '../network/index.js'
import { readPage, type PageReadResult } from '../page/index.js'
import { needsScripts, readWithScripts } from './read-with-scripts.js'
import type { ImageName, Store } from '../store/index.js'

/** Where the parts of an answer come from. */
export interface ExtractionContext {
  guard: Guard
  dispatcher: Dispatcher
  browser: Browser
  store: Store
}

/** Of the time for the whole: so a capture that is late can still say whether the page or the browser was. */
const CAPTURE_SHARE = 0.9

/**
 * Makes the answer to one query: the page is read and captured at the same time; the first failure ends both. A page that
 * says nothing without its scripts is read once more with them.
 *
 * @returns  The answer, and the kept images that it names.
 * @throws   {PageError} `EINVALQUERY` for an unknown device, and whatever the page, the network guard or the browser says.
 */
export async function extractPage(
  query: PageQuery,
  { guard, dispatcher, browser, store }: ExtractionContext,
  { signal }: { signal: AbortSignal },
): Promise<{ answer: ExtractionResult; images: ImageName[] }> {
  // Refused also where no browser is needed.
  resolveDevice(query)
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  const orEndBoth = (error: unknown): never => {
    failure.abort(error)
    throw error
  }
  const startedAt = performance.now()
  const timeoutMs = Number(query.timeout ?? fields.timeout.default)
  let fetched: PageReadResult | undefined
  const fetching = readPage(query, { guard, dispatcher, signal: either }).then((reading) => (fetched = reading))
  const wantsHtml = () => query.meta !== false && (!fetched || needsScripts(query, fetched))
  const [first, capture] = await Promise.all([
    fetching.catch(orEndBoth),
    query.screenshot
      ? browser.capture(query, { signal: either, wantsHtml, deadlineMs: timeoutMs * CAPTURE_SHARE }).catch(orEndBoth)
      : undefined,
  ])
  const leftMs = timeoutMs - (performance.now() - startedAt)
  const scripted = await readWithScripts(first, query, { guard, dispatcher, browser, capture, leftMs, signal })

  const { data, statusCode, headers, redirects, warnings, timings } = scripted.reading
  const answer: ExtractionResult = {
    data,
    statusCode,
    headers,
    redirects,
    warnings: [...warnings, ...(capture?.warnings ?? [])],
    fetchMode: query.meta === false ? 'skipped' : scripted.fetchMode,
    timings: { ...timings, ...capture?.timings },
    ...(scripted.isProvisional && { isProvisional: true }),
  }
  if (!capture) return { answer, images: [] }

  const image = await store.writeImage(capture.bytes, capture.type)
  const { type, width, height, palette } = capture
  const size = capture.bytes.byteLength
  const screenshot = {
    image,
    width,
    height,
    type,
    size,
    size_pretty: prettyBytes(size),
    background_color: capture.backgroundColor,
  }
  return { answer: { ...answer, screenshot: palette ? { ...screenshot, palette } : screenshot }, images: [image] }
}
