import type { PageState } from '../../query/index.js'
import type { Logger } from '../log/index.js'
import { hostnameOf } from '../hostnames/index.js'
import { pageStates } from './describe-state.js'

/** What pages showed instead of their content. */
export interface StateCounter {
  /** Counts a page, and writes its host to the log. */
  record(state: PageState, url: string): void
  /** So far, by state. */
  counts(): Readonly<Record<PageState, number>>
}

export function createStateCounter(log: Pick<Logger, 'info'>): StateCounter {
  const counts = Object.fromEntries(pageStates.map((state) => [state, 0])) as Record<PageState, number>
  return {
    record(state, url) {
      counts[state]++
      const fields = { event: 'page-without-content', state, targetHost: hostnameOf(new URL(url)) }
      log.info(fields, 'the page did not show its content')
    },
    counts: () => counts,
  }
}
