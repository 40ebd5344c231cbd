import { withinTime } from './abortable.js'
import { measureElement, reachElement, type Edges, type Reached } from './in-page/capture-area.js'
import { edgesInPage, framesIn, mainFrameOf, type PageFrame } from './page-frames.js'
import { runUnlessReplaced } from './run-in-page.js'
import type { Visit } from './visit.js'

/** An element of the page, or of one of its frames. */
export interface PageElement {
  frame: PageFrame
  selector: string
  /** CSS pixels that scroll out of sight in it, and could not be shown. */
  hiddenHeight: number
  /** Whether it has been made taller to show what scrolls in it. */
  isExpanded: boolean
}

type Search = { state: 'invalid' | 'missing' | 'hidden' | 'empty' } | { state: 'found'; element: PageElement }

/** The process of a frame may be busy; expanding a list takes a while. */
const FRAME_TIMEOUT_MS = 3_000
/** Frames are searched again after so many times as long as the last search of them took, because there may be dozens. */
const FRAME_SEARCH_PAUSE = 8
const MIN_FRAME_SEARCH_PAUSE_MS = 400
/** Heights of the viewport that an element may grow to. */
export const MAX_VIEWPORTS = 64

type Use = 'capture' | 'click' | 'scroll'

/**
 * Finds an element in the document, in its open shadow roots, or else in its frames, and scrolls it into view. Called again until the
 * element appears.
 *
 * @param isLast  Whether frames are searched in any case. Default: not again right after they were.
 */
export type ElementSearch = (isLast?: boolean) => Promise<Search>

/** @param use  See `reachElement`. */
export function searchElement(visit: Visit, selector: string, use: Use): ElementSearch {
  const { page, device } = visit
  const maxHeight = MAX_VIEWPORTS * device.height
  const main = mainFrameOf(page)
  let inFrames: Search = { state: 'missing' }
  let nextAt = 0
  return async (isLast = false) => {
    const reached = await runUnlessReplaced(main, reachElement, selector, use, maxHeight)
    // The document is being replaced; the next search examines the new one.
    if (!reached) return { state: 'missing' }
    if (reached.state !== 'missing') return searchOf(reached, main, selector)
    const startedAt = performance.now()
    if (startedAt < nextAt && !isLast && inFrames.state !== 'found') return inFrames
    inFrames = await findInFrames(visit, selector, { use, maxHeight })
    const now = performance.now()
    nextAt = now + Math.max(MIN_FRAME_SEARCH_PAUSE_MS, FRAME_SEARCH_PAUSE * (now - startedAt))
    return inFrames
  }
}

async function findInFrames(
  { page, signal }: Visit,
  selector: string,
  { use, maxHeight }: { use: Use; maxHeight: number },
): Promise<Search> {
  const { frames } = await framesIn(page, signal)
  const searches = frames.map(async (frame): Promise<Search> => {
    const reaching = runUnlessReplaced(frame, reachElement, selector, use, maxHeight)
    const inFrame = await withinTime(reaching, { timeoutMs: FRAME_TIMEOUT_MS, signal }).catch(() => undefined)
    return inFrame ? searchOf(inFrame, frame, selector) : { state: 'missing' }
  })
  const found = await Promise.all(searches)
  signal.throwIfAborted()
  return (
    found.find(({ state }) => state === 'found') ??
    found.find(({ state }) => state !== 'missing') ?? { state: 'missing' }
  )
}

const searchOf = (reached: Reached, frame: PageFrame, selector: string): Search =>
  reached.state === 'found' ? { state: 'found', element: { ...reached, frame, selector } } : reached

/**
 * Where an element is in the viewport, without what elements and frames around it cut off.
 *
 * @param isScrolled  Whether frames around it are scrolled into view.
 * @returns           `undefined` if it is gone.
 */
export async function edgesOf(
  { frame, selector }: PageElement,
  isScrolled = false,
): Promise<(Edges & { isCut: boolean }) | undefined> {
  const edges = await runUnlessReplaced(frame, measureElement, selector)
  if (!edges || !frame.parent) return edges
  // Fails only when one of the frames is gone.
  const inPage = await edgesInPage(frame, edges, isScrolled).catch(() => undefined)
  return inPage && { ...inPage, isCut: edges.isCut }
}
