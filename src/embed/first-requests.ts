import {
  chooseImage,
  imageSizes,
  layoutOf,
  previewRequest,
  type CardImage,
  type Layout,
  type PreviewRequest,
} from '../card/index.js'
import type { PageResponse } from '../query/index.js'
import { splitProps } from '../react/props.js'
import type { PreviewConfig } from './element/index.js'
import { componentProps, elementProperties, resolveOptions, SharedOptions } from './options.js'
import { logStartFailure, type ScriptTag } from './script-tag.js'

/** The previews of a page. */
export interface Previews {
  /** Mounts the preview of a marked link near the viewport. A `<page-preview>` needs no call: it mounts itself once it is defined. */
  mount(element: Element): void
  /** Shows the hover preview of a link that is hovered, touched or focused since this event. */
  hover(link: Element, startedBy?: Event): void
  /** Requests one page again, or all of them. */
  refresh(url: string | undefined): Promise<void>
}

/** What the code that mounts previews gets from this one, which has loaded before it. */
export interface StartedRequests {
  sharedOptions: SharedOptions
  /** Previews and links that load at any position: they came near the viewport before they could be mounted, or are printed. */
  eagerElements: WeakSet<Element>
  /** Has the requests that were sent while the code was loading. */
  prefetcher: Pick<Prefetcher, 'fetch' | 'requests'>
  /** The text of the previews' stylesheet. */
  styles: Promise<string>
}

/** Defines `<page-preview>`, which mounts all elements of that name. */
export type StartElement = (started: StartedRequests) => Promise<Previews>

/** The previews of a page, which load the code that mounts them when they need it. */
export interface LazyPreviews extends Previews {
  /** Renders all previews again, with the options that the page has configured since. */
  update(): void
}

/**
 * Prefetches what comes near the viewport while the code that mounts previews loads.
 *
 * @param tag         The script tag, whose `data-` attributes are options.
 * @param configured  Options of the page; they may change until `update` is called.
 * @param load        Loads the code that mounts previews.
 */
export function startPreviews(
  tag: ScriptTag | null,
  configured: PreviewConfig,
  load: () => Promise<{ startElement: StartElement }>,
): LazyPreviews {
  const sharedOptions = new SharedOptions(tag, configured)
  const prefetcher = new Prefetcher()
  const eagerElements = new WeakSet<Element>()
  const styles = loadStyles()
  // Errors surface at the consumer.
  styles.catch(() => undefined)
  let isLoaded = false
  let loaded: Promise<Previews | undefined> | undefined
  // Only when the first preview comes near the viewport, so that its request is sent first.
  const loadOnce = () =>
    (loaded ??= load()
      .then(({ startElement }) => {
        isLoaded = true
        return startElement({ sharedOptions, eagerElements, prefetcher, styles })
      })
      .catch(logStartFailure))
  return {
    mount(element) {
      if (!isLoaded) {
        eagerElements.add(element)
        prefetchElement(element, sharedOptions, prefetcher)
      }
      void loadOnce().then((previews) => previews?.mount(element))
    },
    hover: (...args) => void loadOnce().then((previews) => previews?.hover(...args)),
    refresh: async (url) => (await loaded)?.refresh(url),
    update: () => sharedOptions.notifyChange(),
  }
}

/** Sends the request that the preview of this element will need. */
function prefetchElement(element: Element, sharedOptions: SharedOptions, prefetcher: Prefetcher): void {
  const { settings, props } = componentProps(resolveOptions(element, sharedOptions))
  const { query, options } = splitProps(props, settings)
  const { endpoint, apiKey, fetch, data, layout } = options
  // A stored result may make the request unnecessary, and a key or a `fetch` of the page is for the client alone.
  if (sharedOptions.isPersistent || !endpoint || apiKey || fetch || data) return
  // Properties that were set before the element is defined are read once it is.
  if (elementProperties.some((name) => Object.hasOwn(element, name))) return
  prefetcher.prefetch(previewRequest(query, { endpoint }), layout)
}

