import { describe, expect, it } from 'vitest'
import type { PageBlock } from '../../../src/server/browser/index.js'
import { PageError, type PageHistory } from '../../../src/query/index.js'
import { startApp } from './start-app.js'

const HOUR_MS = 3_600_000
const routes = { '/': '<!doctype html><title>Tides</title><p>When the water comes.' }
const block = (element: string, text: string, y: number): PageBlock => ({
  element,
  text,
  x: 0,
  y,
  width: 40,
  height: 10,
})

/** A page with a headline, an advert that is another one each time, and a clock. */
function madePage() {
  let visits = 0
  const page = { headline: 'Tides', visits: () => visits, blocks: () => [] as PageBlock[] }
  page.blocks = () => {
    visits++
    return [
      block('h1', page.headline, 0),
      block('#advert > p', `Buy ${['boats', 'ropes', 'nets'][visits % 3]}`, 20),
      block('#clock', new Date(visits * 1_000).toISOString().slice(11, 19), 40),
    ]
  }
  return page
}

async function startHistory(options: Parameters<typeof startApp>[0] = { routes }) {
  const app = await startApp({ freeHistory: true, ...options })
  const capture = async (parameters: Record<string, string> = {}) => {
    app.time.now += HOUR_MS
    const page = await app.readPage({ history: '5', force: 'true', ...parameters })
    return { ...page, history: page.data.history as PageHistory }
  }
  return { ...app, capture }
}

describe('the history of a page', () => {
  it('has no change in 30 captures of a page with a rotating advert and a clock, and finds another headline', async () => {
    const { seen, capture } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    const first = await capture()
    expect(first.history.versions).toMatchObject([{ title: 'Tides', changes: [] }])
    for (let count = 1; count < 30; count++) await capture()
    const last = await capture()
    expect(last.history.versions).toHaveLength(1)
    expect(last.history.ignored).toEqual(['#advert > p', '#advert', '#clock'])
    expect(last.history.versions[0]!.since).toBe(first.history.versions[0]!.since)
    expect(last.history.versions[0]!.until > last.history.versions[0]!.since).toBe(true)

    page.headline = 'Floods'
    const { history, data } = await capture()
    expect(history.versions).toHaveLength(2)
    expect(history.versions[0]!.changes).toEqual([
      { kind: 'changed', element: 'h1', text: 'Floods', textBefore: 'Tides', x: 0, y: 0, width: 40, height: 10 },
    ])
    expect(history.versions[0]!.screenshot.url).toBe(data.screenshot!.url)
  })

  it('is one for every length, the newest first', async () => {
    const { seen, capture } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    for (const headline of ['One', 'Two', 'Three']) {
      page.headline = headline
      await capture()
    }
    const { history } = await capture({ history: '2' })
    expect(history.versions.map(({ changes: [change] }) => change?.text)).toEqual(['Three', 'Two'])
    expect((await capture({ history: '20' })).history.versions).toHaveLength(3)
  })

  it('comes from the cache with the result', async () => {
    const { seen, capture, readPage } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    await capture()
    const visits = page.visits()
    const { cache, data } = await readPage({ history: '1' })
    expect(cache).toBe('HIT')
    expect(data.history!.versions).toHaveLength(1)
    expect(page.visits()).toBe(visits)
  })

  it('finds another picture in the same place', async () => {
    const { seen, capture } = await startHistory()
    seen.blocks = [block('img', '', 0), block('h1', 'Tides', 10)]
    seen.colour = 'red'
    await capture()
    seen.colour = 'blue'
    const { history } = await capture()
    expect(history.versions[0]!.changes).toMatchObject([
      { kind: 'changed', element: 'img', text: null, textBefore: null },
      { kind: 'changed', element: 'h1', text: 'Tides', textBefore: 'Tides' },
    ])
  })

  it('is null until the parts of the page could be read', async () => {
    const { capture } = await startHistory()
    const { history, warnings } = await capture()
    expect(history).toBeNull()
    expect(warnings).toContain(
      'The page did not respond in time after its screenshot, so whether it has changed is found out with its next capture.',
    )
  })

  it.each([
    {
      problem: 'it is busy',
      error: new PageError('EBUSY', 'No browser.'),
      reason: 'could not be captured several times (No browser)',
    },
    { problem: 'it shows a login', state: 'login' as const, reason: 'did not show its content each time' },
  ])('is not compared if in a twin $problem', async ({ error, state, reason }) => {
    const { seen, capture } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    await capture()
    page.headline = 'Floods'
    seen.blocks = () => {
      // From the next visit on.
      Object.assign(seen, { error, state })
      return page.blocks()
    }
    const { history, warnings } = await capture()
    expect(history.versions).toHaveLength(1)
    expect(warnings).toContain(`The page ${reason}, so whether it has changed is found out with its next capture.`)
  })

  it('keeps the versions while a page does not show its content', async () => {
    const { seen, capture, readPage } = await startHistory()
    seen.blocks = madePage().blocks
    await capture()
    seen.state = 'blank'
    const { data } = await capture()
    expect(data.screenshot).toBeNull()
    expect(data.history!.versions).toHaveLength(1)
    seen.state = undefined
    expect((await readPage({ history: '1' })).data.history!.versions).toHaveLength(1)
  })

  it('says when a capture could not be compared, and compares the next one', async () => {
    const { seen, capture } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    await capture()
    page.headline = 'Floods'
    const { history, warnings } = await capture({ timeout: '1500ms' })
    expect(history.versions).toHaveLength(1)
    expect(warnings).toContain(
      'The page took too long to be captured several times, so whether it has changed is found out with its next capture.',
    )
    expect((await capture()).history.versions).toHaveLength(2)
  })

  it('is deleted when the page is purged', async () => {
    const { seen, capture, store, site } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    await capture()
    await store.purges.purge({ host: site.host.split(':')[0]! })
    page.headline = 'Floods'
    expect((await capture()).history.versions).toMatchObject([{ changes: [] }])
  })

  it('counts each capture that it takes', async () => {
    const { seen, capture } = await startHistory()
    const page = madePage()
    seen.blocks = page.blocks
    const left = async () => Number((await capture()).header('x-rate-limit-remaining'))
    await left()
    page.headline = 'Floods'
    const [before, visits] = [await left(), page.visits()]
    page.headline = 'Ebb'
    expect(before - (await left())).toBe(page.visits() - visits)
  })

  it('needs an API key', async () => {
    const { app, site } = await startApp({ routes })
    const response = await app.fetch(new Request(`http://previews.test/?url=${site.url}/&history=1`))
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      code: 'EAUTH',
      message: 'The history of pages is on the pro host, and needs an API key.',
    })
  })
})
