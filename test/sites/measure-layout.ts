import type { Page } from 'puppeteer-core'

/** What is wrong with the layout of a page; nothing is where all are 0. */
export interface PageLayout {
  /** Sum of the layout shifts. */
  shift: number
  /** CSS pixels by which the page is wider than the window. */
  overflow: number
  /** Cards that stand closer than 8 CSS pixels to the text around them. */
  touching: number
}

/**
 * Measures a page of `openApp` once everything is painted.
 *
 * @param movingParts  Selector of parts whose motion does not count. Default: none.
 */
export const measureLayout = (page: Page, movingParts = ':not(*)'): Promise<PageLayout> =>
  page.evaluate(async (selector) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
    const isMovingPart = (node: Node | null) => node instanceof Element && node.closest(selector) !== null
    const shifts = window.layoutShifts.filter(({ sources }) => !sources.every(({ node }) => isMovingPart(node)))
    const cards = document.querySelectorAll('page-preview:has(> .page-preview:not([data-layout=inline]))')
    return {
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
      overflow: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
      touching: [...cards].filter((card) => {
        const { top, bottom } = card.getBoundingClientRect()
        const before = neighbourBox(card, 'previousSibling')
        const after = neighbourBox(card, 'nextSibling')
        return (before && top - before.bottom < 8) || (after && after.top - bottom < 8)
      }).length,
    }

    function neighbourBox(card: Element, direction: 'previousSibling' | 'nextSibling'): DOMRect | undefined {
      let node: Node | null = card[direction]
      while (node && (node instanceof Comment || !node.textContent?.trim())) node = node[direction]
      if (!node) return undefined
      const range = document.createRange()
      range.selectNode(node)
      return range.getBoundingClientRect()
    }
  }, movingParts)
