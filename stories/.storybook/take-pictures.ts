import { afterEach, expect } from 'vitest'
import { page } from 'vitest/browser'

// What a story marks is compared with the picture of it that is kept in `looks`.
afterEach(async () => {
  const subject = document.querySelector<HTMLElement>('[data-picture]')
  if (subject) await expect.element(page.elementLocator(subject)).toMatchScreenshot(subject.dataset.picture)
})
