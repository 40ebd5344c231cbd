import type { PageChange } from '../../query/index.js'
import type { LinkReport, LinkStatus } from './check-links.js'
import type { LinkChanges } from './inspect-link.js'

/** What is new of a link since the round before. */
export type LinkEvent = { url: string } & (
  | ({ kind: 'failing' | 'gone' } & Pick<LinkReport, 'reason' | 'since' | 'checks'>)
  | { kind: 'works' }
  | { kind: 'moved'; newUrl: string }
  | { kind: 'title'; title: NonNullable<LinkChanges['title']> }
  | { kind: 'image'; imageDifference: number }
  /** `since`: when the version of the page with these changes was first captured, ISO 8601. */
  | { kind: 'page'; since: string; changes: PageChange[] }
)

/** What is remembered of a link from one round to the next. */
interface LinkState {
  status: LinkStatus
  newUrl?: string | undefined
  title?: string | undefined
  hasOtherImage?: boolean
  /** When the newest version was first captured whose changes are known. */
  versionSince?: string | undefined
}

/** Compares each round of checks with the one before. */
export interface RoundComparison {
  /**
   * @param reports  All links of a round.
   * @returns        What is new, in the order of the links; nothing of the first round.
   */
  next(reports: readonly LinkReport[]): LinkEvent[]
}

export function createRoundComparison(): RoundComparison {
  let states: ReadonlyMap<string, LinkState> | undefined
  return {
    next(reports) {
      const before = states
      states = new Map(reports.map((report) => [report.url, stateAfter(report, before?.get(report.url))]))
      return before ? reports.flatMap((report) => eventsOf(report, before.get(report.url))) : []
    },
  }
}

const isFailing = (status: LinkStatus | undefined) => status === 'failing' || status === 'gone'

function stateAfter(report: LinkReport, known: LinkState | undefined): LinkState {
  const { status, newUrl, title, imageDifference, version } = report
  // Nothing new is known of it.
  if (status === 'unclear') return known ?? { status }
  if (isFailing(status)) return { ...known, status }
  const isNewer = version && version.since > (known?.versionSince ?? '')
  return {
    status,
    newUrl,
    title: title?.now,
    hasOtherImage: imageDifference !== undefined,
    versionSince: isNewer ? version.since : known?.versionSince,
  }
}

function eventsOf(report: LinkReport, known: LinkState | undefined): LinkEvent[] {
  const { url, status, reason, since, checks, newUrl, title, imageDifference, version } = report
  if (status === 'unclear') return []
  if (status === 'failing' || status === 'gone')
    return known?.status === status ? [] : [{ kind: status, url, reason, since, checks }]
  const events: LinkEvent[] = []
  if (isFailing(known?.status)) events.push({ kind: 'works', url })
  if (newUrl && newUrl !== known?.newUrl) events.push({ kind: 'moved', url, newUrl })
  if (title && title.now !== known?.title) events.push({ kind: 'title', url, title })
  // The changes of a version leave out what differs all the time, such as an advert, which the image does not.
  if (!version && imageDifference !== undefined && !known?.hasOtherImage)
    events.push({ kind: 'image', url, imageDifference })
  if (version && version.changes.length > 0 && known?.versionSince && version.since > known.versionSince)
    events.push({ kind: 'page', url, ...version })
  return events
}
