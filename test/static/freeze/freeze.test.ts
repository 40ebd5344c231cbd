import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { freeze, type FreezeOptions } from '../../../src/static/freeze/index.js'
import { fakeSource, unreachable } from './fake-source.js'
import { pageWith, temporarySite } from './temporary-site.js'

const A = 'https://a.test/'
const B = 'https://b.test/'

/** A site with these pages, and a function that freezes it. */
async function site(pages: Record<string, string>, source = fakeSource()) {
  const files = await temporarySite(pages)
  const run = (options: Partial<FreezeOptions> = {}) => freeze({ ...files.paths, source: source.source, ...options })
  return { ...files, ...source, run, lockText: () => readFile(files.paths.lock, 'utf8') }
}

describe('a first run', () => {
  it('writes cards with images into pages, and everything that they need beside them', async () => {
    const { run, read, dir, captured } = await site({ 'index.html': pageWith(A), 'blog/one.html': pageWith(A, B) })
    const result = await run()
    expect(result).toMatchObject({ pages: 2, changedPages: 2, failures: [], skipped: [] })
    expect(result.previews).toEqual({ new: 2, cached: 0, refreshed: 0, failed: 0 })
    expect(result.bytesAdded).toBeGreaterThan(0)
    expect(captured.toSorted()).toEqual([A, B])
    const html = await read('blog/one.html')
    expect(html).toContain(`Title of ${A}`)
    const names = [...html.matchAll(/\.\.\/page-preview\/([\w.-]+)/g)].map(([, name]) => name!)
    const written = await readdir(join(dir, 'page-preview'))
    expect(names.length).toBeGreaterThan(4)
    expect(written).toEqual(expect.arrayContaining(names))
    expect(await read('index.html')).toMatch(/"page-preview\/[\da-f]{16}\.\d+\.webp/)
  })

  it('writes the script tag and its parts for hover previews, and never removes what they need', async () => {
    const { run, dir } = await site({ 'index.html': `<article><a href="${A}">A</a></article>` })
    await run({ hover: 'article a', defaults: { screenshot: true } })
    const names = await readdir(join(dir, 'page-preview'))
    expect(names).toContain('page-preview.js')
    expect(names.filter((name) => /^[\da-f]{16}\.json$/.test(name))).toHaveLength(1)
    await run({ hover: 'article a', defaults: { screenshot: true } })
    expect(await readdir(join(dir, 'page-preview'))).toEqual(names)
  })

  it('requests each image in the widths of a card, and a file that every browser shows', async () => {
    const { run, images } = await site({ 'index.html': pageWith(A) })
    await run()
    expect(images.map((image) => image.replace(`${A} screenshot `, '')).toSorted()).toEqual([
      '402 jpg',
      '402 webp',
      '804 webp',
    ])
  })

  it('writes the script tag and its parts beside the data of hover previews', async () => {
    const { run, read, dir } = await site({
      'index.html': `<p><a href="${A}">A</a>`,
      'blog/one.html': `<p><a href="${A}">A</a>`,
    })
    expect(await run({ hover: 'p a' })).toMatchObject({ pages: 2, changedPages: 2 })
    const html = await read('blog/one.html')
    expect(html).toContain('<script async src="../page-preview/page-preview.js" data-frozen></script>')
    const [, data = ''] = /data-frozen="\.\.\/page-preview\/([\da-f]{16}\.json)"/.exec(html) ?? []
    expect(JSON.parse(await read(`page-preview/${data}`))).toMatchObject({ title: `Title of ${A}` })
    expect(await readdir(join(dir, 'page-preview'))).toEqual(
      expect.arrayContaining(['page-preview.js', expect.stringMatching(/^page-preview\.[\da-f]{8}\.js$/)]),
    )
    const again = await run({ hover: 'p a' })
    expect(again).toMatchObject({ changedPages: 0, bytesAdded: 0 })
  })

  it('keeps the permissions of a page, and writes nothing into pages without previews', async () => {
    const { run, dir } = await site({ 'index.html': pageWith(A), 'plain.html': '<p>page-preview' })
    await chmod(join(dir, 'index.html'), 0o640)
    const before = await stat(join(dir, 'plain.html'))
    await run()
    expect((await stat(join(dir, 'index.html'))).mode & 0o777).toBe(0o640)
    expect((await stat(join(dir, 'plain.html'))).ino).toBe(before.ino)
  })

  it('reads pages whose names have spaces and letters of any language', async () => {
    const { run, read } = await site({ 'über uns/Straße 1.html': pageWith(A), '日本/ページ.htm': pageWith(A) })
    expect(await run()).toMatchObject({ changedPages: 2 })
    expect(await read('über uns/Straße 1.html')).toContain('../page-preview/')
  })

  it('resolves relative links by the URL of their page, whatever its name', async () => {
    const { run, captured } = await site({
      'index.html': pageWith('one'),
      'a#b/100% ?/page.html': pageWith('two'),
    })
    await run({ baseUrl: 'https://site.test/notes' })
    expect(captured.toSorted()).toEqual([
      'https://site.test/notes/a%23b/100%25%20%3F/two',
      'https://site.test/notes/one',
    ])
  })

  it('reports folders that it cannot search, and freezes the others', async () => {
    const { run, dir, read } = await site({
      'index.html': pageWith(A),
      [`${'deep/'.repeat(66)}page.html`]: pageWith(B),
    })
    const latin1 = Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.from([0xe9])])
    await mkdir(latin1)
    await writeFile(Buffer.concat([latin1, Buffer.from('/page.html')]), pageWith(B))
    const { skipped, previews } = await run()
    expect(skipped.map(({ page, reason }) => [page, reason])).toEqual([
      ['caf\ufffd/', expect.stringContaining('no such file or directory')],
      ['deep/'.repeat(65), 'The folder is more than 64 folders deep.'],
    ])
    expect(previews.new).toBe(1)
    expect(await read('index.html')).toContain('Title of')
  })

  it('follows no symbolic link, and refuses one in the place of its folder', async () => {
    const { run, folder, dir, read } = await site({ 'index.html': pageWith(A) })
    const outside = join(folder, 'outside.html')
    await writeFile(outside, pageWith(B))
    await mkdir(join(folder, 'elsewhere'))
    await symlink(outside, join(dir, 'linked.html'))
    await symlink(folder, join(dir, 'up'))
    await run()
    expect(await readFile(outside, 'utf8')).toBe(pageWith(B))
    await rm(join(dir, 'page-preview'), { recursive: true })
    await symlink(join(folder, 'elsewhere'), join(dir, 'page-preview'))
    await expect(run()).rejects.toThrow(/page-preview is not a folder/)
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([])
    expect(await read('index.html')).toContain('Title of')
  })

  it('replaces a page and does not write into it, so that a hard link to it stays as it is', async () => {
    const { run, folder, dir } = await site({ 'index.html': pageWith(A) })
    await link(join(dir, 'index.html'), join(folder, 'backup.html'))
    await run()
    expect(await readFile(join(folder, 'backup.html'), 'utf8')).toBe(pageWith(A))
  })

  it.each([
    ['without the folder', 'nowhere', /build the site first/],
    ['without an HTML file', 'site/empty', /no HTML file/],
  ])('fails %s', async (_, name, message) => {
    const { run, folder, dir } = await site({ 'index.html': pageWith(A) })
    await mkdir(join(dir, 'empty'))
    await expect(run({ dir: join(folder, name) })).rejects.toThrow(message)
  })
})

