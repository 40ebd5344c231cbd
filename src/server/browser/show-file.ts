import type { Protocol } from 'puppeteer-core'
import { fileKind, parseContentType, type FileView } from '../page/index.js'
import { isTransparent } from './emulation.js'
import { adoptSheet } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { runUnlessReplaced } from './run-in-page.js'
import type { Visit } from './visit.js'

/** Chromium shows images on black in every theme. */
const IMAGE_STYLES = ':root{color-scheme:light dark}body{background:Canvas!important}img{background:none!important}'
const TRANSPARENT_IMAGE_STYLES = 'body,img{background:none!important}'
/** Nothing in a file is loaded or run. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
/** A text that is longer than what is shown may still be arriving. */
const MAX_QUIET_WAIT_MS = 500
const FILE_PARAMETERS = ['element', 'click', 'waitForSelector', 'waitForTimeout', 'scroll', 'styles'] as const

/**
 * Shows a file in its own place, after the browser has found out that the URL leads to one: a PDF, which headless Chromium would
 * download, and text, JSON and XML, whose viewers are made for developers. Other documents stay as they are.
 */
export async function showFile(visit: Visit): Promise<void> {
  const { frame, file, page, query } = visit
  if (file) file.shown = undefined
  const document = frame.document()
  const contentType = parseContentType(document?.headers['content-type'])
  const isDownload = frame.failure()?.reason === 'net::ERR_ABORTED'
  if (/^image\/(?!svg)/.test(contentType))
    await runUnlessReplaced(page, adoptSheet, isTransparent(query) ? TRANSPARENT_IMAGE_STYLES : IMAGE_STYLES)
  const isFile = isDownload || (document && document.statusCode < 300 && fileKind(contentType, document.url))
  const view = isFile ? await file?.view() : undefined
  if (!file || !view) return
  file.shown = view
  await replaceDocument(visit, view)
}

/** Whether a visit shows the picture of a file, in which there are no elements. */
export const isPictureOfFile = ({ file }: Visit): boolean => file?.shown?.isPicture === true

/** Warns of parameters that concern the elements of a page, of which the picture of a file has none. */
export function warnOfFile({ query, warnings }: Visit): void {
  const ignored = FILE_PARAMETERS.filter((name) => query[name] !== undefined)
  if (ignored.length > 0)
    warnings.add(`The page is a PDF, whose first page is shown; ${ignored.join(', ')} had no effect.`)
}

/** Opens the URL of the file again, and responds in its place. No other request of this document is sent but for `styles`. */
async function replaceDocument({ page, frame, query, allowedHosts }: Visit, { html }: FileView): Promise<void> {
  const { session, frameId } = page
  const previous = frame.document()
  // With its fragment, Chromium would only scroll.
  const url = new URL(previous?.url ?? frame.failure()?.url ?? query.url)
  url.hash = ''
  const respond = ({ requestId, request, resourceType, frameId: frame }: Protocol.Fetch.RequestPausedEvent) => {
    if (resourceType === 'Document' && frame === frameId)
      return session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [
          { name: 'content-type', value: 'text/html; charset=utf-8' },
          { name: 'content-security-policy', value: POLICY },
        ],
        body: Buffer.from(html).toString('base64'),
      })
    const isStyle = resourceType === 'Stylesheet' && allowedHosts?.allows(request.url) !== false
    if (isStyle) return session.send('Fetch.continueRequest', { requestId })
    return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  }
  // The end of a request whose document is gone is not always reported, and would be waited for.
  await frame.waitUntil(
    () => frame.isQuietFor(0),
    atMost(MAX_QUIET_WAIT_MS, () => Infinity),
  )
  session.removeAllListeners('Fetch.requestPaused')
  // Fails only when the request or the page is gone.
  session.on('Fetch.requestPaused', (paused) => void respond(paused).catch(() => undefined))
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await session.send('Page.navigate', { url: url.href })
  await frame.waitUntil(() => frame.document() !== previous && frame.document()?.loaderId !== previous?.loaderId)
}
