import { expect, it } from 'vitest'
import { openPreviews, toCardRequest } from '../../../src/static/freeze/index.js'
import { readLock } from '../../../src/static/freeze/lock.js'
import { fakeSource } from './fake-source.js'
import { temporarySite } from './temporary-site.js'

it('keeps in the lock file what another process has captured since it was opened', async () => {
  const { paths } = await temporarySite({})
  const { source } = fakeSource()
  const sessions = await Promise.all(['a', 'b'].map(() => openPreviews({ ...paths, source })))
  for (const [index, previews] of sessions.entries()) {
    await previews.resolve(toCardRequest({ url: `https://site.test/${index}` }))
    await previews.save({ isComplete: false })
    await previews.close()
  }
  const urls = [...(await readLock(paths.lock)).values()].map(({ url }) => url)
  expect(urls).toEqual(['https://site.test/0', 'https://site.test/1'])
})
