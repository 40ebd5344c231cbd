import { expect, it, onTestFinished } from 'vitest'
import { createLinkFollower } from '../../../src/static/check/index.js'
import { localSite, redirectTo } from '../../local-site.js'

const { signal } = new AbortController()

it('says where a link leads, and whether for good', async () => {
  const site = await localSite({
    '/1': redirectTo('/2', 301),
    '/2': redirectTo('/end', 308),
    '/now': redirectTo('/1', 302),
    '/end': 'The end',
    '/never': () => undefined,
  })
  const follower = createLinkFollower([site.host])
  onTestFinished(async () => {
    await follower.close()
    await site.close()
  })
  expect(await follower.follow(`${site.url}/1`, signal)).toEqual({ url: `${site.url}/end`, isPermanent: true })
  expect(await follower.follow(`${site.url}/now`, signal)).toEqual({ url: `${site.url}/end`, isPermanent: false })
  await expect(follower.follow(`${site.url}/never`, AbortSignal.abort(new Error('Stopped.')))).rejects.toThrow(
    'Stopped.',
  )
})

it('goes through the network guard', async () => {
  const site = await localSite({ '/': 'private' })
  const follower = createLinkFollower([])
  expect(await follower.follow(site.url, signal)).toBeUndefined()
  expect(site.requests).toEqual([])
  await follower.close()
  await site.close()
})
