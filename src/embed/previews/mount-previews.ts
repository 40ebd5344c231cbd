import { QueryClient } from '@tanstack/react-query'
import type { Hosts, PageQuery } from '../../query/index.js'
import { prefetchPagePreview } from '../../react/index.js'
import type { SharedOptions } from '../options/index.js'
import { createPreviewElement } from './create-preview-element.js'
import { exposeParts } from './expose-parts.js'
import { logWarning } from './log-warning.js'
import { observeThemeAndPrinting } from './observe-theme-and-printing.js'
import type { PreviewContext } from './preview-context.js'
import { createShadowSheet } from './style-sheets.js'
import { upgradeLink } from './upgrade-link.js'

export interface MountOptions {
  sharedOptions: SharedOptions
  /** Previews and links that came near the viewport before they could be mounted. */
  eagerElements: WeakSet<Element>
  /** Has the requests that were sent while the code was loading. */
  prefetcher: {
    readonly queries: readonly { query: PageQuery; hosts: Hosts }[]
    readonly fetch: typeof fetch
  }
  /** The text of the previews' stylesheet. */
  styles: Promise<string>
}

/** The previews of a page, once its `<page-preview>` elements are defined. */
export interface MountedPreviews {
  /** Inserts a preview after a marked link; does nothing for a `<page-preview>`, which mounts itself. */
  upgradeLink(element: Element): void
  /** Shows the preview of a link that is hovered. */
  showHover(link: Element): void
  /** Requests one page again, or all of them. */
  refresh(url: string | undefined): Promise<void>
}

/** How long to wait for prefetched responses, so that a preview renders once and not twice. */
const PREFETCH_WAIT_MS = 100
/** How long a failed request is not repeated by the preview that it was sent for. */
const RETRY_PAUSE_MS = 1_000

/** Defines `<page-preview>`, which mounts all elements of that name. */
export async function mountPreviews(options: MountOptions): Promise<MountedPreviews> {
  const { sharedOptions, eagerElements, prefetcher, styles } = options
  const queryClient = createQueryClient(sharedOptions.isPersistent)
  // Without storage, each visit requests its pages.
  if (sharedOptions.isPersistent)
    await import('./persist-results.js')
      .then(({ persistResults }) => persistResults(queryClient))
      .catch(() => undefined)
  const { fetch } = prefetcher
  const results = prefetcher.queries.map(({ query, hosts }) =>
    prefetchPagePreview(queryClient, query, { hosts, fetch }),
  )
  await Promise.race([Promise.all(results), new Promise((resolve) => setTimeout(resolve, PREFETCH_WAIT_MS))])
  const sheet = createShadowSheet(await styles)
  const context: PreviewContext = { sharedOptions, eagerElements, fetch, queryClient, sheet, isPrinting: false }
  exposeParts()
  // In the capture phase: hover previews dispatch their events at links, whose own listeners could stop them.
  addEventListener('page-preview:error', ({ detail }) => logWarning(detail), true)
  customElements.define('page-preview', createPreviewElement(context))
  observeThemeAndPrinting(context)
  return {
    upgradeLink: (element) => upgradeLink(element, context),
    showHover: hoverPreviews(context),
    // Previews far from the viewport are requested when they come near it.
    refresh: (url) => queryClient.invalidateQueries({ predicate: ({ queryKey }) => isQueryOf(queryKey, url) }),
  }
}

function createQueryClient(isPersistent: boolean): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > RETRY_PAUSE_MS,
        // A result that is evicted from memory is evicted from the storage too.
        ...(isPersistent && { gcTime: Infinity }),
      },
    },
  })
  queryClient.mount()
  return queryClient
}

/** Loads the code of hover previews with the first one. */
function hoverPreviews(context: PreviewContext): MountedPreviews['showHover'] {
  let show: Promise<(link: Element) => void> | undefined
  return (link) => {
    show ??= import('./mount-hover-previews.js').then(({ mountHoverPreviews }) => mountHoverPreviews(context))
    show.then(
      (show) => show(link),
      // The link works without its preview.
      () => undefined,
    )
  }
}

function isQueryOf([, , , cacheKey]: readonly unknown[], url: string | undefined): boolean {
  return url === undefined || normalizeUrl(new URLSearchParams(String(cacheKey)).get('url')) === normalizeUrl(url)
}

/** As browsers write it in `href`. */
const normalizeUrl = (url: string | null) => (url && URL.canParse(url) ? new URL(url).href : url)