describe('a second run', () => {
  it('has the same bytes without network, over its own output and over a fresh build', async () => {
    const pages = { 'index.html': pageWith(A, B), 'two.html': pageWith(B) }
    const { run, snapshot, write, captured, lockText } = await site(pages)
    await run()
    const [first, lock] = [await snapshot(), await lockText()]
    expect(await run({ offline: true })).toMatchObject({ changedPages: 0, bytesAdded: 0, previews: { cached: 2 } })
    for (const [name, text] of Object.entries(pages)) await write(name, text)
    await run({ frozen: true })
    expect(await snapshot()).toEqual(first)
    expect(await lockText()).toBe(lock)
    expect(captured).toHaveLength(2)
  })

  it('captures the one link that was added, and drops what no page needs any more', async () => {
    const { run, write, captured, dir, lockText } = await site({ 'index.html': pageWith(A) })
    await run()
    const before = await readdir(join(dir, 'page-preview'))
    await write('index.html', pageWith(B))
    expect(await run()).toMatchObject({ previews: { new: 1, cached: 0 } })
    expect(captured).toEqual([A, B])
    const after = await readdir(join(dir, 'page-preview'))
    expect(after).toHaveLength(before.length)
    expect(after).not.toEqual(before)
    expect(await lockText()).not.toContain('a.test')
  })

  it('captures again what is older than the maximum age, and what it is told to', async () => {
    const { run, renew, captured, lockText } = await site({ 'index.html': pageWith(A, B) })
    await run()
    renew()
    const clock = () => Date.parse('2026-01-31T12:00:01Z') + 3_600_000
    expect((await run({ maxAge: 3_600_000, clock })).previews).toMatchObject({ cached: 2 })
    expect((await run({ maxAge: 3_599_000, clock })).previews).toMatchObject({ refreshed: 2 })
    expect(await lockText()).toContain('2026-01-31T12:00:02.000Z')
    expect((await run({ refresh: ['https://a.test'] })).previews).toMatchObject({ refreshed: 1, cached: 1 })
    expect(captured).toHaveLength(5)
  })

  it('captures again what the cache folder has lost, or has damaged', async () => {
    const { run, folder, captured, snapshot } = await site({ 'index.html': pageWith(A) })
    await run()
    const first = await snapshot()
    const images = join(folder, 'cache/images')
    const [name] = await readdir(images)
    await writeFile(join(images, name!), 'damaged')
    await run()
    expect(captured).toEqual([A, A])
    expect(await snapshot()).toEqual(first)
  })

  it('that is frozen writes nothing where something is missing', async () => {
    const { run, write, snapshot, captured } = await site({ 'index.html': pageWith(A) })
    await run()
    await write('new.html', pageWith(B))
    const before = await snapshot()
    await expect(run({ frozen: true })).rejects.toThrow(/https:\/\/b\.test\/ \(NOT-IN-LOCK\) in new\.html/)
    expect(await snapshot()).toEqual(before)
    expect(captured).toEqual([A])
  })

  it('removes what a killed run had not finished writing', async () => {
    const { run, write, dir } = await site({ 'index.html': pageWith(A) })
    await write('.01234567-89ab-cdef-0123-456789abcdef.page-preview.tmp', 'half')
    await run()
    expect(await readdir(dir)).toEqual(['index.html', 'page-preview'])
  })
})

