/** The next response of the service. */
interface FakeResponse {
  cache?: 'HIT' | 'MISS' | 'STALE'
  status?: number
  code?: string
  message?: string
  data?: Record<string, string>
  remaining?: number
  retryAfterS?: number
  html?: string
  /** What the service adds to the data of the page. */
  history?: unknown
  /** What the service adds to a result. */
  added?: Record<string, unknown>
}

const WIDTH = 320
const HEIGHT = 200
const IMAGE = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"/>`

/** Replaces the service on the playground's own origin. */
export function fakeOrigin() {
  const requests: URL[] = []
  const keys: (string | null)[] = []
  let examples: unknown = [
    { label: 'routing', url: 'https://tern.example/' },
    { label: 'kiln', url: 'https://kiln.example/' },
  ]
  let next: FakeResponse = {}
  return {
    /** URLs of the requests, except the one for the examples. */
    requests,
    /** `x-api-key` of each request. */
    keys,
    setExamples(list: unknown) {
      examples = list
    },
    setResponse(response: FakeResponse) {
      next = response
    },
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      if (input === 'examples.json') return examples ? Response.json(examples) : new Response('', { status: 404 })
      requests.push(new URL(input instanceof Request ? input.url : input))
      keys.push(new Headers(init?.headers).get('x-api-key'))
      return respond(next)
    },
  }
}

function respond({
  cache = 'HIT',
  status = 200,
  remaining = 243,
  retryAfterS,
  html,
  history,
  added,
  ...error
}: FakeResponse): Response {
  const headers = {
    'x-cache-status': cache,
    'x-cache-ttl': '86400000',
    'x-timestamp': String(Date.now()),
    'x-fetch-mode': 'prerender',
    'x-rate-limit-limit': '250',
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(Math.ceil(Date.now() / 86_400_000) * 86_400),
    'server-timing': 'load;dur=1500, capture;dur=500',
    ...(retryAfterS && { 'retry-after': String(retryAfterS) }),
  }
  if (html) return new Response(html, { headers })
  if (error.code) return Response.json({ status: 'fail', ...error }, { status, headers })
  const screenshot = {
    url: IMAGE,
    width: WIDTH,
    height: HEIGHT,
    type: 'png',
    size: 300,
    size_pretty: '300 B',
    background_color: '#ffffff',
  }
  const redirects = [{ statusCode: 301, url: 'https://tern.example/guide' }]
  const data = { title: 'Nested routes', description: 'A folder is a route.', logo: null, screenshot, history }
  return Response.json({ status: 'success', data, statusCode: 200, headers: {}, redirects, ...added }, { headers })
}
