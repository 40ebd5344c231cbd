// Covers how the frames and workers of a page are counted: the rest is in `open-page.slow.test.ts`.
import { expect, it, onTestFinished } from 'vitest'
import { createCaptureBudget } from '../../../src/server/budget/index.js'
import { createGuard } from '../../../src/server/network/index.js'
import { startEgressProxy } from '../../../src/server/network/egress-proxy.js'
import type { Route } from '../../local-site.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const WORKERS = 3
const startWorkers = (type: string): Route =>
  `<script>for (let n = 0; n < ${WORKERS}; n++) new ${type}('/worker.js?' + n)</script>`

/** Captures a path of a site in a browser whose pages may have as many targets. */
async function captureWithin(targets: number, path: string) {
  const test: TestBrowser = await startTestBrowser(
    {
      '/workers': startWorkers('Worker'),
      '/shared-workers': startWorkers('SharedWorker'),
      '/worker.js': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/javascript' }).end('setInterval(() => 0, 1000)'),
    },
    {
      openProxy: async () => {
        const budget = createCaptureBudget({ targets })
        const guard = createGuard({ allowTargets: [test.site.host] })
        const proxy = await startEgressProxy(guard, { budget })
        return { url: proxy.url, budget, close: () => proxy.close() }
      },
    },
  )
  onTestFinished(() => test.close())
  return test.capture(path, { waitForTimeout: 300 })
}

it.each(['/workers', '/shared-workers'])('counts the page and each of its workers once: %s', async (path) => {
  expect(await captureWithin(1 + WORKERS, path)).toMatchObject({ statusCode: 200 })
  await expect(captureWithin(WORKERS, path)).rejects.toMatchObject({ code: 'ETOOLARGE' })
})