describe('a link that fails', () => {
  const failing = [
    ['does not respond', { error: unreachable() }, 'EUNREACHABLE'],
    ['responds with an error', { statusCode: 404 }, 'HTTP 404'],
    [
      'asks whether its visitor is human',
      { data: { title: 'Just a moment', state: 'bot-check' as const } },
      'bot-check',
    ],
  ] as const

  it.each(failing)('keeps its last good card when it %s', async (_, page, code) => {
    const { run, read, pages, lockText, snapshot } = await site({ 'index.html': pageWith(A) })
    await run()
    pages[A] = page
    const clock = () => Date.parse('2026-03-01T00:00:00Z')
    const result = await run({ refresh: [A], clock })
    expect(result.failures).toMatchObject([{ url: A, code, hasPreview: true, pages: ['index.html'] }])
    expect(await read('index.html')).toContain(`Title of ${A}`)
    expect(await read('index.html')).toMatch(/2026-01-31/)
    const [first, lock] = [await snapshot(), await lockText()]
    expect(JSON.parse(lock)).toMatchObject({
      previews: {
        [Object.keys(JSON.parse(lock).previews)[0]!]: { failure: { code, since: '2026-03-01T00:00:00.000Z' } },
      },
    })
    await run({ clock: () => Date.parse('2026-04-01T00:00:00Z') })
    expect([await snapshot(), await lockText()]).toEqual([first, lock])
    delete pages[A]
    expect((await run()).previews).toMatchObject({ refreshed: 1 })
    expect(await lockText()).not.toContain('failure')
  })

  it('has a card without picture when it never worked, also in the next run without network', async () => {
    const source = fakeSource({ [B]: { error: unreachable() } })
    const { run, read, snapshot } = await site({ 'index.html': pageWith(B) }, source)
    expect(await run()).toMatchObject({ failures: [{ url: B, hasPreview: false }], changedPages: 1 })
    expect(await read('index.html')).toContain('https://b.test/')
    expect(await read('index.html')).not.toContain('<img')
    const first = await snapshot()
    expect(await run({ offline: true })).toMatchObject({ failures: [{ url: B, code: 'EUNREACHABLE' }] })
    await run({ frozen: true })
    expect(await snapshot()).toEqual(first)
  })

  it('gets the address of an archived copy on request', async () => {
    const { run, read, pages } = await site({ 'index.html': pageWith(A) })
    await run()
    pages[A] = { error: unreachable() }
    await run({ refresh: [A], archive: true })
    expect(await read('index.html')).toContain('https://web.archive.org/web/20260131120001/https://a.test/')
  })

  it('loses the address of an archived copy when the option is off again', async () => {
    const { run, read, lockText, pages } = await site({ 'index.html': pageWith(A) })
    await run()
    pages[A] = { error: unreachable() }
    await run({ refresh: [A], archive: true })
    await run()
    expect(await lockText()).not.toContain('archive')
    expect(await read('index.html')).not.toContain('web.archive.org')
  })

  it('gets no address of an archived copy where its own is private', async () => {
    const { run, lockText, pages } = await site({ 'index.html': pageWith(A) })
    pages[A] = { error: new PageError('EFORBIDDENURL', 'It is no public address.') }
    await run({ archive: true })
    expect(await lockText()).toContain('EFORBIDDENURL')
    expect(await lockText()).not.toContain('archive')
  })
})

