import type { PageResponse } from '../../query/index.js'

/** Audio and video play from where they are: the service does not cache long media. */
const PROXIED_FIELDS = ['image', 'logo'] as const

/**
 * Fetches the JSON of a page, in which image and logo have URLs of the service instead of those of other sites, which therefore do
 * not learn of the visit; the page's content security policy needs to allow the service only. A replacement for `fetch`.
 */
export async function fetchWithProxiedImages(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.ok) return response
  const body = await readJson(response)
  if (canBeRequestedAgain(response, init)) proxyImages(body, response.url)
  // The client and the prefetcher read the body that was parsed here.
  response.json = () => Promise.resolve(body)
  return response
}

/** The body of a response; undefined where it is not JSON, which the client reports. */
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
