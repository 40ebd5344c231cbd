import { mkdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { watchFolder } from '../../../src/static/freeze/watch-folder.js'
import { temporarySite } from './temporary-site.js'

/** A site that is watched until the end of the test. */
async function watchedSite(pages: Record<string, string>) {
  const site = await temporarySite(pages)
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const groups = watchFolder(site.dir, end.signal, { checkIntervalMs: 20 })[Symbol.asyncIterator]()
  return { ...site, end, nextGroup: () => groups.next() }
}

const changed = { done: false, value: undefined }

it('reports changes of a folder that a build removes and creates again, each time', async () => {
  const { dir, write, nextGroup } = await watchedSite({ 'index.html': 'old', 'blog/post.html': 'old' })
  for (const build of ['first', 'second']) {
    await rm(dir, { recursive: true })
    await write('index.html', build)
    expect(await nextGroup()).toEqual(changed)
    for (const page of ['new.html', 'blog/new.html']) {
      await write(page, build)
      expect(await nextGroup()).toEqual(changed)
    }
  }
})

it('notices a new folder of whose creation the system reports nothing', async () => {
  const { dir, write, nextGroup } = await watchedSite({ 'page.html': '' })
  await rm(`${dir}/page.html`)
  expect(await nextGroup()).toEqual(changed)
  // Both at once, so that the folder exists when its removal is reported.
  rmSync(dir, { recursive: true })
  mkdirSync(dir)
  expect(await nextGroup()).toEqual(changed)
  await write('page.html', '')
  expect(await nextGroup()).toEqual(changed)
})

it('waits while the folder is missing', async () => {
  const { dir, write, nextGroup } = await watchedSite({ 'index.html': 'old' })
  const other = await watchedSite({ 'index.html': 'old' })
  let isReported = false
  await rm(dir, { recursive: true })
  const group = nextGroup().finally(() => (isReported = true))
  for (const text of ['one', 'two']) {
    await other.write('index.html', text)
    await other.nextGroup()
  }
  expect(isReported).toBe(false)
  await write('index.html', 'new')
  expect(await group).toEqual(changed)
})

it.each(['exists', 'is missing'])('ends when the signal aborts while the folder %s', async (state) => {
  const { dir, end, nextGroup } = await watchedSite({ 'index.html': '' })
  if (state === 'is missing') await rm(dir, { recursive: true })
  const group = nextGroup()
  end.abort()
  expect(await group).toEqual({ done: true, value: undefined })
})
