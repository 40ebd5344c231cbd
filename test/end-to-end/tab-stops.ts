import type { Page } from 'puppeteer-core'

/** An element that Tab leads to. */
export interface TabStop {
  name: string
  /**
   * By the styles of the page or the browser. The link of a preview outlines the whole card; the controls of players are the
   * browser's own, and so are their outlines.
   */
  isOutlined: boolean
  isInView: boolean
  /** Its place among the elements of the page when the walk began. */
  order: number
}

/** More than any page here has. */
const MAX_STOPS = 200

/**
 * Presses Tab from the start of a page to its end, wherever the focus was.
 *
 * @returns  The stops, in the order in which they are reached, and the visible controls that are none of them.
 * @throws   Error when the focus does not leave the page.
 */
export async function walkByTab(page: Page): Promise<{ stops: TabStop[]; missed: string[] }> {
  const controls = await page.evaluateHandle(() =>
    [
      ...document.querySelectorAll(
        'a[href], button:not(:disabled), select, textarea, summary, input:not([type=radio])',
      ),
    ].filter(
      (control) =>
        control.checkVisibility() && control.getAttribute('tabindex') !== '-1' && !control.closest('[inert]'),
    ),
  )
  const elements = await page.evaluateHandle(() => [...document.querySelectorAll('*')])
  if (await page.evaluate(() => document.activeElement !== document.body)) await stopsUntilEnd()
  const stops = await stopsUntilEnd()
  const reached = stops.map(({ order }) => order)
  const missed = await page.evaluate(
    (all, controls, reached) =>
      controls
        .filter((control) => !reached.includes(all.indexOf(control)))
        .map((control) => control.outerHTML.slice(0, 200)),
    elements,
    controls,
    reached,
  )
  return { stops, missed }

  async function stopsUntilEnd(): Promise<TabStop[]> {
    const stops: TabStop[] = []
    for (let stop = await nextStop(); stop; stop = await nextStop()) {
      stops.push(stop)
      if (stops.length > MAX_STOPS) throw new Error('The focus does not leave the page.')
    }
    return stops
  }

  async function nextStop(): Promise<TabStop | undefined> {
    await page.keyboard.press('Tab')
    return page.evaluate((all) => {
      const element = document.activeElement!
      if (element === document.body) return undefined
      const { top, bottom } = element.getBoundingClientRect()
      const outlined = element.matches('.pp-link') ? element.closest('.page-preview')! : element
      const { outlineStyle, outlineWidth } = getComputedStyle(outlined)
      return {
        name: `${element.localName} ${element.id || element.getAttribute('aria-label') || element.textContent?.slice(0, 20)}`,
        isOutlined:
          element.matches('audio, video') ||
          outlineStyle === 'auto' ||
          (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2),
        isInView: bottom > 0 && top < innerHeight,
        order: all.indexOf(element),
      }
    }, elements)
  }
}
