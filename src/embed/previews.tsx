import { QueryClient } from '@tanstack/react-query'
import { options as preactOptions } from 'preact'
import { createRoot, type Root } from 'react-dom/client'
import { layoutOf, readAttributes } from '../card/index.js'
import { canParseUrl } from '../query/written-url.js'
import { queryOptionsFor } from '../react/fetch-preview.js'
import { PagePreview, PagePreviewProvider, type PagePreviewProps } from '../react/index.js'
import type { PagePreviewElement, PreviewConfig } from './element/index.js'
import type { Previews, StartedRequests } from './first-requests.js'
import {
  blockedEndpoint,
  componentProps,
  elementProperties,
  isWebLink,
  resolveOptions,
  type ComponentProps,
} from './options.js'
import { observePageTheme, pageTheme } from './page-theme.js'
import { builtinMember, FROZEN } from './script-tag.js'
import type { WarningCause } from './warnings.js'

/** How long to wait for prefetched responses, so that a preview renders once and not twice. */
const PREFETCH_WAIT_MS = 100
/** How long a preview does not repeat its failed request. */
const RETRY_PAUSE_MS = 1_000
/** The styles of the host elements, whose shadow roots share one stylesheet. */
const HOST_STYLES =
  ':host{display:block;min-inline-size:0;max-inline-size:100%}:host([data-inline]){display:inline}:host([hidden]){display:none!important}'

/** What all previews of a page share. */
interface SharedPreviews extends Pick<StartedRequests, 'sharedOptions' | 'eagerElements'> {
  fetch: typeof fetch
  queryClient: QueryClient
  /** The stylesheet of every shadow root. */
  sheet: CSSStyleSheet
  /** The page is about to be printed, with all its previews. */
  isPrinting: boolean
}

