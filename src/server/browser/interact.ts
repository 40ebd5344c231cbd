import { setTimeout as sleep } from 'node:timers/promises'
import type { PageQuery } from '../../query/index.js'
import { addStyle } from './add-style.js'
import { invalidSelector } from './element-box.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { rest, settle } from './settle.js'

export interface InteractOptions {
  patienceMs: () => number
  signal: AbortSignal
  /** A sentence for what could not be done; the picture is taken all the same. */
  warn: (warning: string) => void
}

type Place = { state: 'invalid' | 'missing' } | { state: 'found'; x: number; y: number }

const POLL_MS = 50
/** How long something to click or to scroll to may come after the page has settled. */
const GRACE_MS = 1_000
/** A click takes effect this soon, even on a page without scripts. */
const AFTER_CLICK_MS = 100

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
 * Does what the query wants done before the picture, in this order: styles, waitForSelector, click, waitForTimeout, scroll.
 *
 * @throws  {PageError} `EINVALQUERY` for a selector that cannot be parsed.
 */
export async function interact(
  page: OpenPage,
  frame: MainFrame,
  { styles, waitForSelector, waitForTimeout, click, scroll }: PageQuery,
  options: InteractOptions,
): Promise<void> {
  const { patienceMs, signal, warn } = options
  for (const style of listOf(styles))
    if (!(await addStyle(page, frame, style, options))) warn(`styles: ${style.trim()} could not be loaded.`)
  if (waitForSelector !== undefined) {
    const isThere = await locate(page, 'waitForSelector', waitForSelector, { ...options, timeoutMs: patienceMs() })
    if (!isThere) warn(`waitForSelector: nothing visible matched ${waitForSelector} in time.`)
  }
  for (const selector of listOf(click)) {
    const place = await locate(page, 'click', selector, { ...options, timeoutMs: GRACE_MS })
    if (place) await clickAt(page, frame, place, options)
    else warn(`click: nothing visible matches ${selector}.`)
  }
  if (waitForTimeout !== undefined) {
    const wantedMs = Number(waitForTimeout)
    const timeoutMs = Math.min(wantedMs, patienceMs())
    await frame.until(() => false, { timeoutMs, signal })
    if (timeoutMs < wantedMs) warn('waitForTimeout was cut short, for the picture needs time too.')
  }
  if (scroll !== undefined) {
    const { state } = await runInPage<Place>(page, SCROLL_TO, scroll)
    if (state === 'invalid') throw invalidSelector('scroll')
    if (state === 'missing') warn(`scroll: nothing matches ${scroll}.`)
    else await rest(page, frame, options)
  }
}

async function locate(
  page: OpenPage,
  word: string,
  selector: string,
  { patienceMs, signal, timeoutMs }: InteractOptions & { timeoutMs: number },
): Promise<{ x: number; y: number } | undefined> {
  const end = performance.now() + Math.min(timeoutMs, patienceMs())
  while (true) {
    const place = await runInPage<Place>(page, LOCATE, selector)
    if (place.state === 'invalid') throw invalidSelector(word)
    if (place.state === 'found') return place
    if (performance.now() >= end) return undefined
    await sleep(POLL_MS, undefined, { signal })
  }
}

async function clickAt(page: OpenPage, frame: MainFrame, { x, y }: { x: number; y: number }, options: InteractOptions) {
  const at = { x, y, button: 'left', clickCount: 1 } as const
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
  await rest(page, frame, { ...options, quietMs: AFTER_CLICK_MS })
  // It may have been a link.
  if (frame.isNavigating()) await settle(page, frame, { ...options, waitUntil: 'auto' })
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value
