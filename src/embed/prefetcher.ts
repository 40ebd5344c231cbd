import { chooseImage, imageSizes, type CardImage, type Layout, type PreviewRequest } from '../card/index.js'
import type { PageResponse } from '../query/index.js'

/** Sends the requests of previews, and preloads their images, while the code that mounts previews still loads. */
export class Prefetcher {
  /** What was requested. */
  readonly requests: PreviewRequest[] = []
  /** Requests whose response has not been consumed yet. */
  readonly #pending = new Map<RequestInfo | URL, { response: Promise<Response>; controller: AbortController }>()
  /** Browsers drop what they have preloaded for an image that nothing refers to. */
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
    const preloadImage = (body?: Partial<PageResponse>) =>
      this.#preloadImage(chooseImage(body?.data, { embed }), layout)
    if (embed) preloadImage()
    // Errors surface where the response is consumed.
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
    this.#images.push(Object.assign(new Image(), { fetchPriority: 'high', sizes: imageSizes(layout), srcset, src }))
  }
}

/** Audio and video play from where they are: the service does not cache long media. */
const PROXIED_FIELDS = ['image', 'logo'] as const

/**
 * Fetches the JSON of a page, in which image and logo have URLs of the service instead of those of other sites, which therefore do
 * not learn of the visit; the page's content security policy needs to allow the service only. A replacement for `fetch`.
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
