import type { ResultContext } from '../results/index.js'
import type { Metrics } from './metrics.js'

/** Adds metrics of what the service does: its slots, its browser, its revalidations, and what the guard refuses. */
export function addActivityMetrics(
  metrics: Metrics,
  { browser, revalidations, guard, stateCounter }: ResultContext,
): void {
  metrics.addGauge(
    'page_preview_slots',
    'Pages that the browser may have open at the same time, the reserve included.',
    () => browser.slots().all,
  )
  metrics.addGauge('page_preview_slots_busy', 'Pages that the browser has open.', () => browser.slots().busy)
  metrics.addGauge(
    'page_preview_browser_age_seconds',
    'Time since the browser was started; 0 while none runs.',
    () => browser.ageSeconds() ?? 0,
  )
  metrics.addCounter('page_preview_browser_restarts_total', 'Times that the browser was replaced by a new one.', () =>
    browser.restarts(),
  )
  metrics.addCounter(
    'page_preview_revalidations_started_total',
    'Revalidations that were started.',
    () => revalidations.counts().started,
  )
  metrics.addCounterByLabel('page_preview_revalidations_total', 'Revalidations that have ended.', 'outcome', () => {
    const { done, failed } = revalidations.counts()
    return { done, failed }
  })
  metrics.addCounterByLabel(
    'page_preview_pages_without_content_total',
    'Pages opened that did not show their content, by what they showed.',
    'state',
    () => stateCounter.counts(),
  )
  metrics.addCounterByLabel(
    'page_preview_egress_refusals_total',
    'Requests to targets that the network guard refused.',
    'reason',
    () => guard.refusals(),
  )
}
