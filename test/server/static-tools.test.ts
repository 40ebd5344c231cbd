import { expect, it, onTestFinished } from 'vitest'
import { openGuardedRequests } from '../../src/server/static-tools.js'
import { localSite, redirectTo } from '../local-site.js'

const { signal } = new AbortController()

it('follows a link, and says where it leads, and whether for good', async () => {
  const site = await localSite({
    '/1': redirectTo('/2', 301),
    '/2': redirectTo('/end', 308),
    '/now': redirectTo('/1', 302),
    '/end': 'The end',
    '/never': () => undefined,
  })
  const requests = await openGuardedRequests([site.host])
  onTestFinished(async () => {
    await requests.close()
    await site.close()
  })
  expect(await requests.follow(`${site.url}/1`, signal)).toEqual({ url: `${site.url}/end`, isPermanent: true })
  expect(await requests.follow(`${site.url}/now`, signal)).toEqual({ url: `${site.url}/end`, isPermanent: false })
  await expect(requests.follow(`${site.url}/never`, AbortSignal.abort(new Error('Stopped.')))).rejects.toThrow(
    'Stopped.',
  )
})

it('follows no link past the network guard', async () => {
  const site = await localSite({ '/': 'private' })
  const requests = await openGuardedRequests([])
  expect(await requests.follow(site.url, signal)).toBeUndefined()
  expect(site.requests).toEqual([])
  await requests.close()
  await site.close()
})
