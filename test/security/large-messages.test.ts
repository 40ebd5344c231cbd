// Covers a page whose requests are large messages of the browser, against the built service.
import { afterAll, beforeAll, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const PAGE = `<title>T</title><body>Hello<script>fetch('/post', { method: 'POST', body: 'a'.repeat(40e6) })</script>`

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService({ '/': PAGE })
})
afterAll(() => service.stop())

it('captures a page that sends 40 MB beside others', async () => {
  // A header of the caller's own lets the service see all requests of the page before they are sent.
  const query = { url: service.site.url, screenshot: 'true', ping: 'false', 'headers.x-a': '1' }
  const report = await service.attack('a page that sends 40 MB', async (signal) => {
    await (await service.get(query, { signal })).text()
  })
  expectContained(report)
})
