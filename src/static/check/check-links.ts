import { setTimeout as delay } from 'node:timers/promises'
import type { PageState } from '../../query/index.js'
import { scanSite, type Lock, type SiteOptions } from '../freeze/index.js'
import { workThrough } from '../work-through.js'
import {
  inspectLink,
  type AttemptResult,
  type Inspection,
  type Inspector,
  type LinkChanges,
  type SiteLink,
} from './inspect-link.js'
import { isGone, nextRecord, type FailingLink, type LinkHistory } from './link-history.js'
import type { NewestVersion } from './page-versions.js'

const MAX_PAGES = 10

/**
 * The links of a site that have previews, each URL once, in the order of the pages; of several previews of one URL, the first that
 * was frozen with an image is compared.
 *
 * @returns  The links, and the pages that could not be read.
 * @throws   {PageError} `EINVALQUERY` for an invalid selector; the reason of `signal`.
 */
export async function findLinks({ lock, ...site }: SiteOptions & { lock: Lock }) {
  const { requests, files, skipped } = await scanSite(site)
  // Used by a check without the defaults that the site was frozen with.
  const entriesByUrl = new Map([...lock.values()].map((entry) => [entry.url, entry]))
  const links = new Map<string, SiteLink>()
  for (const { request, pages } of requests.values()) {
    const { url } = request.query
    const entry = lock.get(request.key) ?? entriesByUrl.get(url)
    const known = links.get(url)
    const isBetter = !known?.entry?.preview?.image && entry?.preview
    links.set(url, {
      url,
      request: known && !isBetter ? known.request : request,
      entry: known && !isBetter ? known.entry : entry,
      pages: [...new Set([...(known?.pages ?? []), ...pages])].slice(0, MAX_PAGES),
    })
  }
  return { links: [...links.values()], files, skipped }
}

/**
 * The state of a link. `ok`: it shows its page. `changed`: another title or image than when it was frozen. `moved`: it redirects
 * permanently. `unclear`: the page refuses to be checked. `failing`: it does not work now. `gone`: it has not worked for several
 * checks.
 */
export type LinkStatus = 'ok' | 'changed' | 'moved' | 'unclear' | 'failing' | 'gone'

/** One link of a site. */
export interface LinkReport extends LinkChanges {
  url: string
  status: LinkStatus
  /** Why, as a sentence; absent for `ok`. */
  reason?: string
  /** The page's own HTTP status. */
  statusCode?: number
  /** Code of the error, if there was no response. */
  code?: string
  /** What the page showed instead of its content. */
  state?: PageState
  /** When it was first found failing, ISO 8601. */
  since?: string
  /** The number of checks in a row in which the link failed, this one included. */
  checks?: number
  /** The newest version of the page, with what changed in it. Only if pages are requested with their history. */
  version?: NewestVersion
  /** Pages of the site that link there, relative to its folder; at most 10. */
  pages: string[]
}

/** Most urgent first. */
export const LINK_STATUSES: readonly LinkStatus[] = ['gone', 'failing', 'moved', 'changed', 'unclear', 'ok']

interface CheckLinksOptions extends Inspector {
  /** Links that failed in earlier checks; it is not changed. */
  history: LinkHistory
  /** Checks in a row after which a failing link is gone. */
  goneAfter: number
  /** Milliseconds before failing links are tried again. */
  retryPauseMs: number
  /** Links at the same time. */
  concurrency: number
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: (() => number) | undefined
  /** Called for each link as soon as its report is known. */
  onReport?: ((report: LinkReport) => void) | undefined
}

interface CheckedLinks {
  reports: LinkReport[]
  /** Failing links of this check, for the next one; links that the site no longer has are left out. */
  history: LinkHistory
}

/** None of several hosts responds, which means that the network of this machine has failed. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** One site may be down, but several at the same time hardly are. */
const MIN_HOSTS = 3

/**
 * Checks links. One that fails is tried again after all others and a pause, because most failures pass.
 *
 * @throws  As `inspectLink`; {NetworkError} with a sentence.
 */
export async function checkLinks(links: readonly SiteLink[], options: CheckLinksOptions): Promise<CheckedLinks> {
  const { retryPauseMs, clock = Date.now, signal } = options
  const reports = new Map<SiteLink, LinkReport>()
  const history: LinkHistory = new Map()
  const outcomes = new Set<AttemptResult['outcome']>()
  const conclude = (link: SiteLink, inspection: Inspection) => {
    const { result } = inspection
    outcomes.add(result.outcome)
    const record = nextRecord(options.history.get(link.url), { result, now: clock() })
    if (record) history.set(link.url, record)
    const isGoneNow = record && isFailure(inspection) && isGone(record, { ...options, result, now: clock() })
    const report = reportOf(link, inspection, { record, isGone: isGoneNow === true })
    reports.set(link, report)
    options.onReport?.(report)
  }

  const failed: SiteLink[] = []
  await inspectAll(links, options, (link, inspection) => {
    if (isFailure(inspection)) failed.push(link)
    else conclude(link, inspection)
  })
  if (failed.length > 0) await delay(retryPauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  await inspectAll(failed, options, conclude)
  if (outcomes.size === 1 && outcomes.has('unreachable') && hostsOf(links).size >= MIN_HOSTS)
    throw new NetworkError(
      'None of the links could be reached, so nothing was recorded: check the network of this machine.',
    )
  return { reports: links.map((link) => reports.get(link)!), history }
}

const hostsOf = (links: readonly SiteLink[]) => new Set(links.map(({ url }) => new URL(url).host))

const isFailure = ({ result: { outcome } }: Inspection) => outcome === 'absent' || outcome === 'unreachable'

const inspectAll = (
  links: readonly SiteLink[],
  options: CheckLinksOptions,
  onInspection: (link: SiteLink, inspection: Inspection) => void,
): Promise<void> =>
  workThrough(links, options, async (link, signal) =>
    onInspection(link, await inspectLink(link, { ...options, signal })),
  )

function reportOf(
  { url, pages }: SiteLink,
  inspection: Inspection,
  { record, isGone }: { record: FailingLink | undefined; isGone: boolean },
): LinkReport {
  const { result, changes, version } = inspection
  const { outcome, ...details } = result
  const hasFailed = isFailure(inspection)
  return {
    url,
    status: hasFailed ? (isGone ? 'gone' : 'failing') : outcome === 'unclear' ? 'unclear' : statusOf(changes),
    ...details,
    ...(hasFailed && record && { since: record.since, checks: record.checks }),
    ...changes,
    ...(version && { version }),
    pages,
  }
}

function statusOf({ newUrl, title, imageDifference }: Inspection['changes']): LinkStatus {
  if (newUrl) return 'moved'
  return title || imageDifference !== undefined ? 'changed' : 'ok'
}