describe('a link with several previews', () => {
  it('counts as one preview in a card and in a row, of which each is reported once', async () => {
    const { run } = await site({
      'index.html': pageWith(A),
      'row.html': `<page-preview url="${A}" layout="row" screenshot></page-preview>`,
    })
    const found: number[] = []
    let reported = 0
    const { previews } = await run({ onFound: (total) => found.push(total), onPreview: () => reported++ })
    expect(previews).toMatchObject({ new: 1 })
    expect({ found, reported }).toEqual({ found: [1], reported: 1 })
  })

  it('has one failure for each preview that failed, with the pages of that preview', async () => {
    const source = fakeSource({ [A]: { error: unreachable() } })
    const { run } = await site(
      { 'index.html': pageWith(A), 'dark.html': `<page-preview url="${A}" color-scheme="dark"></page-preview>` },
      source,
    )
    const { previews, failures } = await run()
    expect(previews.failed).toBe(2)
    expect(failures.map(({ url, pages }) => [url, pages])).toEqual([
      [A, ['dark.html']],
      [A, ['index.html']],
    ])
  })
})

describe('a page that cannot be read', () => {
  it('keeps its previews in the lock file, and their images in the site, until it can be read', async () => {
    const { run, write, read, lockText, dir, captured } = await site({
      'index.html': pageWith(A),
      'two.html': pageWith(B),
    })
    await run()
    const page = await read('two.html')
    const files = await readdir(join(dir, 'page-preview'))
    await write('two.html', page + ' '.repeat(20_000_000))
    const { skipped } = await run()
    expect(skipped).toMatchObject([{ page: 'two.html' }])
    expect(await lockText()).toContain('b.test')
    expect(await readdir(join(dir, 'page-preview'))).toEqual(files)
    await write('two.html', page)
    expect((await run()).previews).toMatchObject({ cached: 2 })
    expect(captured).toHaveLength(2)
  })

  it('does not keep the earlier results of previews that the run has resolved', async () => {
    const { run, write, renew, lockText } = await site({ 'index.html': pageWith(A), 'two.html': pageWith(B) })
    await run()
    await write('two.html', ' '.repeat(20_000_001))
    renew()
    await run({ refresh: [A] })
    expect(await lockText()).toContain('2026-01-31T12:00:02.000Z')
  })
})

describe('the cache folder', () => {
  it('keeps earlier images until it is pruned, and then the images of all pages', async () => {
    const { run, write, paths, renew, snapshot } = await site({ 'index.html': pageWith(A, B) })
    const imagesIn = () => readdir(join(paths.cache, 'images'))
    await run()
    const first = await imagesIn()
    renew()
    await run({ refresh: [A] })
    expect((await imagesIn()).length).toBeGreaterThan(first.length)
    await run({ prune: true, keepUnused: true })
    expect((await imagesIn()).length).toBeGreaterThan(first.length)
    await run({ prune: true })
    expect(await imagesIn()).toHaveLength(first.length)
    const before = await snapshot()
    expect(await run({ frozen: true })).toMatchObject({ failures: [], previews: { cached: 2 } })
    expect(await snapshot()).toEqual(before)
    await write('index.html', pageWith(A))
    await run({ prune: true })
    expect(await imagesIn()).toHaveLength(first.length / 2)
  })
})

