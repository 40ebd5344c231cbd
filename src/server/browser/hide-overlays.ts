import type { AdBlocker } from './ad-blocker.js'
import type { ExplainedLayer } from '../../query/index.js'
import { coversPage, judgeLayer, type ObservedLayer } from '../page-state/index.js'
import { openClosedRoots } from './closed-roots.js'
import { hideLayers, observeLayers, type LayerReport } from './in-page/observe-layers.js'
import type { OpenPage } from './open-page.js'
import { DocumentReplacedError, runInPage } from './run-in-page.js'
import type { Visit } from './visit.js'

const LIMITS = { maxLayers: 16, maxNodes: 3_000, maxTextChars: 4_001, enoughChars: 8_000 }
const MAX_CLOSED_ROOTS = 3
/** In an explanation. */
const MAX_KNOWN_BANNERS = 8

/** What it needs of a visit. */
interface VisitedDocument extends Pick<Visit, 'query' | 'signal' | 'explainer'> {
  page: Pick<OpenPage, 'session' | 'frameId'>
  frame: { document(): { url: string; loaderId: string } | undefined }
  adBlocker: Pick<AdBlocker, 'selectorsFor'> | undefined
}

/**
 * Hides what covers a page that can be read behind it: consent banners, newsletters, login sheets, banners of apps, buttons of chats.
 * Known ones are hidden by their selectors, now and later; others are judged by what they show. Unlocks scrolling. What the
 * request names stays.
 *
 * @param areKnownHidden  Whether the known ones are hidden already, so that only others are searched, which is faster.
 */
export async function hideOverlays(visit: VisitedDocument, areKnownHidden = false): Promise<void> {
  try {
    await hideOverlaysNow(visit, areKnownHidden)
  } catch (error) {
    visit.signal.throwIfAborted()
    if (error instanceof DocumentReplacedError) throw error
    // The page is captured with what covers it, if it makes a script of the service fail.
  }
}

/** The same for those that have appeared since the page was loaded. One that appears after a click was probably requested. */
export async function hideLateOverlays(visit: VisitedDocument, areKnownHidden = false): Promise<void> {
  if (visit.query.click === undefined) await hideOverlays(visit, areKnownHidden)
}

async function hideOverlaysNow(visit: VisitedDocument, areKnownHidden: boolean): Promise<void> {
  const { page, frame, adBlocker, explainer } = visit
  if (!adBlocker) return
  const { url, loaderId } = frame.document()!
  const known = areKnownHidden ? [] : adBlocker.selectorsFor(url)
  const report = await observe(visit, known)
  const judged = report.layers.map((layer, index) => ({ layer, index, ...judgeLayer(layer, { ...report, url }) }))
  explainer?.setLayers([...report.knownBanners.map(explainBanner), ...judged.map(explainLayer)], loaderId)
  const overlays = judged.filter(({ isHidden }) => isHidden)
  const isCover = report.hasKnownBanner || overlays.some(({ layer }) => coversPage(layer))
  if (!isCover && !overlays.length) return
  await runInPage(
    page,
    hideLayers,
    overlays.map(({ index }) => index),
    isCover,
  )
}

const explainBanner = ({ selector, count, text }: LayerReport['knownBanners'][number]): ExplainedLayer => ({
  element: selector,
  text,
  count,
  isHidden: true,
  reason: 'is on the list of known banners, overlays and places for ads',
})

const explainLayer = ({
  layer,
  isHidden,
  reason,
}: Pick<ExplainedLayer, 'isHidden' | 'reason'> & { layer: ObservedLayer }): ExplainedLayer => ({
  element: layer.names,
  text: layer.text,
  count: 1,
  isHidden,
  reason,
})

async function observe(
  { page, query, signal, explainer }: VisitedDocument,
  known: readonly string[],
): Promise<LayerReport> {
  const { element, click, scroll, waitForSelector } = query
  const requested = [element, click, scroll, waitForSelector].flat().filter((selector) => selector !== undefined)
  const options = { ...LIMITS, requested, known, maxKnownBanners: explainer ? MAX_KNOWN_BANNERS : 0 }
  const report = await runInPage(page, observeLayers, options)
  const opened = await openClosedRoots(page, Math.min(report.closedHosts, MAX_CLOSED_ROOTS), signal)
  return opened > 0 ? runInPage(page, observeLayers, options) : report
}