/** Prepares what all previews share, and defines `<page-preview>`, which mounts all elements of that name. */
export async function startElement(started: StartedRequests): Promise<Previews> {
  const { sharedOptions, eagerElements, styles } = started
  const { fetch, requests } = started.prefetcher
  const queryClient = createQueryClient(sharedOptions.isPersistent)
  // Without storage, each visit requests its pages.
  if (sharedOptions.isPersistent)
    await import('./persist-results.js')
      .then(({ persistResults }) => persistResults(queryClient))
      .catch(() => undefined)
  const results = requests.map((request) => queryClient.prefetchQuery(queryOptionsFor(request, { fetch })))
  await Promise.race([Promise.all(results), wait(PREFETCH_WAIT_MS)])
  const sheet = createSheet(HOST_STYLES + (await styles))
  const shared: SharedPreviews = { sharedOptions, eagerElements, fetch, queryClient, sheet, isPrinting: false }
  exposeParts()
  checkAttributes(sharedOptions.tag, 'data-')
  // In the capture phase: hover previews dispatch their events at links, whose own listeners could stop them.
  addEventListener('page-preview:error', ({ detail }) => warn({ error: detail }), true)
  await untilNoLinkIsPressed()
  customElements.define('page-preview', createPreviewElement(shared))
  observePageTheme(() => sharedOptions.dispatchEvent(new Event('theme')))
  addEventListener('beforeprint', () => {
    shared.isPrinting = true
    sharedOptions.notifyChange()
    shared.isPrinting = false
  })
  return {
    mount: (link) => void untilNoLinkIsPressed().then(() => upgradeLink(link, shared)),
    hover: hoverLinks(shared),
    // Previews far from the viewport are requested when they come near it.
    refresh: (url) => queryClient.invalidateQueries({ predicate: ({ queryKey }) => isQueryOf(queryKey, url) }),
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

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

function isQueryOf([, , , cacheKey]: readonly unknown[], url: string | undefined): boolean {
  return url === undefined || normalizeUrl(new URLSearchParams(String(cacheKey)).get('url')) === normalizeUrl(url)
}

/** The URL as browsers write it in `href`. */
const normalizeUrl = (url: string | null) => (url && canParseUrl(url) ? new URL(url).href : url)

/** Constructed stylesheets are allowed by every content security policy. */
function createSheet(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return sheet
}

/**
 * Makes each element of a preview a part of its shadow root, named by its class: `::part(title)`, and `::part(root)` for the
 * outermost element. The script tag is built with preact in place of React: see `src/tools/build-script-tag.ts`.
 *
 * @see https://preactjs.com/guide/v10/options/
 */
function exposeParts(): void {
  const next = preactOptions.vnode?.bind(preactOptions)
  preactOptions.vnode = (vnode) => {
    next?.(vnode)
    const { type, props } = vnode
    if (typeof type === 'string' && 'className' in props)
      Object.assign(props, { part: String(props.className).replace('page-preview', 'root').replaceAll('pp-', '') })
  }
}

const PRESS_POLL_MS = 50
/** Browsers may take a link for pressed long after it was dragged. */
const MAX_PRESS_POLLS = 60

const PRESSED = ':is(page-preview,a[data-page-preview]:not([data-page-preview=hover])):active'

/** A link that is replaced while it is pressed would not be followed, because its click has no target. */
async function untilNoLinkIsPressed(): Promise<void> {
  const isPressed = () => builtinMember(document, 'querySelector').call(document, PRESSED)
  for (let polls = 0; polls < MAX_PRESS_POLLS && isPressed(); polls++) await wait(PRESS_POLL_MS)
}

/** Loads the code of hover previews with the first one. */
function hoverLinks(shared: SharedPreviews): Previews['hover'] {
  let loaded: Promise<Previews['hover']> | undefined
  return (...args) => {
    loaded ??= import('./hover-links.js').then(({ mountHoverPreviews }) =>
      mountHoverPreviews({
        ...shared,
        propsOf: (link) => previewProps(link, shared),
        attachShadow: (host) => attachShadow(host, shared),
      }),
    )
    loaded.then(
      (hover) => hover(...args),
      // The link works without its preview.
      () => undefined,
    )
  }
}

/** The attribute of a preview that follows a marked link and replaces it; the link itself is hidden, not moved. */
const REPLACES_LINK = 'replaces-link'

/** Hides a link while its preview is there, and both while the page hides the link. */
const hidingSheet = createSheet(`a:has(+[${REPLACES_LINK}]),a[hidden]+[${REPLACES_LINK}]{display:none!important}`)

/**
 * Inserts a preview after a marked link, once. The link is hidden, not moved, because frameworks such as React expect their
 * nodes where they have put them.
 */
function upgradeLink(link: Element, { eagerElements }: SharedPreviews): void {
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

const MARKED_LINK = '[data-page-preview]:not([data-page-preview=hover],[data-page-preview=false])'

/** The link whose page is previewed: the marked link that the preview replaces, or the first link inside. */
function sourceLink(preview: Element): HTMLAnchorElement | null {
  const previous = preview.matches(`${MARKED_LINK}+[${REPLACES_LINK}]`) && preview.previousElementSibling
  return previous instanceof HTMLAnchorElement ? previous : preview.querySelector('a')
}

const OBSERVED: MutationObserverInit = { attributes: true, childList: true, subtree: true, characterData: true }

/** Creates the class to be defined as `page-preview`. */
function createPreviewElement(shared: SharedPreviews): new () => PagePreviewElement {
  const { sharedOptions } = shared
  class PreviewElement extends HTMLElement implements PagePreviewElement {
    #query: PreviewConfig = {}
    #root: Root | undefined
    #isFrozen = false
    #theme: PreviewConfig['theme']
    readonly #observer = new MutationObserver(() => this.#render())
    readonly #render = () => {
      if (this.#isFrozen) {
        if (!sharedOptions.isFrozen(this)) this.connectedCallback()
        return
      }
      // The page has removed the link, or its mark.
      if (this.hasAttribute(REPLACES_LINK) && !sourceLink(this)) return this.remove()
      const { settings, props } = previewProps(this, shared)
      this.toggleAttribute('data-inline', props.layout === 'inline')
      this.#theme = props.theme
      this.#root?.render(
        <PagePreviewProvider {...settings}>
          <PagePreview {...props} />
        </PagePreviewProvider>,
      )
    }
    readonly #updateTheme = () => {
      if (this.#root && previewProps(this, shared).props.theme !== this.#theme) this.#render()
    }

    get query() {
      return this.#query
    }

    set query(query) {
      // A framework may pass on a property that is not set.
      this.#query = { ...query }
      this.#render()
    }

    connectedCallback() {
      upgradeProperties(this)
      sharedOptions.addEventListener('change', this.#render)
      sharedOptions.addEventListener('theme', this.#updateTheme)
      this.#isFrozen = sharedOptions.isFrozen(this)
      if (!this.#isFrozen) this.#mount()
    }

    #mount() {
      const shadow = attachShadow(this, shared)
      // Also of a preview that the page has moved with its link.
      if (this.hasAttribute(REPLACES_LINK)) this.#observer.observe(this.parentNode!, { childList: true })
      if (this.#root) return
      const hadFocus = this.querySelector(':focus')
      shadow.addEventListener('click', forwardClick)
      this.#root = createRoot(shadow)
      for (const source of [this, sourceLink(this)]) if (source) this.#observer.observe(source, OBSERVED)
      this.#render()
      if (hadFocus) focusPreview(this)
    }

    disconnectedCallback() {
      // An element that is only moved is connected again before the microtask runs.
      queueMicrotask(() => {
        if (this.isConnected) return
        this.#observer.disconnect()
        sharedOptions.removeEventListener('change', this.#render)
        sharedOptions.removeEventListener('theme', this.#updateTheme)
        this.#root?.unmount()
        this.#root = undefined
      })
    }
  }
  defineProperties(PreviewElement.prototype)
  return PreviewElement
}

/** Sets properties again that were set before the class was defined, because they hide its accessors. */
function upgradeProperties(element: PagePreviewElement): void {
  for (const name of ['query', ...elementProperties])
    if (Object.hasOwn(element, name)) {
      const value: unknown = Reflect.get(element, name)
      Reflect.deleteProperty(element, name)
      Reflect.set(element, name, value)
    }
}

/** Each property reads and writes its part of `query`. */
function defineProperties(prototype: PagePreviewElement): void {
  for (const name of elementProperties)
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: PagePreviewElement) {
        return this.query[name as keyof PreviewConfig]
      },
      set(this: PagePreviewElement, value: unknown) {
        // A framework has written the attribute before the element was defined.
        if (value === undefined) this.removeAttribute(name)
        // Frameworks set the text of an attribute as the property of the same name.
        const parsed = typeof value === 'string' && readAttributes([{ name, value }])
        this.query = { ...this.query, [name]: value, ...parsed }
      },
    })
}

/** The shadow root of an element, which keeps the page's styles out and the preview's styles in. */
function attachShadow(element: HTMLElement, { sheet }: SharedPreviews): ShadowRoot {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [sheet]
  return shadow
}

/** Moves the focus to the link of a preview, from the link that it replaces. */
const focusPreview = ({ shadowRoot }: Element): void => shadowRoot?.querySelector('a')?.focus({ preventScroll: true })

/**
 * Forwards a click on the link of a preview to the link in the page, whose target applies and whose listeners run. With a
 * modifier key, which browsers do not apply to scripted clicks, the click stays where it is.
 */
function forwardClick(event: Event): void {
  const clicked = event.target instanceof Element ? event.target.closest('a') : undefined
  const root = clicked?.getRootNode()
  const link = root instanceof ShadowRoot ? sourceLink(root.host) : undefined
  if (!link || link.href !== clicked?.href || !(event instanceof MouseEvent)) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  link.dispatchEvent(new MouseEvent('click', event))
}

/** The props of the preview of a `<page-preview>` or a link, which dispatches the events of the preview. */
function previewProps(element: Element, shared: SharedPreviews): ComponentProps {
  const { sharedOptions, eagerElements, queryClient, fetch, isPrinting } = shared
  const link = element instanceof HTMLAnchorElement ? element : sourceLink(element)
  // The chip of a frozen preview has an icon before its text.
  const chipText = element.querySelector(`${FROZEN}>[data-layout=inline]`)?.lastChild
  const linkText = (chipText ?? link ?? element).textContent?.trim() || undefined
  const labelled = link?.closest('page-preview [aria-label]') ?? link
  const options = resolveOptions(element, sharedOptions, link)
  const { theme: ownTheme, layout } = options
  const mixedContent = blockedEndpoint(options)
  if (layout && layoutOf(layout) !== layout) warn({ layout })
  if (mixedContent) warn({ mixedContent })
  if (options.apiKey || Object.keys(options).some((name) => API_KEY.test(name))) warn({ attribute: 'api-key' })
  if (element !== link) checkAttributes(element, '')
  if (link && (link === element || link.dataset.pagePreview !== undefined)) checkAttributes(link, 'data-')
  if (isPrinting) eagerElements.add(element)
  const dispatch = (name: string, detail: unknown) =>
    void element.dispatchEvent(new CustomEvent(`page-preview:${name}`, { detail, bubbles: true, composed: true }))
  const { settings, props } = componentProps({ fetch, ...options })
  const own: Partial<PagePreviewProps> = {
    ...(eagerElements.has(element) && { loading: 'eager' }),
    theme: ownTheme === 'light' || ownTheme === 'dark' ? ownTheme : pageTheme(element),
    children: linkText,
    // The title of the page replaces the text of the link on screen; screen readers announce what the author has written.
    'aria-label': labelled?.ariaLabel ?? linkText,
    onLoad: (page, details) => dispatch('load', { ...page, ...details }),
    onError: (error) => dispatch('error', error),
    onRefresh: (page, details) => dispatch('refresh', { ...page, ...details }),
  }
  return { settings: { ...settings, queryClient }, props: { ...props, ...own } }
}

/** An API key among the headers of a request. */
const API_KEY = /^headers\.api-?key$/i

/** Names of attributes that may be misspelled ones; those with a digit are generated. */
const CHECKED_NAME =
  /^(?!aria-|auto$|class$|color-schemes$|data-|frozen$|on|page-preview$|persist$|replaces-link$)[a-z-]+$/
const MAX_CHECKED_NAMES = 100
/** Also the only name that the script tag alone has. */
const checkedNames = new Set(['data-endpoint'])

/** Warns of attributes that are neither a parameter nor an option, once for each name. */
function checkAttributes(element: Element | null, prefix: '' | 'data-'): void {
  readAttributes(element?.attributes ?? [], prefix, (name) => {
    const attribute = prefix + name
    if (!CHECKED_NAME.test(name) || name in element! || checkedNames.has(attribute)) return
    if (checkedNames.size < MAX_CHECKED_NAMES) warn({ attribute })
    checkedNames.add(attribute)
  })
}

/** Loads the texts with the first warning, because most pages have none. */
function warn(cause: WarningCause): void {
  import('./warnings.js').then(
    (warnings) => warnings.warn(cause),
    () => undefined,
  )
}
