import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { canParseUrl } from '../query/written-url.js'
import type { PageData } from '../query/index.js'
import { HoverPreview, PagePreviewProvider, type HoverPreviewProps } from '../react/index.js'
import type { Previews } from './first-requests.js'
import { isWebLink, type ComponentProps, type SharedOptions } from './options.js'
import { builtinMember } from './script-tag.js'

/** What hover previews share with the other previews of the page. */
interface HoverPage {
  sharedOptions: SharedOptions
  propsOf: (link: Element) => ComponentProps
  attachShadow: (host: HTMLElement) => ShadowRoot
}

/** With a prop that is not public: what has reached the link before its component was there. */
const StartedHoverPreview = HoverPreview as (props: HoverPreviewProps & { startedBy: Event | undefined }) => ReactNode

/** Isolates the host element from the rules and the layout of the page, except for its font. */
const HOST_STYLE = 'all: initial; position: fixed; font: inherit; color: inherit'

/**
 * Mounts a host element at the end of the page for the previews of links that stay as they are, one at a time.
 *
 * @returns  Shows the preview of a link.
 */
export function mountHoverPreviews({ sharedOptions, propsOf, attachShadow }: HoverPage): Previews['hover'] {
  const host = document.createElement('div')
  host.style.cssText = HOST_STYLE
  const root = createRoot(attachShadow(host))
  const frozenData = new Map<string, PageData>()
  let anchor: HTMLAnchorElement | undefined
  let anchorEvent: Event | undefined
  /** How many links were shown: links of one URL are several. */
  let shownLinks = 0
  const render = () => {
    if (!anchor) return
    const frozen = frozenUrl(anchor)
    // The data of a page that was frozen together with its link; nothing is requested from a service, also if there is none.
    const data = frozen === undefined ? undefined : frozenData.get(frozen)
    if (frozen !== undefined && !data) return
    // The preview has the colour scheme of its link, although it is elsewhere in the document.
    const { colorScheme } = getComputedStyle(anchor)
    if (host.style.colorScheme !== colorScheme) host.style.colorScheme = colorScheme
    const { settings, props } = propsOf(anchor)
    root.render(
      <PagePreviewProvider {...settings}>
        <StartedHoverPreview
          key={shownLinks}
          {...props}
          {...(data && { data })}
          within={{ current: anchor }}
          startedBy={anchorEvent}
        />
      </PagePreviewProvider>,
    )
  }
  sharedOptions.addEventListener('change', render)
  sharedOptions.addEventListener('theme', render)
  // The pointer leaves a link that the page removes without an event.
  addEventListener('pointermove', () => {
    if (anchor?.isConnected !== false) return
    anchor = undefined
    root.render(null)
  })
  const show = (link: HTMLAnchorElement) => {
    if (anchor !== link) return
    if (!host.isConnected) builtinMember(document, 'body').append(host)
    render()
  }
  const loadFrozen = async (frozen: string, link: HTMLAnchorElement) => {
    try {
      frozenData.set(frozen, await fetchFrozenData(frozen))
      show(link)
    } catch {
      // The link works without its preview.
    }
  }
  return (link, startedBy) => {
    // A link that matches the selector of the tag may still opt out.
    if (!(link instanceof HTMLAnchorElement && isWebLink(link)) || link.dataset.pagePreview === 'false') return
    if (anchor !== link) shownLinks++
    anchor = link
    anchorEvent = startedBy
    const frozen = frozenUrl(link)
    if (frozen === undefined || frozenData.has(frozen)) show(link)
    else void loadFrozen(frozen, link)
  }
}

/** The file with the data of a frozen link, which is relative to its document: that may change with the route of an app. */
const frozenUrl = ({ dataset: { frozen }, baseURI }: HTMLElement): string | undefined =>
  frozen !== undefined && canParseUrl(frozen, baseURI) ? new URL(frozen, baseURI).href : frozen

/** Reads the data of a page from a file of the site, in which images have URLs relative to the file. */
async function fetchFrozenData(url: string): Promise<PageData> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
  const data = (await response.json()) as PageData
  const absolute = <Media extends { url: string }>(media: Media | null | undefined) =>
    media && { ...media, url: new URL(media.url, url).href }
  return {
    ...data,
    image: absolute(data.image),
    logo: absolute(data.logo),
    ...(data.screenshot && { screenshot: absolute(data.screenshot) }),
  }
}
