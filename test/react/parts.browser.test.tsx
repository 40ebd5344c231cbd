// Covers cards of parts with the classes of styles.css in a browser.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import type { PageData } from '../../src/query/index.js'
import { PagePreviewProvider } from '../../src/react/index.js'
import { Preview } from '../../src/react/parts/index.js'
import '../../src/react/styles.css'
import { deferred, fakeService, page, screenshot, TARGET, type FakeResponse } from './fake-service.js'
import imageUrl from './images/old.png?url'
import { observeLayoutShifts, painted } from './layout-shifts.js'

afterEach(cleanup)

const data: PageData = {
  ...page,
  author: 'Mara Lind',
  publisher: 'The Shoreline Society for Tides, Currents and Everything Else that Moves',
  date: '2026-01-31T00:00:00.000Z',
  screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 },
}

const card = (response: FakeResponse) => (
  <PagePreviewProvider
    fetch={fakeService(response).fetch}
    queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
  >
    <main style={{ inlineSize: 320, font: '16px/1.6 sans-serif' }}>
      <Preview.Root url={TARGET} screenshot loading="eager" className="page-preview">
        <Preview.Media className="pp-media">
          <Preview.Image className="pp-image" />
          <Preview.Fallback className="pp-fallback" />
        </Preview.Media>
        <div className="pp-body">
          <div className="pp-text">
            <Preview.Link className="pp-link pp-title" />
            <Preview.Skeleton className="pp-skeleton" />
            <Preview.Description className="pp-description" />
          </div>
          <div className="pp-site">
            <Preview.Icon className="pp-icon" />
            <Preview.Author className="pp-author" />
            <Preview.Date className="pp-date" />
            <Preview.Publisher className="pp-publisher" />
          </div>
        </div>
      </Preview.Root>
      <p>Below</p>
    </main>
  </PagePreviewProvider>
)

const element = (selector: string) => document.querySelector<HTMLElement>(selector)!
const until = (selector: string) => vi.waitFor(() => expect(element(selector)).not.toBeNull(), { timeout: 10_000 })

it.each<[string, FakeResponse, string]>([
  ['its page', { data }, '[data-status=ready] .pp-image:not([data-pending])'],
  [
    'a page without texts and image',
    { data: { title: null, description: null, image: null, logo: null, screenshot: null } },
    '[data-status=ready] .pp-fallback',
  ],
  ['a failure', { error: { status: 403, code: 'EFORBIDDENURL' } }, '[data-status=failed] .pp-description'],
])('a card of parts does not move the page when it shows %s', async (_, response, selector) => {
  const { promise, resolve } = deferred()
  await render(card({ ...response, after: promise }))
  await painted()
  expect(element('.pp-skeleton')).not.toBeNull()
  const before = element('.page-preview').getBoundingClientRect()
  const shifts = observeLayoutShifts()
  resolve()
  await until(selector)
  await painted(5)
  shifts.stop()
  expect(shifts.total()).toBe(0)
  expect(element('.page-preview').getBoundingClientRect().toJSON()).toEqual(before.toJSON())
})

it('author, date and publisher are small, muted and on one line, which ends in an ellipsis', async () => {
  await render(card({ data }))
  await until('[data-status=ready] .pp-publisher')
  const [author, date, publisher] = ['.pp-author', '.pp-date', '.pp-publisher'].map((name) => element(name))
  const site = element('.pp-site').getBoundingClientRect()
  for (const part of [author!, date!, publisher!]) {
    const { color, fontSize } = getComputedStyle(part)
    expect([color, fontSize]).toEqual([getComputedStyle(element('.pp-text')).color, '13px'])
    expect(part.getClientRects()).toHaveLength(1)
    expect(part.getBoundingClientRect().bottom).toBeLessThanOrEqual(site.bottom)
  }
  expect(publisher!.scrollWidth).toBeGreaterThan(publisher!.clientWidth)
  expect(site.right).toBeLessThanOrEqual(element('.page-preview').getBoundingClientRect().right)
  expect(getComputedStyle(date!, '::before').content).toBe('"·\u00a0"')
  expect(getComputedStyle(author!, '::before').content).toBe('none')
})

it('a part has the styles of its class among the classes of an own element too', async () => {
  await render(
    <PagePreviewProvider fetch={fakeService({ data }).fetch} queryClient={new QueryClient()}>
      <Preview.Root url={TARGET} loading="eager" className="page-preview">
        <Preview.Description className="pp-description" render={<p className="own" />} />
      </Preview.Root>
    </PagePreviewProvider>,
  )
  await until('p.own')
  expect(element('p.own').className).toBe('own pp-description')
  expect(getComputedStyle(element('p.own')).margin).toBe('0px')
})

const boxes = (ratio: object, style?: object) => (
  <PagePreviewProvider fetch={fakeService({ data }).fetch} queryClient={new QueryClient()}>
    <main style={{ inlineSize: 320 }}>
      <Preview.Root url={TARGET} screenshot loading="eager">
        <Preview.Media {...ratio}>
          <Preview.Image style={style} />
        </Preview.Media>
        <Preview.Link />
        <Preview.Description />
        <Preview.Site className="site" />
      </Preview.Root>
    </main>
  </PagePreviewProvider>
)

describe('without a stylesheet', () => {
  it.each([
    ['as it is', undefined],
    ['as wide as its box', { inlineSize: '100%', blockSize: 'auto' }],
    ['as large as its box', { inlineSize: '100%', blockSize: '100%', objectFit: 'cover' }],
  ])('a box with a ratio alone keeps it, with an image that is %s', async (_, style) => {
    await render(boxes({ style: { aspectRatio: '2 / 1' } }, style))
    await until('[data-status=ready] img')
    await vi.waitFor(() => expect(element('img')).toMatchObject({ complete: true }))
    expect(element('img').parentElement!.getBoundingClientRect()).toMatchObject({ width: 320, height: 160 })
  })

  it('a box shows what is larger than itself if its style says so', async () => {
    await render(boxes({ style: { overflow: 'visible' } }))
    await until('[data-status=ready] img')
    expect(getComputedStyle(element('img').parentElement!).overflow).toBe('visible')
  })

  it('title and description are on lines of their own', async () => {
    await render(boxes({}))
    await until('[data-status=ready] p')
    const [link, description, site] = ['a', 'p', '.site'].map((name) => element(name).getBoundingClientRect())
    expect(description!.top).toBeGreaterThanOrEqual(link!.bottom)
    expect(site!.top).toBeGreaterThanOrEqual(description!.bottom)
  })
})

it('a site lays out its own icon and host', async () => {
  await render(boxes({}))
  await until('[data-status=ready] p')
  const [icon, host] = [element('.site > .pp-icon'), element('.site > .pp-host')]
  expect(getComputedStyle(icon)).toMatchObject({ display: 'inline-grid', width: '20px' })
  expect(host.getBoundingClientRect().left).toBeGreaterThan(icon.getBoundingClientRect().right)
})
