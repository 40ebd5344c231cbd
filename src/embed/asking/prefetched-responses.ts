import { requestUrl, type Hosts, type PageResponse, type PageQuery } from '../../query/index.js'
import { chooseImage, previewRequest, imageSizes } from '../../card/index.js'
import type { PreviewSettings } from '../element/index.js'
import { fetchAnswer } from './fetch-answer.js'

/** What is on its way. */
interface Early {
  response: Promise<Response>
  end: AbortController
}

/** Sends requests while that which reads their answers is still on its way, and brings the pictures that they name. */
export class PrefetchedResponses {
  /** What was asked. */
  readonly queries: { words: PageQuery; hosts: Hosts }[] = []
  readonly #early = new Map<RequestInfo | URL, Early>()
  /** Kept by the browser as long as they are here. */
  readonly #pictures: HTMLImageElement[] = []

  ask(words: PageQuery, hosts: Hosts, layout: PreviewSettings['layout']): void {
    const { json, embed, queryKey } = previewRequest(words, { hosts })
    // A key among them goes as a header, never into an address; the client knows how, and what is wrong with a query.
    if (json.headers || !queryKey[2]) return
    const url = requestUrl(json, hosts)
    if (this.#early.has(url)) return
    const bring = (answer?: Partial<PageResponse>) => {
      const { src, srcSet = '' } = chooseImage(answer?.data, { embed }) ?? {}
      if (src)
        this.#pictures.push(
          Object.assign(new Image(), { fetchPriority: 'high', sizes: imageSizes(layout), srcset: srcSet, src }),
        )
    }
    const end = new AbortController()
    const response = fetchAnswer(
      url,
      { headers: { accept: 'application/json' }, signal: end.signal },
      embed ? undefined : bring,
    )
    this.#early.set(url, { response, end })
    this.queries.push({ words, hosts })
    if (embed) bring()
    // Whoever takes it says what is wrong.
    response.catch(() => undefined)
  }

  /** In the place of `fetch`: gives each response that was asked for ahead once, and asks for all else. */
  readonly fetch: typeof fetch = (url, init) => {
    const early = this.#early.get(url)
    if (!early) return fetchAnswer(url, init)
    this.#early.delete(url)
    init?.signal?.addEventListener('abort', () => early.end.abort(init.signal?.reason))
    return early.response
  }
}
