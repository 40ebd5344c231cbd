import { afterEach, expect } from 'vitest'
import { page } from 'vitest/browser'

// Compares the marked element of a story with its baseline image in `looks`.
afterEach(async () => {
  const subject = document.querySelector<HTMLElement>('[data-baseline]')
  if (subject) await expect.element(page.elementLocator(subject)).toMatchScreenshot(subject.dataset.baseline)
})
