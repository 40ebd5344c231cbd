import type { Page } from 'puppeteer-core'

/** Long enough for a machine under load. */
export const WAIT_OPTIONS = { timeout: 40_000 }

/** Waits until the first `<page-preview>` of a page shows this card, with a loaded image of this width in its own pixels. */
export async function untilCard(page: Page, card: { layout: string; title: string; width: string }): Promise<void> {
  await page.waitForFunction(
    ({ layout, title, width }) => {
      const shadow = document.querySelector('page-preview')?.shadowRoot
      const image = shadow?.querySelector<HTMLImageElement>('img.pp-image:not([data-pending])')
      return (
        shadow?.querySelector(`[data-status=ready][data-layout=${layout}]`) &&
        shadow.querySelector('.pp-title')?.textContent === title &&
        image?.getAttribute('width') === width &&
        image.complete &&
        image.naturalWidth > 0
      )
    },
    WAIT_OPTIONS,
    card,
  )
}
