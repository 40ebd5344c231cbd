import { setTimeout as delay } from 'node:timers/promises'
import type { SiteLink } from './find-links.js'
import { inspectLink, type InspectContext, type Inspection } from './inspect-link.js'
import type { AttemptResult } from './classify-attempt.js'
import { isGone, nextRecord, type FailingLink, type LinkHistory } from './link-history.js'
import type { LinkReport, LinkStatus } from './link-report.js'

export interface CheckLinksOptions extends InspectContext {
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

export interface CheckedLinks {
  reports: LinkReport[]
  /** Failing links of this check, for the next one; links that the site no longer has are left out. */
  history: LinkHistory
}

/** One site may be down, but several at the same time hardly are. */
const MIN_HOSTS = 3

/**
 * Checks links. One that fails is tried again after all others and a pause, because most failures pass.
 *
 * @throws  As `inspectLink`; Error with a sentence when none of several hosts responds, which means that the network has failed.
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
    throw new Error('None of the links could be reached, so nothing was recorded: check the network of this machine.')
  return { reports: links.map((link) => reports.get(link)!), history }
}

const hostsOf = (links: readonly SiteLink[]) => new Set(links.map(({ url }) => new URL(url).host))

const isFailure = ({ result: { outcome } }: Inspection) => outcome === 'absent' || outcome === 'unreachable'

async function inspectAll(
  links: readonly SiteLink[],
  { concurrency, signal, ...context }: CheckLinksOptions,
  onInspection: (link: SiteLink, inspection: Inspection) => void,
): Promise<void> {
  const stopping = new AbortController()
  const either = AbortSignal.any([signal, stopping.signal])
  const remaining = links.values()
  const work = async () => {
    // All workers take from one iterator.
    for (const link of remaining) {
      either.throwIfAborted()
      onInspection(link, await inspectLink(link, { ...context, signal: either }))
    }
  }
  const workers = Array.from({ length: concurrency }, () =>
    work().catch((error: unknown) => {
      stopping.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(workers)
  either.throwIfAborted()
}

function reportOf(
  { url, pages }: SiteLink,
  { result: { outcome, ...details }, changes }: Inspection,
  { record, isGone }: { record: FailingLink | undefined; isGone: boolean },
): LinkReport {
  const hasFailed = outcome === 'absent' || outcome === 'unreachable'
  return {
    url,
    status: hasFailed ? (isGone ? 'gone' : 'failing') : outcome === 'unclear' ? 'unclear' : statusOf(changes),
    ...details,
    ...(hasFailed && record && { since: record.since, checks: record.checks }),
    ...changes,
    pages,
  }
}

function statusOf({ newUrl, title, imageDifference }: Inspection['changes']): LinkStatus {
  if (newUrl) return 'moved'
  return title || imageDifference !== undefined ? 'changed' : 'ok'
}
