import type { AdBlocker } from './ad-blocker.js'
import { coversPage, isOverlay } from '../page-state/index.js'
import { withinTime } from './abortable.js'
import { hideLayers, observeLayers, rememberRoot, type LayerReport } from './in-page/observe-layers.js'
import { adoptSheet } from './in-page/page-scripts.js'
import type { OpenPage } from './open-page.js'
import { DocumentReplacedError, runInPage } from './run-in-page.js'
import type { Visit } from './visit.js'

const LIMITS = { maxLayers: 16, maxNodes: 3_000, maxTextChars: 4_001, enoughChars: 8_000 }
const MAX_CLOSED_ROOTS = 3
const CLOSED_ROOT_TIMEOUT_MS = 500

/** What it needs of a visit. */
interface VisitedDocument extends Pick<Visit, 'query' | 'signal'> {
  page: Pick<OpenPage, 'session' | 'frameId'>
  frame: { document(): { url: string } | undefined }
  adBlocker: Pick<AdBlocker, 'selectorsFor'> | undefined
}

/**
 * Hides what covers a page that can be read behind it: consent banners, newsletters, login sheets, banners of apps, buttons of chats.
 * Known ones are hidden by their selectors, now and later; others are judged by what they show. Unlocks scrolling. What the
 * request names stays.
 */
export async function hideOverlays(visit: VisitedDocument): Promise<void> {
  try {
    await hideOverlaysNow(visit)
  } catch (error) {
    visit.signal.throwIfAborted()
    if (error instanceof DocumentReplacedError) throw error
    // The page is captured with what covers it, if it makes a script of the service fail.
  }
}

async function hideOverlaysNow(visit: VisitedDocument): Promise<void> {
  const { page, frame, adBlocker } = visit
  if (!adBlocker) return
  const { url } = frame.document()!
  const known = adBlocker.selectorsFor(url)
  // One rule per selector, so that an invalid selector does not affect the others.
  await runInPage(page, adoptSheet, known.map((selector) => `${selector}{display:none!important}`).join(''))
  const report = await observe(visit, known)
  const overlays = [...report.layers.entries()].filter(([, layer]) => isOverlay(layer, { ...report, url }))
  const isCover = report.hasKnownBanner || overlays.some(([, layer]) => coversPage(layer))
  if (!isCover && !overlays.length) return
  await runInPage(
    page,
    hideLayers,
    overlays.map(([index]) => index),
    isCover,
  )
}

async function observe({ page, query, signal }: VisitedDocument, known: readonly string[]): Promise<LayerReport> {
  const { element, click, scroll, waitForSelector } = query
  const requested = [element, click, scroll, waitForSelector].flat().filter((selector) => selector !== undefined)
  const options = { ...LIMITS, requested, known }
  const report = await runInPage(page, observeLayers, options)
  if (report.closedHosts === 0) return report
  const opening = openClosedRoots(page, report.closedHosts)
  const opened = await withinTime(opening, { timeoutMs: CLOSED_ROOT_TIMEOUT_MS, signal }).catch(() => 0)
  signal.throwIfAborted()
  return opened > 0 ? runInPage(page, observeLayers, options) : report
}

/**
 * Scripts cannot reach closed shadow roots, but DevTools can. @param count  Of the hosts that `observeLayers` has found.
 * @returns  How many roots there were.
 */
async function openClosedRoots({ session, frameId }: VisitedDocument['page'], count: number): Promise<number> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'page-preview' })
  const open = async (index: number): Promise<boolean> => {
    const expression = `globalThis.pagePreview.closedHosts[${index}]`
    const { result } = await session.send('Runtime.evaluate', { expression, contextId: executionContextId })
    if (!result.objectId) return false
    const { node } = await session.send('DOM.describeNode', { objectId: result.objectId, depth: 0, pierce: false })
    const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed')
    if (!root) return false
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: root.backendNodeId, executionContextId })
    await session.send('Runtime.callFunctionOn', {
      functionDeclaration: rememberRoot.toString(),
      executionContextId,
      arguments: [{ objectId: object.objectId! }],
    })
    return true
  }
  const indices = Array.from({ length: Math.min(count, MAX_CLOSED_ROOTS) }, (_, index) => index)
  return (await Promise.all(indices.map(open))).filter(Boolean).length
}
