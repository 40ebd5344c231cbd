import type { Dispatcher } from 'undici'
import type { HostList } from '../../query/help/index.js'
import { isPageError, PageError, type PageQuery, type PageState } from '../../query/index.js'
import type { ByteBudget } from '../budget/index.js'
import type { Browser, Capture, RenderedPage } from '../browser/index.js'
import type { Images } from '../images/index.js'
import type { Guard } from '../network/index.js'
import { readRenderedPage, type DocumentReader, type PageReadResult } from '../page/index.js'
import { redirectsToConsentWall } from '../page-state/index.js'
import { describeState } from './describe-state.js'

/** A page's metadata after its scripts ran, or as fetched where they could not be run. */
export interface PrerenderedReading {
  reading: PageReadResult
  fetchMode: 'fetch' | 'prerender'
  /** What the page showed instead of its content, to the browser too. */
  state: PageState | undefined
  /** Whether the page could not be opened in the browser, or had less time than usual. */
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
  byteBudget: ByteBudget
  /** A capture of the same page; when it contains the HTML, the page is not opened again. */
  capture: Capture | undefined
  /** Milliseconds until the timeout of the request. */
  remainingMs: number
  /** The client that the page is read for. */
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

/** Whether the requested metadata is only in the DOM that the page's scripts build, or behind a wall that a browser may pass. */
export const needsPrerender = ({ meta, javascript }: PageQuery, fetched: PageReadResult): boolean =>
  meta !== false && (fetchedState(fetched) !== undefined || (javascript !== false && fetched.lacksMetadata))

/** What the page shows in place of its content where no browser opens it. */
const fetchedState = ({ isBotCheck, isConsentWall }: PageReadResult): PageState | undefined =>
  isBotCheck ? 'bot-check' : isConsentWall ? 'consent' : undefined

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
  try {
    const rendered = await renderedPage(query, options)
    const { state, isProvisional, isCutShort } = rendered
    const fetchedOnly = { reading: fetched, fetchMode: 'fetch', state, isProvisional, isCutShort } as const
    // The plain fetch succeeded, so an error status for the browser means that the site refuses browsers.
    const isRefused = rendered.statusCode >= 400 && fetched.statusCode < 400
    // A blank screen, and a consent wall at the address of the page, do not replace the page's own document.
    const isConsentWallOfPage = state === 'consent' && !redirectsToConsentWall(query.url, rendered.url)
    const isOwnDocument = !state || state === 'blank' || isConsentWallOfPage
    if (!isOwnDocument && (!isRefused || fetchedState(fetched) || options.capture)) return fetchedOnly
    if (isRefused)
      throw new PageError('EUNREACHABLE', `The page responds to the browser with status ${rendered.statusCode}.`)
    const reading = await readRendered(rendered, fetched, query, options)
    return { ...fetchedOnly, reading, fetchMode: 'prerender' }
  } catch (error) {
    options.signal.throwIfAborted()
    if (!isPageError(error) || error.code === 'EINVALQUERY') throw error
    return { ...withoutBrowser(fetched, error), fetchMode: 'fetch', isProvisional: true, isCutShort: false }
  }
}

async function readRendered(
  { html, url, statusCode, warnings, timings }: RenderedPage,
  fetched: PageReadResult,
  query: PageQuery,
  { guard, dispatcher, documents, images, byteBudget, client, signal }: PrerenderOptions,
): Promise<PageReadResult> {
  const page = { ...fetched, url, timings: { ...fetched.timings, ...timings } }
  // The status of the fetched document is that of the bot check or consent wall.
  const passed = fetchedState(fetched) ? { ...page, statusCode } : page
  const context = { guard, dispatcher, documents, images, byteBudget, client, signal }
  const reading = await readRenderedPage(html, passed, query, context)
  return { ...reading, headers: fetched.headers, warnings: [...reading.warnings, ...warnings] }
}

function withoutBrowser(
  fetched: PageReadResult,
  { message }: PageError,
): Pick<PrerenderedReading, 'reading' | 'state'> {
  const state = fetchedState(fetched)
  const warning = state
    ? `Without a browser, the page ${describeState(state)}, and the browser could not open it: ${message}`
    : `The page has no metadata without its scripts, and they could not be run: ${message}`
  return { reading: { ...fetched, warnings: [...fetched.warnings, warning] }, state }
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
