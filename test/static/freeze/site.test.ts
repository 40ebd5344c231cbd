import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPreviews, type Previews } from '../../../src/static/freeze/index.js'
import { scanSite, writeSite } from '../../../src/static/freeze/site.js'
import { fakeSource } from './fake-source.js'
import { pageWith, temporarySite } from './temporary-site.js'

const URL = 'https://example.com/'

it('keeps the images of a page that another program changes during the run', async () => {
  const { dir, paths, read } = await temporarySite({ 'index.html': pageWith(URL) })
  const { source, renew } = fakeSource()
  const writeWith = async (previews: Previews) => {
    const { pages, requests } = await scanSite({ dir })
    for (const { request } of requests.values()) await previews.resolve(request)
    return writeSite({ dir }, { pages, isComplete: true }, previews)
  }
  await writeWith(await openPreviews({ ...paths, source }))
  const [image] = /[\da-f]{16}\.\d+\.webp/.exec(await read('index.html'))!
  renew()
  const previews = await openPreviews({ ...paths, source, refresh: [URL] })
  const resolve: Previews['resolve'] = async (request) => {
    await appendFile(join(dir, 'index.html'), '<p>More')
    return previews.resolve(request)
  }
  const { skipped } = await writeWith({ ...previews, resolve })
  expect(skipped).toMatchObject([{ page: 'index.html', reason: expect.stringContaining('Another program') as unknown }])
  expect(await readdir(join(dir, 'page-preview'))).toContain(image)
})