/** Sends the requests of previews, and preloads their images, while the code that mounts previews still loads. */
export class Prefetcher {
  /** What was requested. */
  readonly requests: PreviewRequest[] = []
  /** Requests whose response has not been consumed yet. */
  readonly #pending = new Map<RequestInfo | URL, { response: Promise<Response>; controller: AbortController }>()
  /** Referenced here, because browsers drop what they have preloaded for an image that nothing refers to. */
  readonly #images: HTMLImageElement[] = []

  /**
   * Requests one page, once for each URL.
   *
   * @param layout  Layout of the preview, which determines the width of its image.
   */
  prefetch(request: PreviewRequest, layout: Layout | undefined): void {
    const { url, jsonQuery, embed } = request
    // The client reports an invalid query, and an API key in the headers must not become part of a URL.
    if (!jsonQuery || jsonQuery.query.headers || this.#pending.has(url)) return
    const controller = new AbortController()
    const response = fetchWithProxiedImages(url, { headers: { accept: 'application/json' }, signal: controller.signal })
    this.#pending.set(url, { response, controller })
    this.requests.push(request)
    const preloadImage = (body?: Partial<PageResponse>) => this.#preloadImage(chooseImage(body?.data, embed), layout)
    if (embed) preloadImage()
    // Errors surface at the consumer.
    response
      .then((response) => (embed || !response.ok ? undefined : response.json().then(preloadImage)))
      .catch(() => undefined)
  }

  /** A replacement for `fetch`: returns each prefetched response once, and requests everything else. */
  readonly fetch: typeof fetch = (url, init) => {
    const pending = this.#pending.get(url)
    if (!pending) return fetchWithProxiedImages(url, init)
    this.#pending.delete(url)
    const { signal } = init ?? {}
    signal?.addEventListener('abort', () => pending.controller.abort(signal.reason))
    return pending.response
  }

  #preloadImage(image: CardImage | undefined, layout: Layout | undefined): void {
    if (!image) return
    const { src, srcSet: srcset = '' } = image
    this.#images.push(
      Object.assign(new Image(), { fetchPriority: 'high', sizes: imageSizes[layoutOf(layout)], srcset, src }),
    )
  }
}

/** Audio and video play from their own URLs: the service does not cache long media. */
const PROXIED_FIELDS = ['image', 'logo'] as const

/**
 * A replacement for `fetch`, for the JSON of a page. Image and logo get URLs of the service, so that other sites do not learn of the
 * visit, and the page's content security policy needs to allow only the service.
 */
async function fetchWithProxiedImages(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.ok) return response
  const body = await readJson(response)
  if (canBeRequestedAgain(response, init)) proxyImages(body, response.url)
  // The client and the prefetcher read the body that was parsed here.
  response.json = () => Promise.resolve(body)
  return response
}

/** The body of a response; undefined if it is not JSON, which the client reports. */
async function readJson(response: Response): Promise<Partial<PageResponse> | undefined> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Partial<PageResponse>
  } catch {
    return undefined
  }
}

/** Signed requests, and those with a key in the headers, cannot be turned into the URL of an image. */
const canBeRequestedAgain = ({ url }: Response, init?: RequestInit) =>
  !/[?&]signature=/.test(url) && !new Headers(init?.headers).has('x-api-key')

function proxyImages(body: Partial<PageResponse> | undefined, requestUrl: string): void {
  // With `force` each image would produce the result again.
  const url = requestUrl.replace(/(?<=[?&])force=[^?&]*&/, '')
  for (const field of PROXIED_FIELDS) {
    const media = body?.data?.[field]
    if (media) media.url = `${url}&embed=${field}.url`
  }
}

/** The stylesheet of the previews, as built; undefined if the source itself runs, as in tests. */
declare const __STYLESHEET__: readonly [file: string, integrity: string] | undefined

/** Loads the stylesheet as text for constructed stylesheets, which need no `style-src` of the page. */
async function loadStyles(): Promise<string> {
  if (typeof __STYLESHEET__ === 'undefined') return (await import('../react/styles.css?inline')).default
  const [file, integrity] = __STYLESHEET__
  const response = await fetch(new URL(file, import.meta.url), { integrity })
  return response.text()
}
