import type { Dispatcher } from 'undici'
import { isPageError, PageError, type PageQuery } from '../../query/index.js'
import type { Browser, Capture } from '../browser/index.js'
import type { Guard } from '../network/index.js'
import { readRenderedPage, lacksMetadata, type PageReadResult } from '../page/index.js'

/** What is known of a page after its scripts have run, if that was needed. */
export interface ScriptedReading {
  reading: PageReadResult
  fetchMode: 'fetch' | 'prerender'
  /** Whether the scripts would have been needed, but could not be run. */
  isProvisional: boolean
}

export interface ScriptedReadingOptions {
  guard: Guard
  dispatcher: Dispatcher
  browser: Browser
  /** Of the same page: then it need not be opened again. */
  capture: Capture | undefined
  /** Milliseconds until the whole answer is due. */
  leftMs: number
  signal: AbortSignal
}

const MAX_RENDER_MS = 10_000
/** What is left after it is for the addresses that the rendered page names. */
const RENDER_SHARE = 0.6

/** Whether the metadata that a query wants comes from the document that the scripts of the page make. */
export const needsScripts = ({ meta, javascript }: PageQuery, reading: PageReadResult): boolean =>
  meta !== false && javascript !== false && lacksMetadata(reading)

/**
 * Reads a page that says nothing without its scripts once more, as they have made it. When that fails what was fetched stays,
 * with a warning.
 *
 * @throws  {PageError} `EINVALQUERY` for a word that only the browser understands; an aborted `signal` throws its own reason.
 */
export async function readWithScripts(
  fetched: PageReadResult,
  query: PageQuery,
  { guard, dispatcher, browser, capture, leftMs, signal }: ScriptedReadingOptions,
): Promise<ScriptedReading> {
  if (!needsScripts(query, fetched)) return { reading: fetched, fetchMode: 'fetch', isProvisional: false }
  try {
    const deadlineMs = Math.min(MAX_RENDER_MS, leftMs * RENDER_SHARE)
    const { html, url, statusCode, warnings, timings } =
      capture?.html === undefined
        ? await browser.render(query, { signal, deadlineMs })
        : { ...capture, html: capture.html, warnings: [] }
    if (statusCode >= 400 && fetched.statusCode < 400)
      throw new PageError('EUNREACHABLE', `The page answers the browser with status ${statusCode}.`)
    const page = { ...fetched, url, timings: { ...fetched.timings, ...timings } }
    const reading = await readRenderedPage(html, page, query, { guard, dispatcher, signal })
    const all = [...reading.warnings, ...warnings]
    return { reading: { ...reading, warnings: all }, fetchMode: 'prerender', isProvisional: false }
  } catch (error) {
    signal.throwIfAborted()
    if (!isPageError(error) || error.code === 'EINVALQUERY') throw error
    const warning = `The page says nothing without its scripts, and they could not be run: ${error.message}`
    return {
      reading: { ...fetched, warnings: [...fetched.warnings, warning] },
      fetchMode: 'fetch',
      isProvisional: true,
    }
  }
}
