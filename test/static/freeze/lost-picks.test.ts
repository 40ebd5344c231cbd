// Covers picks in frozen pages: from the attribute to the lock file and the card, and what happens when they are gone.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { candidateId } from '../../../src/server/explainer.js'
import { freeze } from '../../../src/static/freeze/index.js'
import { fakeSource } from './fake-source.js'
import { temporarySite } from './temporary-site.js'

const URL = 'https://example.com/'
const PICKED_IMAGE = 'https://example.com/other.png'
const TITLE = candidateId('The heading')
const IMAGE = candidateId(PICKED_IMAGE)
const PAGE = `<page-preview url="${URL}" title-pick="${TITLE}" image-pick="${IMAGE}"></page-preview>`

/** A site with a pick, and a source of a page which still has it, until `lose` is called. */
async function pickedSite() {
  const { paths, read } = await temporarySite({ 'index.html': PAGE })
  const picked = { title: 'The heading', image: { url: PICKED_IMAGE, type: 'png', width: 640, height: 400 } }
  const { source, captured, pages } = fakeSource({ [URL]: { data: picked } })
  const queries: unknown[] = []
  const page: typeof source.page = (query, signal) => {
    queries.push({ title: query.title, image: query.image })
    return source.page(query, signal)
  }
  const lose = () => {
    pages[URL] = { data: { title: 'Another', image: { url: 'https://example.com/best.png', type: 'png' } } }
  }
  return {
    paths,
    read,
    captured,
    queries,
    lose,
    run: (options = {}) => freeze({ ...paths, source: { ...source, page }, ...options }),
  }
}

it('a pick is sent to the service, and is in the lock file with what it selects', async () => {
  const { paths, read, queries, run } = await pickedSite()
  expect(await run()).toMatchObject({ previews: { new: 1 }, lostPicks: [] })
  expect(queries).toEqual([{ title: { pick: TITLE }, image: { pick: IMAGE } }])
  const lock = await readFile(paths.lock, 'utf8')
  expect(lock).toContain(`image.pick=${IMAGE}&title.pick=${TITLE}`)
  expect(lock).toContain(PICKED_IMAGE)
  expect(await read('index.html')).toContain('The heading')
})

it('a pick stays as it is frozen while the page changes, until it is refreshed', async () => {
  const { read, captured, lose, run } = await pickedSite()
  await run()
  lose()
  expect(await run()).toMatchObject({ previews: { cached: 1 }, lostPicks: [] })
  expect(captured).toHaveLength(1)
  expect(await read('index.html')).toContain('The heading')
})

it('a pick that is gone when it is refreshed is reported, and the card has the best one', async () => {
  const { read, lose, run } = await pickedSite()
  await run()
  lose()
  expect(await run({ refresh: [URL] })).toMatchObject({
    previews: { refreshed: 1 },
    lostPicks: [
      { url: URL, field: 'title' },
      { url: URL, field: 'image' },
    ],
  })
  expect(await read('index.html')).toContain('Another')
})
