import { LRUCache } from 'lru-cache'
import { PageError } from '../../query/index.js'
import { clientNetworks } from '../budget/index.js'
import { hostnameOf } from '../hostnames.js'
import type { Logger } from '../log.js'
import type { Guard } from '../network/index.js'
import { OPT_OUT_NAME } from '../page/index.js'
import { parsePurgeTarget, subjectOfUrl, type Store } from '../store/index.js'
import { notShownError, WELL_KNOWN_FILE, type ProofFinder } from './find-proof.js'
import { createNonces } from './nonces.js'
import type { RemovedPages } from './removed-pages.js'

/** What the owner of a page may do without an account. */
export const ownerActions = ['refresh', 'takedown'] as const
export type OwnerAction = (typeof ownerActions)[number]

/** One request of somebody who says that a page is theirs. */
export interface OwnerRequest {
  action: OwnerAction
  /** URL of the page, as it was sent. */
  url: string | undefined
  /** The network of the client. */
  client: string
  signal: AbortSignal
}

/** What a page has to show, in one of two places. */
export interface Challenge {
  action: OwnerAction
  url: string
  nonce: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** For the head of the page. */
  meta: string
  /** The line of a file, in place of the element. */
  file: { url: string; line: string }
}

/** What was done for a page that shows the nonce. */
export interface Performed {
  action: OwnerAction
  url: string
  /** Where the nonce was found. */
  proof: 'page' | 'file'
  /** What was deleted. */
  entries: number
  images: number
}

export interface Owners {
  /** @throws  {PageError} `EINVALURL`, `EFORBIDDENURL`, `ERATE` */
  challenge(request: OwnerRequest): Promise<Challenge>
  /**
   * Looks for the nonce in the page, and does what its owner wants: deletes its results from all instances, and with `takedown` lets none
   * show it again.
   *
   * @throws  {PageError} as `challenge`; `EAUTH` for a nonce that is unknown, has expired, or is not shown; `EUNREACHABLE` for a page that
   *          could not be read; `EBUSY`.
   */
  perform(request: OwnerRequest, nonce: string): Promise<Performed>
}

export interface OwnersParts {
  guard: Guard
  store: Store
  removedPages: RemovedPages
  finder: ProofFinder
  log: Logger
  clock: () => number
}

const WINDOW_MS = 600_000
const MAX_REQUESTS_PER_CLIENT = 60
/** Each has the page requested, and perhaps a file. */
const MAX_CHECKS_PER_CLIENT = 20
/** More than its owner needs, and little for a site. */
const MAX_CHECKS_PER_HOST = 60

export function createOwners({ guard, store, removedPages, finder, log, clock }: OwnersParts): Owners {
  const nonces = createNonces(store, clock)
  const requests = createRateLimit(MAX_REQUESTS_PER_CLIENT, clock)
  const checks = createRateLimit(MAX_CHECKS_PER_CLIENT, clock)
  const checksOfHost = createRateLimit(MAX_CHECKS_PER_HOST, clock)

  const countClient = (limit: RateLimit, client: string) => {
    for (const { name, limitFactor } of clientNetworks(client)) limit.count(name, limitFactor)
  }

  function pageOf({ url = '' }: OwnerRequest): URL {
    parsePurgeTarget({ url })
    const page = new URL(url)
    page.hash = ''
    guard.checkHost(hostnameOf(page))
    return page
  }

  const purposeOf = (action: OwnerAction, page: URL) => `${action} ${page.origin} ${subjectOfUrl(page)}`

  async function performChecked(
    { action, client, signal }: OwnerRequest,
    page: URL,
    nonce: string,
  ): Promise<Performed> {
    const proof = await finder.find(page, nonce, { client, signal })
    if (proof === 'unknown')
      throw new PageError(
        'EUNREACHABLE',
        `${page.host} could not be read, so it is not known whether it shows the nonce. Try again later.`,
        {
          data: { url: 'could not be read' },
        },
      )
    if (proof === 'absent') throw notShownError(page.host)
    // Before the purge: what is captured meanwhile must not be stored after it.
    if (action === 'takedown') await removedPages.remove(page, nonce)
    const purged = await store.purges.purge({ page: subjectOfUrl(page) })
    return { action, url: page.href, proof, ...purged }
  }

  return {
    async challenge(request) {
      countClient(requests, request.client)
      const page = pageOf(request)
      const { action } = request
      const { nonce, expiresAt } = await nonces.create(purposeOf(action, page))
      const content = action === 'takedown' ? `none ${nonce}` : nonce
      return {
        action,
        url: page.href,
        nonce,
        expiresAt,
        meta: `<meta name="${OPT_OUT_NAME}" content="${content}">`,
        file: { url: page.origin + WELL_KNOWN_FILE, line: nonce },
      }
    },
    async perform(request, nonce) {
      countClient(requests, request.client)
      const { action } = request
      const page = pageOf(request)
      if (!(await nonces.isValid(nonce, purposeOf(action, page))))
        throw new PageError(
          'EAUTH',
          'This nonce is not one for this page and action, or it has expired. Request another one.',
          {
            status: 403,
            data: { nonce: 'is wrong or has expired' },
          },
        )
      countClient(checks, request.client)
      checksOfHost.count(hostnameOf(page))
      const fields = { event: 'owner-request', action, targetHost: page.host }
      try {
        const performed = await performChecked(request, page, nonce)
        const { proof, entries, images } = performed
        log.info(
          { ...fields, outcome: 'done', proof, entries, images },
          'the owner of a page has changed what is shown of it',
        )
        return performed
      } catch (error) {
        const outcome = error instanceof PageError ? error.code : 'EFATAL'
        log.info({ ...fields, outcome }, 'somebody who may not be its owner wanted to change what is shown of a page')
        throw error
      }
    },
  }
}

/** Counts in windows, which start with the first event of each name. */
interface RateLimit {
  /**
   * @param factor  The limit counts so many times. Default: once.
   * @throws        {PageError} `ERATE`
   */
  count(name: string, factor?: number): void
}

const MAX_NAMES = 20_000

function createRateLimit(limit: number, clock: () => number): RateLimit {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_NAMES })
  return {
    count(name, factor = 1) {
      const known = windows.get(name)
      const now = clock()
      const window = known && now < known.endsAt ? known : { count: 0, endsAt: now + WINDOW_MS }
      if (window.count >= limit * factor)
        throw new PageError('ERATE', 'Too many requests for changes of pages. Try again later.', {
          retryAfterMs: window.endsAt - now,
        })
      windows.set(name, { ...window, count: window.count + 1 })
    },
  }
}
