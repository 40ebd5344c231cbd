import { canParseUrl } from '../../query/can-parse-url.js'
import { QueryClient } from '@tanstack/react-query'
import type { PreviewRequest } from '../../card/index.js'
import { queryOptionsFor } from '../../react/data/page-preview-query-options.js'
import { builtinMember } from '../builtin-member.js'
import { createPreviewElement, focusPreview } from './create-preview-element.js'
import { exposeParts } from './expose-parts.js'
import { observePageTheme } from './page-theme.js'
import { isWebLink, logWarning, REPLACES_LINK, type PreviewEnvironment } from './preview-props.js'

/** The previews of a page. */
export interface Previews {
  /** Mounts the preview of a marked link near the viewport. A `<page-preview>` needs no call: it mounts itself once it is defined. */
  mount(element: Element): void
  /** Shows the hover preview of a link that is hovered or focused. */
  hover(link: Element): void
  /** Requests one page again, or all of them. */
  refresh(url: string | undefined): Promise<void>
}

/** The styles of the host elements, whose shadow roots share one stylesheet. */
const HOST_STYLES =
  ':host{display:block;min-inline-size:0;max-inline-size:100%}:host([data-inline]){display:inline}:host([hidden]){display:none!important}'

/** How long to wait for prefetched responses, so that a preview renders once and not twice. */
const PREFETCH_WAIT_MS = 100
/** How long a preview does not repeat its failed request. */
const RETRY_PAUSE_MS = 1_000

/**
 * Prepares what all previews share, and defines `<page-preview>`, which mounts all elements of that name.
 *
 * @param prefetcher  Has the requests that were sent while this code was loading.
 * @param styles      The text of the previews' stylesheet.
 */
export async function startElement({
  sharedOptions,
  eagerElements,
  prefetcher,
  styles,
}: Pick<PreviewEnvironment, 'sharedOptions' | 'eagerElements'> & {
  prefetcher: Pick<PreviewEnvironment, 'fetch'> & { readonly requests: readonly PreviewRequest[] }
  styles: Promise<string>
}): Promise<Previews> {
  const queryClient = createQueryClient(sharedOptions.isPersistent)
  // Without storage, each visit requests its pages.
  if (sharedOptions.isPersistent)
    await import('./persist-results.js')
      .then(({ persistResults }) => persistResults(queryClient))
      .catch(() => undefined)
  const { fetch } = prefetcher
  const results = prefetcher.requests.map((request) => queryClient.prefetchQuery(queryOptionsFor(request, { fetch })))
  await Promise.race([Promise.all(results), new Promise((resolve) => setTimeout(resolve, PREFETCH_WAIT_MS))])
  const sheet = createSheet(HOST_STYLES + (await styles))
  const environment: PreviewEnvironment = { sharedOptions, eagerElements, fetch, queryClient, sheet, isPrinting: false }
  exposeParts()
  // In the capture phase: hover previews dispatch their events at links, whose own listeners could stop them.
  addEventListener('page-preview:error', ({ detail }) => logWarning(detail), true)
  customElements.define('page-preview', createPreviewElement(environment))
  observePageTheme(() => sharedOptions.dispatchEvent(new Event('theme')))
  renderAllForPrinting(environment)
  return {
    mount: (element) => upgradeLink(element, environment),
    hover: hoverPreviews(environment),
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

/** A page that is about to be printed shows all its previews. */
function renderAllForPrinting(environment: PreviewEnvironment): void {
  addEventListener('beforeprint', () => {
    environment.isPrinting = true
    environment.sharedOptions.notifyChange()
    environment.isPrinting = false
  })
}

/** Loads the code of hover previews with the first one. */
function hoverPreviews(environment: PreviewEnvironment): Previews['hover'] {
  let loaded: Promise<(link: Element) => void> | undefined
  return (link) => {
    loaded ??= import('./mount-hover-previews.js').then(({ mountHoverPreviews }) => mountHoverPreviews(environment))
    loaded.then(
      (hover) => hover(link),
      // The link works without its preview.
      () => undefined,
    )
  }
}

function isQueryOf([, , , cacheKey]: readonly unknown[], url: string | undefined): boolean {
  return url === undefined || normalizeUrl(new URLSearchParams(String(cacheKey)).get('url')) === normalizeUrl(url)
}

/** The URL as browsers write it in `href`. */
const normalizeUrl = (url: string | null) => (url && canParseUrl(url) ? new URL(url).href : url)

/** Hides a link while its preview is there, and both while the page hides the link. */
const hidingSheet = createSheet(`a:has(+[${REPLACES_LINK}]),a[hidden]+[${REPLACES_LINK}]{display:none!important}`)

/**
 * Inserts a preview after a marked link, once. The link is hidden, not moved, because frameworks such as React expect their
 * nodes where they have put them.
 */
function upgradeLink(link: Element, { eagerElements }: PreviewEnvironment): void {
  if (!(link instanceof HTMLAnchorElement) || link.matches(`page-preview *,:has(+[${REPLACES_LINK}])`)) return
  if (!isWebLink(link)) return
  const preview = document.createElement('page-preview')
  preview.toggleAttribute(REPLACES_LINK)
  if (eagerElements.has(link)) eagerElements.add(preview)
  const hadFocus = link.matches(':focus')
  const root = link.getRootNode()
  const adoptedStyleSheets =
    root instanceof ShadowRoot ? root.adoptedStyleSheets : builtinMember(document, 'adoptedStyleSheets')
  if (!adoptedStyleSheets.includes(hidingSheet)) adoptedStyleSheets.push(hidingSheet)
  link.after(preview)
  if (hadFocus) focusPreview(preview)
}

/** Constructed stylesheets are allowed by every content security policy. */
function createSheet(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return sheet
}
