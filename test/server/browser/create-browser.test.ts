import { expect, it, onTestFinished, vi } from 'vitest'
import { blockedCategories } from '../../../src/server/browser/ad-lists.js'
import { requestScope } from '../request-scope.js'
import { startTestBrowser } from './test-browser.js'

it('loads the lists of the ad blocker again after a page that failed because of them', async () => {
  const test = await startTestBrowser({ '/': '<!doctype html><h1>Hello</h1>' })
  onTestFinished(() => test.close())
  const render = () => test.browser.render(requestScope({ url: test.site.url }))
  const lists = vi.spyOn(blockedCategories, 'has').mockImplementation(() => {
    throw new Error('too many open files')
  })
  onTestFinished(() => lists.mockRestore())
  await expect(render()).rejects.toThrow('too many open files')
  lists.mockRestore()
  expect(await render()).toMatchObject({ statusCode: 200 })
})
