import { afterEach, expect } from 'vitest'
import { page } from 'vitest/browser'

// Compares the marked element of a story with its baseline image in `looks`.
afterEach(async () => {
  const subject = document.querySelector<HTMLElement>('[data-baseline]')
  if (!subject) return
  // Two screenshots in a row must be the same, which takes longer than the default of 5 s on a machine under load.
  const options = { timeout: 30_000 }
  await expect.element(page.elementLocator(subject), options).toMatchScreenshot(subject.dataset.baseline, options)
})
