import { Parser } from 'htmlparser2'
import { isPageError, PageError } from '../../query/index.js'
import { createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { decodeHtml } from '../charset.js'
import { withTimeout } from '../jobs/index.js'
import type { Guard, GuardedDispatcher } from '../network/index.js'
import { followRedirects, OPT_OUT_NAME, readBody, SUPPORTED_ENCODINGS } from '../page/index.js'

/** Where a site shows nonces of its pages, each on a line of its own. */
export const WELL_KNOWN_FILE = '/.well-known/page-preview.txt'

/**
 * Whether a page shows a nonce: in a `<meta>` element of its head, or in a file of its origin. `absent`: neither does; `unknown`: not all
 * of it could be read.
 */
export type Proof = 'page' | 'file' | 'absent' | 'unknown'

/** Looks for nonces in pages, past all caches of the service. */
export interface ProofFinder {
  /**
   * @throws  {PageError} `EFORBIDDENURL`, `EINVALURL` for an address that may not be requested, `EBUSY`. An aborted `signal` throws its
   *          own reason.
   */
  find(page: URL, nonce: string, caller: { client: string; signal: AbortSignal }): Promise<Proof>
}

const TIMEOUT_MS = 10_000
/** The head of a page comes first. */
const MAX_PAGE_BYTES = 256_000
const MAX_FILE_BYTES = 10_000
const MAX_CHECKS = 4
const RESERVE = 4
const MAX_WAITING = 100

export function createProofFinder(parts: { guard: Guard; dispatcher: GuardedDispatcher }): ProofFinder {
  const queue = createFairQueue({
    concurrency: MAX_CHECKS,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING,
    fullError: () => busyError('Too many pages are being checked'),
  })
  return {
    find: (page, nonce, { client, signal }) =>
      queue.run({ client }, () => findProof(page, nonce, { ...parts, signal }), signal),
  }
}

type Parts = { guard: Guard; dispatcher: GuardedDispatcher; signal: AbortSignal }

async function findProof(page: URL, nonce: string, parts: Parts): Promise<Proof> {
  const html = await read(page, { accept: 'text/html', type: /html/, maxBytes: MAX_PAGE_BYTES, ...parts })
  if (html.text !== undefined && wordsOfHead(html.text).has(nonce)) return 'page'
  const file = new URL(WELL_KNOWN_FILE, page.origin)
  const lines = await read(file, { accept: 'text/plain', type: /^text\/plain/, maxBytes: MAX_FILE_BYTES, ...parts })
  if (lines.text?.split(/\r\n?|\n/).includes(nonce)) return 'file'
  return html.isCertain && lines.isCertain ? 'absent' : 'unknown'
}

/** What of a resource can be searched; `isCertain`: whether the site has it like that for everybody. */
interface Reading {
  text?: string
  isCertain: boolean
}

/** Sites send these to programs that they do not know, and while they fail. */
const isUncertainStatus = (status: number) => status >= 500 || [401, 403, 406, 408, 425, 429].includes(status)

/** Reads the start of a resource at exactly this URL: where it redirects to may belong to somebody else. */
async function read(
  url: URL,
  { guard, dispatcher, signal, ...options }: Parts & { accept: string; type: RegExp; maxBytes: number },
): Promise<Reading> {
  const ownGuard: Pick<Guard, 'check'> = {
    async check(hop, checkOptions) {
      if (String(hop) !== url.href) throw new RedirectError()
      return guard.check(hop, checkOptions)
    },
  }
  const { accept, type, maxBytes } = options
  const headers = { accept, 'accept-encoding': SUPPORTED_ENCODINGS, 'cache-control': 'no-cache' }
  const request = async (signal: AbortSignal): Promise<Reading> => {
    const response = await followRedirects(url.href, { guard: ownGuard, dispatcher, signal, headers })
    const contentType = String(response.headers['content-type'] ?? '')
    try {
      if (response.statusCode !== 200) return { isCertain: !isUncertainStatus(response.statusCode) }
      if (!type.test(contentType.toLowerCase())) return { isCertain: true }
      const { bytes } = await readBody(response, { maxBytes, signal, acceptsPart: true })
      return { text: decodeHtml(bytes, contentType), isCertain: true }
    } finally {
      response.body.destroy()
    }
  }
  try {
    const timeoutError = () => new Error('too slow')
    return await withTimeout(request, { signal, timeoutMs: TIMEOUT_MS, timeoutError })
  } catch (error) {
    signal.throwIfAborted()
    if (isRedirect(error)) return { isCertain: true }
    if (isPageError(error) && ['EFORBIDDENURL', 'EINVALURL', 'EBUSY'].includes(error.code)) throw error
    return { isCertain: false }
  }
}

class RedirectError extends Error {}

const isRedirect = (error: unknown) => isPageError(error) && error.cause instanceof RedirectError

/** The elements that a head may have; any other ends it, as does text: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead */
const HEAD_TAGS = new Set('html head meta title link base script style noscript template'.split(' '))
/** Their content is text, or is not part of the document. */
const CLOSED_TAGS = new Set(['title', 'script', 'style', 'noscript', 'template'])
const MAX_WORDS = 100

/**
 * The words in the `<meta name="page-preview">` elements of a head. What users write is in the body, also on a site that lets them write
 * HTML.
 */
export function wordsOfHead(html: string): Set<string> {
  const words = new Set<string>()
  let depth = 0
  let isOver = false
  const end = () => {
    isOver = true
    parser.pause()
  }
  const parser = new Parser({
    onopentag(name, { name: metaName = '', content = '' }) {
      if (isOver) return
      if (CLOSED_TAGS.has(name)) depth++
      else if (depth > 0) return
      else if (!HEAD_TAGS.has(name)) end()
      else if (name === 'meta' && metaName.trim().toLowerCase() === OPT_OUT_NAME && words.size < MAX_WORDS)
        for (const word of content.slice(0, 1_000).split(/[\s,]/)) words.add(word)
    },
    ontext(text) {
      if (!isOver && depth === 0 && text.trim()) end()
    },
    onclosetag(name) {
      if (isOver) return
      if (CLOSED_TAGS.has(name)) depth--
      else if (name === 'head') end()
    },
  })
  parser.end(html)
  return words
}

export const notShownError = (host: string): PageError =>
  new PageError(
    'EAUTH',
    `Neither the page nor ${WELL_KNOWN_FILE} of ${host} shows the nonce. Show it in one of them, then send the request again.`,
    {
      status: 403,
      data: { nonce: 'is not shown' },
    },
  )
