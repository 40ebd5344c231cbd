import { expect, it } from 'vitest'
import { launchBrowser } from '../../../src/server/browser/launch-browser.js'

it.each([
  ['/nowhere/chromium', 'ENOENT'],
  [process.execPath, 'bad option'],
])('reports why %s does not start as a browser', async (path, reason) => {
  const launching = launchBrowser({ path, source: 'option' }, { allowUnsandboxed: true })
  await expect(launching).rejects.toThrow(reason)
})
