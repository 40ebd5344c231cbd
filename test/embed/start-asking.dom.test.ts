import { afterEach, expect, it, vi } from 'vitest'
import { startAsking } from '../../src/embed/asking/index.js'

const URL_ASKED = 'https://service.test/?url=https%3A%2F%2Fshoreline.example%2F'
const CONFIGURED = { hosts: 'https://service.test' }

const order: string[] = []
vi.stubGlobal('fetch', async (url: string) => {
  order.push(url)
  return new Response()
})
const shown = { enhance: vi.fn(), hover: vi.fn(), refresh: vi.fn() }
const loadShown = async () => {
  order.push('what shows it')
  return { startPreviews: async () => shown }
}
const preview = () =>
  Object.assign(document.createElement('page-preview'), { innerHTML: '<a href="https://shoreline.example">' })

afterEach(() => {
  order.length = 0
  vi.clearAllMocks()
})

it('asks for what is near before that which shows it is started, however soon that is there', async () => {
  const previews = startAsking(undefined, CONFIGURED, loadShown)
  await vi.dynamicImportSettled()
  expect(order).toEqual([])
  const [first, second] = [preview(), preview()]
  previews.near(first)
  previews.near(second)
  expect(order).toEqual([URL_ASKED, 'what shows it'])
  await vi.waitFor(() => expect(shown.enhance.mock.calls).toEqual([[first], [second]]))
})

it('starts that which shows previews for a link that is pointed at, and asks nothing ahead for it', async () => {
  const link = document.createElement('a')
  startAsking(undefined, CONFIGURED, loadShown).hover(link)
  expect(order).toEqual(['what shows it'])
  await vi.waitFor(() => expect(shown.hover.mock.calls).toEqual([[link]]))
})

it('has nothing to refresh before something was near', async () => {
  await startAsking(undefined, CONFIGURED, loadShown).refresh(undefined)
  expect(order).toEqual([])
  expect(shown.refresh).not.toHaveBeenCalled()
})
