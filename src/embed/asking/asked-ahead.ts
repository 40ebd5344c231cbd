import { requestUrl, type Hosts, type PageAnswer, type PageQuery } from '../../query/index.js'
import { pictureOf, previewRequest, sizesOf } from '../../react/data/index.js'
import type { PreviewSettings } from '../element/index.js'

/** What is on its way. */
interface Early {
  response: Promise<Response>
  end: AbortController
}

/** Sends requests while that which reads their answers is still on its way, and brings the pictures that they name. */
export class AskedAhead {
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
    const bring = (answer?: Partial<PageAnswer>) => {
      const { src, srcSet = '' } = pictureOf(answer?.data, undefined, embed) ?? {}
      if (src)
        this.#pictures.push(
          Object.assign(new Image(), { fetchPriority: 'high', sizes: sizesOf(layout), srcset: srcSet, src }),
        )
    }
    const end = new AbortController()
    const response = fetchOwn(
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
    if (!early) return fetchOwn(url, init)
    this.#early.delete(url)
    init?.signal?.addEventListener('abort', () => early.end.abort(init.signal?.reason))
    return early.response
  }
}

/** Sound and film are played from where they are, once somebody asks for it: the service keeps none that is long. */
const SHOWN = ['image', 'logo'] as const

/**
 * Fetches an answer, and has it name the service for what a page is shown with: nothing is asked of anybody else, who would learn
 * of the visit, and a policy need not allow it.
 */
async function fetchOwn(
  url: RequestInfo | URL,
  init?: RequestInit,
  tell?: (answer: Partial<PageAnswer>) => void,
): Promise<Response> {
  const given = await fetch(url, init)
  let text = await given.text()
  if (given.ok)
    try {
      const answer = JSON.parse(text) as Partial<PageAnswer>
      const asked = given.url.replace(/(?<=[?&])force=[^&]*&/, '')
      // What is signed, or asked for with a key in the headers, cannot be asked for by an address of ours.
      if (!/[?&]signature=/.test(asked) && !new Headers(init?.headers).has('x-api-key'))
        for (const field of SHOWN) {
          const medium = answer.data?.[field]
          if (medium) medium.url = `${asked}&embed=${field}.url`
        }
      tell?.(answer)
      text = JSON.stringify(answer)
    } catch {
      // Whoever takes it says what is wrong.
    }
  return Object.defineProperty(new Response(text, given), 'url', { value: given.url })
}
