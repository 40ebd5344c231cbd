import { setTimeout as sleep } from 'node:timers/promises'
import type { PageQuery } from '../../query/index.js'
import { injectStyle } from './inject-style.js'
import { invalidSelectorError } from './invalid-selector-error.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage, runUnlessReplaced } from './run-in-page.js'
import { atMost } from './wait-for-condition.js'
import { waitForLoad } from './wait-for-load.js'
import { waitForQuiet } from './wait-for-quiet.js'

export interface InteractOptions {
  remainingWaitMs: () => number
  signal: AbortSignal
  /** Receives a sentence for each interaction that failed; the screenshot is taken all the same. */
  warn: (warning: string) => void
}

interface Interaction extends InteractOptions {
  page: OpenPage
  frame: MainFrame
}

type Target = { state: 'invalid' | 'missing' } | { state: 'found'; x: number; y: number }

const POLL_MS = 50
/** An element to click may appear this much later than the page has loaded. */
const GRACE_MS = 1_000
/** A click takes effect within this time, even on a page without scripts. */
const CLICK_QUIET_MS = 100

const LOCATE = `(selector) => {
  let element
  try { element = document.querySelector(selector) } catch { return { state: 'invalid' } }
  if (!element?.checkVisibility({ visibilityProperty: true })) return { state: 'missing' }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  return { state: 'found', x: left + width / 2, y: top + height / 2 }
}`
const SCROLL_TO = `(selector) => {
  let element
  try { element = document.querySelector(selector) } catch { return { state: 'invalid' } }
  if (!element) return { state: 'missing' }
  element.scrollIntoView({ block: 'start', behavior: 'instant' })
  return { state: 'found', x: 0, y: 0 }
}`

/**
 * Performs the interactions of a query, in this order: styles, waitForSelector, click, waitForTimeout, scroll.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid selector.
 */
export async function interact(
  page: OpenPage,
  frame: MainFrame,
  { styles, waitForSelector, waitForTimeout, click, scroll }: PageQuery,
  options: InteractOptions,
): Promise<void> {
  const interaction = { page, frame, ...options }
  for (const style of toList(styles)) await addStyle(interaction, style)
  if (waitForSelector !== undefined) await waitForElement(interaction, waitForSelector)
  for (const selector of toList(click)) await clickElement(interaction, selector)
  if (waitForTimeout !== undefined) await waitFor(interaction, Number(waitForTimeout))
  if (scroll !== undefined) await scrollToElement(interaction, scroll)
}

async function addStyle({ page, frame, warn, ...limits }: Interaction, style: string): Promise<void> {
  if (!(await injectStyle(page, frame, style, limits))) warn(`styles: ${style.trim()} could not be loaded.`)
}

async function waitForElement(interaction: Interaction, selector: string): Promise<void> {
  const timeoutMs = interaction.remainingWaitMs()
  const target = await locate(interaction, { parameter: 'waitForSelector', selector, timeoutMs })
  if (!target) interaction.warn(`waitForSelector: no visible element matched ${selector} in time.`)
}

async function clickElement(interaction: Interaction, selector: string): Promise<void> {
  const { page, frame, warn } = interaction
  const target = await locate(interaction, { parameter: 'click', selector, timeoutMs: GRACE_MS })
  if (!target) return warn(`click: no visible element matches ${selector}.`)
  const { x, y } = target
  const button = { x, y, button: 'left', clickCount: 1 } as const
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
  await waitForQuiet(page, frame, { ...interaction, quietMs: CLICK_QUIET_MS })
  const wasLink = frame.isNavigating()
  if (wasLink) await waitForLoad(page, frame, { ...interaction, waitUntil: 'auto' })
}

async function waitFor({ frame, remainingWaitMs, signal, warn }: Interaction, requestedMs: number): Promise<void> {
  const startedAt = performance.now()
  await frame.waitUntil(() => false, { remainingMs: atMost(requestedMs, remainingWaitMs), signal })
  if (performance.now() - startedAt < requestedMs)
    warn('waitForTimeout was cut short to leave time for the screenshot.')
}

async function scrollToElement(interaction: Interaction, selector: string): Promise<void> {
  const { page, frame, warn } = interaction
  const { state } = await runInPage<Target>(page, SCROLL_TO, selector)
  if (state === 'invalid') throw invalidSelectorError('scroll')
  if (state === 'missing') warn(`scroll: no element matches ${selector}.`)
  else await waitForQuiet(page, frame, interaction)
}

async function locate(
  { page, remainingWaitMs, signal }: Interaction,
  { parameter, selector, timeoutMs }: { parameter: string; selector: string; timeoutMs: number },
): Promise<{ x: number; y: number } | undefined> {
  const remainingMs = atMost(timeoutMs, remainingWaitMs)
  while (true) {
    const target = await runUnlessReplaced<Target>(page, LOCATE, selector)
    if (target?.state === 'invalid') throw invalidSelectorError(parameter)
    if (target?.state === 'found') return target
    if (remainingMs() <= 0) return undefined
    await sleep(POLL_MS, undefined, { signal })
  }
}

const toList = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value
