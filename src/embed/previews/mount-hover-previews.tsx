import { createRoot } from 'react-dom/client'
import type { PageData } from '../../query/index.js'
import { HoverPreview } from '../../react/index.js'
import { builtinMember } from '../builtin-member.js'
import { attachShadow } from './attach-shadow.js'
import { fetchFrozenData } from './fetch-frozen-data.js'
import type { PreviewContext } from './preview-context.js'
import { previewProps } from './preview-props.js'
import { isWebLink } from './source-link.js'

/** Isolates the host element from the rules and the layout of the page, except for its font. */
const HOST_STYLE = 'all: initial; position: fixed; font: inherit; color: inherit'

/**
 * Mounts a host element at the end of the page for the previews of links that stay as they are, one at a time.
 *
 * @returns  Shows the preview of a link.
 */
export function mountHoverPreviews(context: PreviewContext): (link: Element) => void {
  const host = document.createElement('div')
  host.style.cssText = HOST_STYLE
  const root = createRoot(attachShadow(host, context.sheet))
  const frozenData = new Map<string, PageData>()
  let anchor: HTMLAnchorElement | undefined
  const render = () => {
    if (!anchor) return
    // The preview has the colour scheme of its link, although it is elsewhere in the document.
    const { colorScheme } = getComputedStyle(anchor)
    if (host.style.colorScheme !== colorScheme) host.style.colorScheme = colorScheme
    const { frozen } = anchor.dataset
    // The data of a page that was frozen together with its link; nothing is requested from a service.
    const data = frozen === undefined ? undefined : frozenData.get(frozen)
    root.render(
      <HoverPreview key={anchor.href} {...previewProps(anchor, context)} {...(data && { data })} anchor={anchor} />,
    )
  }
  context.sharedOptions.addEventListener('change', render)
  context.sharedOptions.addEventListener('theme', render)
  const show = (link: HTMLAnchorElement) => {
    if (anchor !== link) return
    if (!host.isConnected) builtinMember(document, 'body').append(host)
    render()
  }
  const loadFrozen = async (frozen: string, link: HTMLAnchorElement) => {
    try {
      frozenData.set(frozen, await fetchFrozenData(new URL(frozen, link.baseURI)))
      show(link)
    } catch {
      // The link works without its preview.
    }
  }
  return (link) => {
    // A link that matches the selector of the tag may still opt out.
    if (!(link instanceof HTMLAnchorElement && isWebLink(link)) || link.dataset.pagePreview === 'false') return
    anchor = link
    const { frozen } = link.dataset
    if (frozen === undefined || frozenData.has(frozen)) show(link)
    else void loadFrozen(frozen, link)
  }
}
