import type { PageState } from '../../query/index.js'
import { hostnameOf } from '../hostnames.js'
import type { Logger } from '../log.js'

const DESCRIPTIONS: Readonly<Record<PageState, string>> = {
  'bot-check': 'shows a bot check instead of its content',
  blank: 'shows a blank screen instead of its content',
  'error-page': 'shows an error message instead of its content',
  consent: 'shows a consent wall instead of its content',
  login: 'shows a login form or a paywall instead of its content',
  'opted-out': 'does not want a preview',
}

/** Everything that a page can show instead of its content. */
export const pageStates = Object.keys(DESCRIPTIONS) as PageState[]

/** The end of a sentence that begins with the page: `shows a bot check instead of its content`. */
export const describeState = (state: PageState): string => DESCRIPTIONS[state]

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
