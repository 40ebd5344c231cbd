import { chooseImage, imageSizes, previewRequest, type CardImage } from '../../card/index.js'
import { requestUrl, type Hosts, type PageQuery, type PageResponse } from '../../query/index.js'
import type { PreviewConfig } from '../element/index.js'
import { fetchWithProxiedImages } from './fetch-with-proxied-images.js'

/** A request whose response has not been consumed yet. */
interface PendingRequest {
  response: Promise<Response>
  controller: AbortController
}

/** A query that was requested. */
export interface PrefetchedQuery {
  query: PageQuery
  hosts: Hosts
}

/** Sends the requests of previews, and preloads their images, while the code that mounts previews still loads. */
export class Prefetcher {
  readonly queries: PrefetchedQuery[] = []
  readonly #pending = new Map<RequestInfo | URL, PendingRequest>()
  /** Browsers drop what they have preloaded for an image that nothing refers to. */
  readonly #images: HTMLImageElement[] = []

  /**
   * Requests one page, once for each URL.
   *
   * @param layout  Layout of the preview, which determines the width of its image.
   */
  prefetch(query: PageQuery, hosts: Hosts, layout: PreviewConfig['layout']): void {
    const { jsonQuery, embed } = previewRequest(query, { hosts })
    // The client reports an invalid query, and an API key in the headers must not become part of a URL.
    if (!jsonQuery || jsonQuery.query.headers) return
    const url = requestUrl(jsonQuery, hosts)
    if (this.#pending.has(url)) return
    const controller = new AbortController()
    const response = fetchWithProxiedImages(url, { headers: { accept: 'application/json' }, signal: controller.signal })
    this.#pending.set(url, { response, controller })
    this.queries.push({ query, hosts })
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

  #preloadImage(image: CardImage | undefined, layout: PreviewConfig['layout']): void {
    if (!image) return
    const { src, srcSet: srcset = '' } = image
    this.#images.push(Object.assign(new Image(), { fetchPriority: 'high', sizes: imageSizes(layout), srcset, src }))
  }
}
