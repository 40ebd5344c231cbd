import type { Dispatcher } from 'undici'
import type { HostList } from '../../query/help/index.js'
import { isPageError, PageError, type PageQuery } from '../../query/index.js'
import type { Browser, Capture, RenderedPage } from '../browser/index.js'
import type { Images } from '../images/index.js'
import type { Guard } from '../network/index.js'
import { readRenderedPage, type DocumentReader, type PageReadResult } from '../page/index.js'

/** A page's metadata after its scripts ran, or as fetched where they could not be run. */
export interface PrerenderedReading {
  reading: PageReadResult
  fetchMode: 'fetch' | 'prerender'
  /** Whether the scripts could not be run. */
  isProvisional: boolean
  /** Whether the page had not loaded when its time was up. */
  isCutShort: boolean
}

export interface PrerenderOptions {
  guard: Guard
  dispatcher: Dispatcher
  documents: DocumentReader
  browser: Browser
  images: Images
  /** A capture of the same page; when it contains the HTML, the page is not opened again. */
  capture: Capture | undefined
  /** Milliseconds until the timeout of the request. */
  remainingMs: number
  /** Whoever the page is read for. */
  client: string
  /** Whether the browser opens the page before those without priority. */
  hasPriority: boolean
  signal: AbortSignal
  /** The hosts of the page and its navigations; `undefined`: every host. */
  allowHosts: HostList | undefined
}

const MAX_RENDER_MS = 10_000
/** The rest of the remaining time is for pinging the URLs that the rendered page names. */
const RENDER_SHARE = 0.6

/** Whether the requested metadata is only in the DOM that the page's scripts build. */
export const needsPrerender = ({ meta, javascript }: PageQuery, reading: PageReadResult): boolean =>
  meta !== false && javascript !== false && reading.lacksMetadata

/**
 * Reads the metadata of a page from its DOM after its scripts ran. When that fails, the fetched metadata is used, with a
 * warning.
 *
 * @throws  {PageError} `EINVALQUERY` for an option that only the browser can validate. An aborted `signal` throws its reason.
 */
export async function prerender(
  fetched: PageReadResult,
  query: PageQuery,
  options: PrerenderOptions,
): Promise<PrerenderedReading> {
  const { guard, dispatcher, documents, images, client, signal } = options
  try {
    const { html, url, statusCode, warnings, timings, isCutShort } = await renderedPage(query, options)
    if (statusCode >= 400 && fetched.statusCode < 400)
      throw new PageError('EUNREACHABLE', `The page responds to the browser with status ${statusCode}.`)
    const page = { ...fetched, url, timings: { ...fetched.timings, ...timings } }
    const reading = await readRenderedPage(html, page, query, {
      guard,
      dispatcher,
      documents,
      images,
      client,
      signal,
    })
    return {
      reading: { ...reading, warnings: [...reading.warnings, ...warnings] },
      fetchMode: 'prerender',
      isProvisional: false,
      isCutShort,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!isPageError(error) || error.code === 'EINVALQUERY') throw error
    const warning = `The page has no metadata without its scripts, and they could not be run: ${error.message}`
    return {
      reading: { ...fetched, warnings: [...fetched.warnings, warning] },
      fetchMode: 'fetch',
      isProvisional: true,
      isCutShort: false,
    }
  }
}

async function renderedPage(
  query: PageQuery,
  { browser, capture, remainingMs, client, hasPriority, signal, allowHosts }: PrerenderOptions,
): Promise<RenderedPage> {
  // The warnings of a capture are added to the result with the screenshot.
  if (capture?.html !== undefined) return { ...capture, html: capture.html, warnings: [] }
  return browser.render(query, {
    client,
    hasPriority,
    signal,
    allowHosts,
    timeoutMs: Math.min(MAX_RENDER_MS, remainingMs * RENDER_SHARE),
  })
}
