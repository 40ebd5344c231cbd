import { afterEach, expect, it, vi } from 'vitest'
import { startPreviews } from '../../src/embed/first-requests.js'

const REQUEST_URL = 'https://service.test/?url=https%3A%2F%2Fshoreline.example%2F'
const CONFIGURED = { endpoint: 'https://service.test' }

const events: string[] = []
vi.stubGlobal('fetch', async (url: string) => {
  events.push(url)
  return new Response()
})
const mounted = { mount: vi.fn(), hover: vi.fn(), refresh: vi.fn() }
const load = async () => {
  events.push('load mounting')
  return { startElement: async () => mounted }
}
const preview = () =>
  Object.assign(document.createElement('page-preview'), { innerHTML: '<a href="https://shoreline.example">' })

afterEach(() => void (events.length = 0))

it('sends the request of the first preview before it loads the code that mounts it', async () => {
  const previews = startPreviews(null, CONFIGURED, load)
  await vi.dynamicImportSettled()
  expect(events).toEqual([])
  const [first, second] = [preview(), preview()]
  previews.mount(first)
  previews.mount(second)
  expect(events).toEqual([REQUEST_URL, 'load mounting'])
  await vi.waitFor(() => expect(mounted.mount.mock.calls).toEqual([[first], [second]]))
})

it('sends the request that the preview itself would send', () => {
  const element = preview()
  element.setAttribute('locale', 'de_AT')
  element.setAttribute('full-page', '')
  element.setAttribute('layout', 'row')
  startPreviews(null, CONFIGURED, load).mount(element)
  expect(events[0]).toBe(
    'https://service.test/?locale=de-AT&screenshot.fullPage=true&url=https%3A%2F%2Fshoreline.example%2F',
  )
})

it('loads the code for a hover preview, and prefetches nothing for it', async () => {
  const link = document.createElement('a')
  startPreviews(null, CONFIGURED, load).hover(link)
  expect(events).toEqual(['load mounting'])
  await vi.waitFor(() => expect(mounted.hover.mock.calls).toEqual([[link]]))
})

it('has nothing to refresh before the first preview comes near the viewport', async () => {
  await startPreviews(null, CONFIGURED, load).refresh(undefined)
  expect(events).toEqual([])
  expect(mounted.refresh).not.toHaveBeenCalled()
})
