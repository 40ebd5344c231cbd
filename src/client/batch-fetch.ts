export interface BatchFetchOptions {
  /**
   * Sends the lists, and what is not sent in one. Default: the global one, looked up at each request.
   *
   * @example fetch: (url, init) => fetch(url, { ...init, credentials: 'include' })
   */
  fetch?: typeof fetch | undefined
}

/** One line of a list of results. */
interface ResultLine {
  index: number
  status: number
  headers: Record<string, string>
  body: unknown
}

/** A request that waits for its list to be sent, and then for its line. */
interface Waiting {
  url: string
  init: RequestInit
  resolve: (response: Response | Promise<Response>) => void
  reject: (reason: unknown) => void
}

const NDJSON_TYPE = 'application/x-ndjson'
/** The most that the service accepts. */
const MAX_QUERIES = 50
const MAX_QUERY_CHARS = 8_192
const MAX_BODY_BYTES = 128_000
/** Statuses of services, proxies and hosts of files without `POST /previews`. */
const NO_LIST_STATUSES = [403, 404, 405, 501]
/** Statuses of a list as a whole, whatever is wrong with it. */
const BAD_LIST_STATUSES = [400, 413]

/**
 * A `fetch` that sends the previews that are requested together, such as those of a list that comes near the viewport, as one request
 * to `POST /previews`, and returns each result as soon as it is ready. A single preview, and everything from a service that has no
 * such route, is sent as it is. HTTP caches do not store lists, so a list that visitors see often is better without it if a CDN is in
 * front of the service.
 *
 * @example  <PagePreviewProvider endpoint="https://previews.example.com" fetch={batchFetch}>
 */
export function createBatchFetch({
  fetch: send = (...args) => globalThis.fetch(...args),
}: BatchFetchOptions = {}): typeof fetch {
  const lists = new Map<string, Waiting[]>()
  const withoutLists = new Set<string>()

  function flush(key: string, listUrl: string): void {
    const waiting = (lists.get(key) ?? []).filter(({ init }) => !init.signal?.aborted)
    lists.delete(key)
    for (const list of listsOf(waiting)) {
      if (list.length === 1) sendAlone(list)
      else void sendList(listUrl, list)
    }
  }

  // Asynchronous, so that what `send` throws rejects.
  const sendOne = async ({ url, init }: Waiting) => send(url, init)
  const sendAlone = (list: readonly Waiting[]) => {
    for (const each of list) each.resolve(sendOne(each))
  }

  async function sendList(listUrl: string, list: readonly Waiting[]): Promise<void> {
    const ended = new AbortController()
    try {
      const { init } = list[0]!
      const signal = whenAllAbort(list, ended.signal)
      const response = await send(listUrl, {
        ...init,
        method: 'POST',
        // A text needs no preflight request.
        headers: { ...(init.headers as Record<string, string>), accept: NDJSON_TYPE, 'content-type': 'text/plain' },
        body: JSON.stringify({ queries: list.map(queryOf) }),
        signal,
      })
      if (response.headers.get('content-type')?.startsWith(NDJSON_TYPE)) return await readLines(response, list)
      if (response.ok || NO_LIST_STATUSES.includes(response.status)) {
        withoutLists.add(listUrl)
        sendAlone(list)
      } else if (BAD_LIST_STATUSES.includes(response.status)) sendAlone(list)
      else for (const { resolve } of list) resolve(response.clone())
    } catch (error) {
      for (const { reject } of list) reject(error)
    } finally {
      ended.abort()
    }
  }

  return (input, init = {}) => {
    const url = typeof input === 'string' ? input : ''
    const at = url.indexOf('?')
    const { method = 'GET', signal, headers, ...others } = init
    const listUrl = `${url.slice(0, at).replace(/\/$/, '')}/previews`
    const isAlone =
      at < 0 ||
      url.length - at > MAX_QUERY_CHARS ||
      method !== 'GET' ||
      'cache' in init ||
      headers instanceof Headers ||
      Array.isArray(headers) ||
      /[?&]embed=/.test(url) ||
      // Such as the dispatcher of Node: no key can tell one from another.
      Object.values(others).some((option) => typeof option === 'object')
    if (isAlone || withoutLists.has(listUrl)) return send(input, init)
    // A signal may outlive many requests.
    const settled = new AbortController()
    return new Promise<Response>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const key = JSON.stringify([listUrl, headers, others])
      const waiting = lists.get(key)
      if (waiting) waiting.push({ url, init, resolve, reject })
      else {
        lists.set(key, [{ url, init, resolve, reject }])
        setTimeout(() => flush(key, listUrl))
      }
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: settled.signal })
    }).finally(() => settled.abort())
  }
}

const queryOf = ({ url }: Waiting) => url.slice(url.indexOf('?') + 1)

/** Lists that the service accepts. */
function* listsOf(waiting: readonly Waiting[]): Generator<readonly Waiting[]> {
  let list: Waiting[] = []
  let bytes = 0
  for (const each of waiting) {
    // With its comma, and the rest of the body.
    const added = new TextEncoder().encode(JSON.stringify(queryOf(each))).length + 1
    if (list.length === MAX_QUERIES || bytes + added > MAX_BODY_BYTES - 99) {
      yield list
      list = []
      bytes = 0
    }
    list.push(each)
    bytes += added
  }
  if (list.length) yield list
}

/**
 * Aborts once nobody waits for the list.
 *
 * @param ended  Aborts when there is nothing to abort any more.
 */
function whenAllAbort(list: readonly Waiting[], ended: AbortSignal): AbortSignal {
  const abort = new AbortController()
  let left = list.length
  const leave = () => {
    left--
    if (left === 0) abort.abort()
  }
  for (const { init } of list)
    if (init.signal?.aborted) leave()
    else init.signal?.addEventListener('abort', leave, { signal: ended })
  return abort.signal
}

/** Resolves each request with its line; rejects those whose line does not come. */
async function readLines({ body }: Response, list: readonly Waiting[]): Promise<void> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ;) {
    const { done, value } = await reader.read()
    if (done) throw new TypeError('The list of results has ended.')
    const lines = `${rest}${value}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { index, status, headers, body } = JSON.parse(line) as ResultLine
      list[index]?.resolve(new Response(JSON.stringify(body), { status, headers }))
    }
  }
}
