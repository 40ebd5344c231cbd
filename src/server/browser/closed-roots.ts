import { withinTime } from './abortable.js'
import { findClosedHosts, rememberRoot } from './in-page/closed-hosts.js'
import type { OpenPage } from './open-page.js'
import { runInPage, WORLD_NAME } from './run-in-page.js'

type PageWithRoots = Pick<OpenPage, 'session' | 'frameId'>

const TIMEOUT_MS = 500
/** Closed shadow roots in each other. */
const MAX_LEVELS = 4

/**
 * Opens the closed shadow roots of elements for the scripts of the service: no script can reach them, but DevTools can.
 *
 * @param hosts  How many elements a script has left in the `closedHosts` of its world; some may have no shadow root.
 * @returns      How many roots there were; 0 if the browser does not respond in time.
 */
export async function openClosedRoots(page: PageWithRoots, hosts: number, signal: AbortSignal): Promise<number> {
  if (hosts === 0) return 0
  const opened = await withinTime(openAll(page, hosts), { timeoutMs: TIMEOUT_MS, signal }).catch(() => 0)
  signal.throwIfAborted()
  return opened
}

/** Opens the closed shadow roots around what is in the centre of the viewport. */
export async function openRootsInCentre(page: PageWithRoots, signal: AbortSignal): Promise<void> {
  for (let level = 0; level < MAX_LEVELS; level++) {
    const hosts = await runInPage(page, findClosedHosts)
    if ((await openClosedRoots(page, hosts, signal)) === 0) return
  }
}

async function openAll({ session, frameId }: PageWithRoots, count: number): Promise<number> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD_NAME })
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
  const indices = Array.from({ length: count }, (_, index) => index)
  return (await Promise.all(indices.map(open))).filter(Boolean).length
}
