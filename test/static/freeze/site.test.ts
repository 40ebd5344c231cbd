import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPreviews, type Previews } from '../../../src/static/freeze/index.js'
import { assetsUrl, scanSite, writeSite } from '../../../src/static/freeze/site.js'
import { fakeSource } from './fake-source.js'
import { pageWith, temporarySite } from './temporary-site.js'

const URL = 'https://example.com/'

it('keeps the images of a page that another program changes during the run', async () => {
  const { dir, paths, read } = await temporarySite({ 'index.html': pageWith(URL) })
  const { source, renew } = fakeSource()
  const writeWith = async (previews: Previews) => {
    const { pages, requests } = await scanSite({ dir })
    for (const { request } of requests.values()) await previews.resolve(request)
    return writeSite({ dir }, { pages, isComplete: true }, previews)
  }
  await writeWith(await openPreviews({ ...paths, source }))
  const [image] = /[\da-f]{16}\.\d+\.webp/.exec(await read('index.html'))!
  renew()
  const previews = await openPreviews({ ...paths, source, refresh: [URL] })
  const resolve: Previews['resolve'] = async (request) => {
    await appendFile(join(dir, 'index.html'), '<p>More')
    return previews.resolve(request)
  }
  const { skipped } = await writeWith({ ...previews, resolve })
  expect(skipped).toMatchObject([{ page: 'index.html', reason: expect.stringContaining('Another program') as unknown }])
  expect(await readdir(join(dir, 'page-preview'))).toContain(image)
})

it('reports a page in an encoding that it cannot write, and finds the previews of the others', async () => {
  const { dir } = await temporarySite({
    'jp.html': `<meta charset="iso-2022-jp">${pageWith(URL)}`,
    'a.html': pageWith(URL),
  })
  const { pages, skipped } = await scanSite({ dir })
  expect(pages).toEqual(['a.html'])
  expect(skipped).toMatchObject([{ page: 'jp.html', reason: expect.stringContaining('iso-2022-jp') as unknown }])
})

it('reports a page that is gone when it is written, writes the others and removes no image', async () => {
  const { dir, paths, read } = await temporarySite({ 'a.html': pageWith(URL), 'b.html': pageWith(URL) })
  const { source } = fakeSource()
  const previews = await openPreviews({ ...paths, source })
  const { pages } = await scanSite({ dir })
  await mkdir(join(dir, 'page-preview'))
  await writeFile(join(dir, 'page-preview', '0123456789abcdef.640.webp'), 'of a page that cannot be read')
  await rm(join(dir, 'a.html'))
  const { skipped, changedPages } = await writeSite({ dir }, { pages, isComplete: true }, previews)
  expect(skipped).toMatchObject([{ page: 'a.html', reason: expect.stringContaining('ENOENT') as unknown }])
  expect(changedPages).toBe(1)
  expect(await read('b.html')).toContain('data-frozen')
  expect(await readdir(join(dir, 'page-preview'))).toContain('0123456789abcdef.640.webp')
})

describe('the URL of images and stylesheet', () => {
  const APP = 'https://site.test/app/'

  it.each([
    ['index.html', undefined, undefined, 'page-preview/'],
    ['blog/2026/post.html', undefined, undefined, '../../page-preview/'],
    ['page-preview/index.html', undefined, undefined, '../page-preview/'],
    ['blog/post.html', './', undefined, '../page-preview/'],
    ['blog/post.html', '../', undefined, 'page-preview/'],
    ['blog/post.html', '../notes/one.html?a/b#c/d', undefined, '../page-preview/'],
    ['blog/post.html', 'http://[', undefined, '../page-preview/'],
    ['blog/post.html', '../../', undefined, 'page-preview/'],
    ['blog/post.html', '/', undefined, 'page-preview/'],
    ['index.html', '/', undefined, 'page-preview/'],
    ['blog/post.html', '/app/', undefined, 'page-preview/'],
    ['blog/post.html', '/app/blog/', undefined, '../page-preview/'],
    ['blog/2026/post.html', 'https://site.test/blog/2026/', undefined, '../../page-preview/'],
    ['blog/post.html', '/app/', APP, 'page-preview/'],
    ['blog/post.html', '/app/', 'https://site.test/app', 'page-preview/'],
    ['blog/post.html', '/app/blog/', APP, '../page-preview/'],
    ['blog/post.html', 'https://site.test/app/', APP, 'page-preview/'],
    ['blog/post.html', '/', APP, '/app/page-preview/'],
    ['blog/post.html', '/app', APP, '/app/page-preview/'],
    ['blog/post.html', '../../', APP, '/app/page-preview/'],
    ['blog/post.html', 'https://cdn.test/app/', APP, 'https://site.test/app/page-preview/'],
  ])('of %s with the base %s on %s is %s', (page, baseHref, baseUrl, expected) => {
    const url = assetsUrl(page, baseHref, { baseUrl })
    expect(url).toBe(expected)
    if (baseUrl === undefined) return
    const base = new globalThis.URL(baseHref, `${APP}${page}`)
    expect(new globalThis.URL(url, base).href).toBe('https://site.test/app/page-preview/')
  })

  it('is the one that its user sets, whatever the base of a page', () => {
    expect(assetsUrl('blog/post.html', '/app/', { assetsUrl: '/images', baseUrl: APP })).toBe('/images/')
  })

  it('is written as browsers resolve it by the base of a page', async () => {
    const { dir, paths, read } = await temporarySite({
      'blog/post.html': pageWith(URL).replace('<head>', '<head><base href="/app/">'),
    })
    const previews = await openPreviews({ ...paths, source: fakeSource().source })
    const { pages } = await scanSite({ dir })
    await writeSite({ dir }, { pages, isComplete: true }, previews)
    const html = await read('blog/post.html')
    expect(html).toMatch(/<link rel="stylesheet" href="page-preview\/page-preview\./)
    expect(html).toMatch(/ src="page-preview\/[\da-f]{16}\./)
  })
})
