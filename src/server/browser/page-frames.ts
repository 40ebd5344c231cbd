import type { CDPSession, Protocol } from 'puppeteer-core'
import { withinTime } from './abortable.js'
import { measureFrame, type Edges } from './in-page/capture-area.js'
import type { PageScript } from './in-page/page-script.js'
import type { OpenPage } from './open-page.js'
import { textOf, WORLD_NAME } from './run-in-page.js'

/** A frame of a page. Frames of other sites have their own sessions. */
export interface PageFrame extends Pick<OpenPage, 'session' | 'frameId'> {
  /** `undefined` for the main frame. */
  parent: PageFrame | undefined
  /** `undefined` if it is not known. */
  origin?: string
}

/** A page that has more is not searched further. */
const MAX_FRAMES = 50
/** The process of a frame may be busy. */
const FRAME_TIMEOUT_MS = 1_000

export const mainFrameOf = ({ session, frameId }: OpenPage): PageFrame => ({ session, frameId, parent: undefined })

/**
 * The frames in the main frame, at any depth, outer ones first. Those that do not respond in time are left out.
 *
 * @returns  `areAll`: whether the page has no more of them than are searched.
 */
export async function framesIn(page: OpenPage, signal: AbortSignal): Promise<{ frames: PageFrame[]; areAll: boolean }> {
  const { sessions: all } = page.setups
  const sessions = [...all].slice(0, MAX_FRAMES)
  const trees = await Promise.all(sessions.map((session) => frameTreeOf(session, signal)))
  const found = trees.flatMap((tree, index) =>
    tree ? flatten(tree).map((frame) => ({ frame, session: sessions[index]! })) : [],
  )
  const main = mainFrameOf(page)
  const origin = found.find(({ frame }) => frame.id === page.frameId)?.frame.securityOrigin
  const byId = new Map<string, PageFrame>([[page.frameId, origin === undefined ? main : { ...main, origin }]])
  const frames: PageFrame[] = []
  // A parent is known before its children: each round adds one level.
  for (let added = -1; added !== 0 && frames.length < MAX_FRAMES;) {
    added = 0
    for (const { frame, session } of found) {
      const parent = byId.get(frame.parentId ?? '')
      if (!parent || byId.has(frame.id)) continue
      const child = { session, frameId: frame.id, parent, origin: originOf(frame, parent) }
      byId.set(frame.id, child)
      frames.push(child)
      added++
    }
  }
  return { frames, areAll: all.size <= MAX_FRAMES && frames.length <= MAX_FRAMES }
}

/** Documents without a URL of their own have the origin of the frame around them. */
const originOf = ({ url, securityOrigin }: Protocol.Page.Frame, parent: PageFrame): string =>
  url.startsWith('about:') && parent.origin !== undefined ? parent.origin : securityOrigin

/** Whether a frame has another origin than the page, and the frames around it have not. */
export function isForeign({ origin, parent }: PageFrame): boolean {
  return parent !== undefined && origin !== parent.origin && isOfPage(parent)
}

const isOfPage = ({ origin, parent }: PageFrame): boolean => !parent || (origin === parent.origin && isOfPage(parent))

/** Fails for workers, and for frames that are gone. */
async function frameTreeOf(session: CDPSession, signal: AbortSignal): Promise<Protocol.Page.FrameTree | undefined> {
  try {
    const { frameTree } = await withinTime(session.send('Page.getFrameTree'), { timeoutMs: FRAME_TIMEOUT_MS, signal })
    return frameTree
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

const flatten = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): Protocol.Page.Frame[] => [
  frame,
  ...childFrames.flatMap(flatten),
]

/**
 * Where edges in a frame are in the viewport of the main frame, without what frames cut off.
 *
 * @param isScrolled  Whether frames are scrolled into view.
 */
export async function edgesInPage(frame: PageFrame, edges: Edges, isScrolled: boolean): Promise<Edges> {
  if (!frame.parent) return edges
  const { x, y, ...content } = await runOnFrameElement(frame, measureFrame, isScrolled)
  const shifted = {
    left: Math.max(content.left, edges.left + x),
    top: Math.max(content.top, edges.top + y),
    right: Math.min(content.right, edges.right + x),
    bottom: Math.min(content.bottom, edges.bottom + y),
  }
  return edgesInPage(frame.parent, shifted, isScrolled)
}

/** Runs a script with the element of a frame, in the frame around it. Fails when one of them is gone. */
export async function runOnFrameElement<Args extends unknown[], Result>(
  { frameId, parent }: PageFrame,
  script: PageScript<[frame: never, ...Args], Result>,
  ...args: Args
): Promise<Result> {
  if (!parent) throw new Error('The main frame is in no element.')
  const { session } = parent
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId })
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: parent.frameId,
    worldName: WORLD_NAME,
  })
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId })
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: `(...args) => ${textOf(script)}(...args)`,
    executionContextId,
    arguments: [{ objectId: object.objectId }, ...args.map((value) => ({ value }))],
    returnByValue: true,
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}
