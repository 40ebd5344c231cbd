// Closed shadow roots, which `closed-roots.ts` opens for the scripts of the service. The isolated world keeps them between its scripts,
// whose functions cannot be imported from each other's files.
import type { PageScript } from './page-script.js'

export interface OpenedRoots {
  /** Elements that may have a closed shadow root. */
  closedHosts?: Element[]
  /** Closed shadow roots that the service has opened, by their hosts. */
  openedRoots?: WeakMap<Element, ShadowRoot>
}

/** Leaves what may have a closed shadow root around the centre of the viewport in `closedHosts`. @returns How many. */
export const findClosedHosts: PageScript<[], number> = { run: findHosts, helpers: [shadowOf] }

function findHosts(): number {
  const MAX_HOSTS = 12
  const MAY_HAVE_ROOT = /-|^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/
  const world = globalThis as { pagePreview?: OpenedRoots }
  const kept = (world.pagePreview ??= {})
  const [x, y] = [innerWidth / 2, innerHeight / 2]
  let hit = document.elementFromPoint(x, y)
  for (let root = hit && shadowOf(hit); root; root = hit && shadowOf(hit)) {
    const inner: Element | null = root.elementFromPoint(x, y)
    if (!inner || inner === hit || inner.getRootNode() !== root) break
    hit = inner
  }
  const hosts: Element[] = []
  for (let each = hit; each && hosts.length < MAX_HOSTS;) {
    if (!shadowOf(each) && MAY_HAVE_ROOT.test(each.localName)) hosts.push(each)
    const root: Node = each.getRootNode()
    each = each.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  }
  kept.closedHosts = hosts
  return hosts.length
}

function shadowOf(element: Element): ShadowRoot | null {
  const { openedRoots } = (globalThis as { pagePreview?: OpenedRoots }).pagePreview ?? {}
  return element.shadowRoot ?? openedRoots?.get(element) ?? null
}

/** Makes a closed shadow root readable for scripts of the service. */
export function rememberRoot(root: ShadowRoot): void {
  const world = globalThis as { pagePreview?: OpenedRoots }
  const kept = (world.pagePreview ??= {})
  kept.openedRoots ??= new WeakMap()
  kept.openedRoots.set(root.host, root)
}