describe('a service that fails', () => {
  it.each(['EFATALCLIENT', 'EBUSY'] as const)('is not asked by every link, and costs no card: %s', async (code) => {
    const { run, snapshot, captured, write, pages, lockText } = await site({ 'index.html': pageWith(A) })
    await run()
    const [first, lock] = [await snapshot(), await lockText()]
    const down = new PageError(code, 'No response.')
    const urls = Array.from({ length: 50 }, (_, index) => `https://${index}.test/`)
    for (const url of [A, ...urls]) pages[url] = { error: down }
    const result = await run({ refresh: [A], concurrency: 1 })
    expect(result.serviceFailure).toEqual({ code, message: 'No response.' })
    expect([await snapshot(), await lockText()]).toEqual([first, lock])
    await write('many.html', pageWith(...urls))
    captured.length = 0
    expect((await run({ concurrency: 1 })).failures).toHaveLength(50)
    expect(captured.length).toBeLessThan(4)
    expect(await lockText()).toBe(lock)
  })
})

describe('a site that is frozen already, whose service fails', () => {
  const HOVER = '<a href="https://b.test/" data-page-preview="hover">B</a>'
  const down = { error: new PageError('EBUSY', 'No response.') }

  it.each([
    ['the cache', ['cache']],
    ['the cache and the lock file', ['cache', 'page-preview.lock.json']],
  ])('keeps its cards, its hover previews and their files without %s', async (_, lost) => {
    const { run, snapshot, folder, pages, read } = await site({ 'index.html': `${pageWith(A)}${HOVER}` })
    await run()
    const [before, page] = [await snapshot(), await read('index.html')]
    const texts = Object.entries(before).filter(([name]) => /\.(html|json)$/.test(name))
    const needed = texts.join().match(/[\da-f]{16}\.(\d+\.)?\w+/g)!
    for (const name of lost) await rm(join(folder, name), { recursive: true })
    Object.assign(pages, { [A]: down, [B]: down })
    const { serviceFailure, omittedImages } = await run()
    expect(serviceFailure).toMatchObject({ code: 'EBUSY' })
    expect(omittedImages).toEqual([])
    expect(await read('index.html')).toBe(page)
    const files = Object.keys(await snapshot()).join()
    expect(needed.filter((name) => !files.includes(name))).toEqual([])
    expect(files).toContain('/page-preview.js')
  })

  it('says which images are lost when they are nowhere', async () => {
    const { run, folder, dir, pages, write } = await site({ 'index.html': pageWith(A) })
    await run()
    for (const path of [join(folder, 'cache'), join(dir, 'page-preview')]) await rm(path, { recursive: true })
    await write('index.html', pageWith(A))
    pages[A] = down
    expect((await run()).omittedImages).toContainEqual({
      url: A,
      field: 'screenshot',
      message: expect.stringContaining('could not be captured again'),
    })
  })
})

it('that is frozen needs the images of a dead link too', async () => {
  const { run, folder, dir, write, pages } = await site({ 'index.html': pageWith(A) })
  await run()
  pages[A] = { error: new PageError('EUNREACHABLE', 'Gone.') }
  await run({ refresh: [A] })
  for (const path of [join(folder, 'cache'), join(dir, 'page-preview')]) await rm(path, { recursive: true })
  await write('index.html', pageWith(A))
  await expect(run({ frozen: true })).rejects.toThrow(/https:\/\/a\.test\/ \(NO-IMAGES\) in index\.html/)
})

describe('a run that is stopped', () => {
  it('keeps what is finished, and the next one goes on from there', async () => {
    const stop = new AbortController()
    const source = fakeSource({ [B]: { until: new Promise(() => undefined) } })
    const { run, snapshot, captured, pages } = await site({ 'index.html': pageWith(A, B) }, source)
    const before = await snapshot()
    const onPreview = () => stop.abort(new Error('stopped'))
    await expect(run({ signal: stop.signal, onPreview })).rejects.toThrow('stopped')
    expect(await snapshot()).toEqual(before)
    delete pages[B]
    expect((await run()).previews).toMatchObject({ cached: 1, new: 1 })
    expect(captured.toSorted()).toEqual([A, B, B])
  })

  it('before it begins requests nothing', async () => {
    const { run, captured } = await site({ 'index.html': pageWith(A) })
    await expect(run({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
    expect(captured).toEqual([])
  })
})
