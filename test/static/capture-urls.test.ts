import fc from 'fast-check'
import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PageError, parseQuery } from '../../src/query/index.js'
import { captureUrls, fileName } from '../../src/static/capture-urls.js'
import type { PreviewSource, SourcePage } from '../../src/static/preview-source.js'
import { temporaryDir } from '../server/store/temporary-dir.js'
import { canMount, mountSmallDisk } from '../shared/mount-small-disk.js'

const IMAGE = Buffer.from('an image')

/** A source whose results depend on the path of the page, and that counts them. */
function recordedSource() {
  const requested: string[] = []
  let running = 0
  let mostRunning = 0
  const source: PreviewSource = {
    async page(query, signal) {
      const { url, ...parameters } = query as { url: string }
      requested.push(url)
      mostRunning = Math.max(mostRunning, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      signal.throwIfAborted()
      const { pathname } = new URL(parseQuery(query).query.url)
      if (pathname === '/dead') throw new PageError('EUNREACHABLE', 'It is dead.')
      if (pathname === '/busy') throw new PageError('EBUSY', 'The browser is not available.')
      if (pathname === '/limit') throw new PageError('ERATE', 'The daily limit is used up.')
      const data: SourcePage['data'] = { title: `Page ${pathname} ${JSON.stringify(parameters)}` }
      if (pathname === '/checked') Object.assign(data, { state: 'bot-check', screenshot: null })
      else Object.assign(data, { screenshot: { url: 'x' } })
      return { data, statusCode: 200, redirects: [], producedAt: 0, cacheStatus: 'MISS', warnings: [] }
    },
    image: async () => ({ bytes: IMAGE, type: 'webp', width: 8, height: 5 }),
    variants: () => Promise.reject(new Error('unexpected')),
    compareImages: () => Promise.reject(new Error('unexpected')),
    close: async () => undefined,
  }
  return { source, requested, mostRunning: () => mostRunning }
}

interface RunOptions {
  outDir: string
  source: PreviewSource
  parameters?: Record<string, unknown>
  concurrency?: number
  isForced?: boolean
  signal?: AbortSignal
}

const run = (
  urls: string[],
  {
    outDir,
    source,
    parameters = {},
    concurrency = 2,
    isForced = false,
    signal = new AbortController().signal,
  }: RunOptions,
) =>
  captureUrls(urls, {
    source,
    outDir,
    concurrency,
    isForced,
    signal,
    request: { parameters: { ...parameters, screenshot: true }, field: 'screenshot', variant: {} },
    onResult: () => undefined,
  })

async function linesOf(outDir: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(outDir, 'results.ndjson'), 'utf8')
  expect(text).toMatch(/^$|\n$/)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('writes an image and a line for each page, even if others fail', async () => {
  const outDir = join(await temporaryDir(), 'new', 'folder')
  const { source } = recordedSource()
  const urls = [
    'https://a.example/1',
    'https://a.example/dead',
    'nonsense',
    'https://a.example/checked',
    'https://a.example/2',
  ]
  const summary = await run(urls, { outDir, source })
  expect(summary).toMatchObject({ total: 5, captured: 2, skipped: 0, failed: 3, bytes: 2 * IMAGE.length })
  expect(summary.failures.map(({ code }) => code).toSorted()).toEqual(['EINVALURL', 'ENOEMBED', 'EUNREACHABLE'])
  const lines = await linesOf(outDir)
  expect(lines).toHaveLength(5)
  const first = lines.find(({ url }) => url === 'https://a.example/1')!
  expect(first).toMatchObject({ status: 'captured', type: 'webp', width: 8, height: 5, size: IMAGE.length })
  expect(first).toMatchObject({
    statusCode: 200,
    title: 'Page /1 {"screenshot":true}',
    date: '1970-01-01T00:00:00.000Z',
  })
  expect(await readFile(join(outDir, first.file as string))).toEqual(IMAGE)
  expect(lines.find(({ url }) => url === 'https://a.example/checked')).toMatchObject({
    status: 'failed',
    state: 'bot-check',
    message: 'The page shows a bot check instead of its content, so there is no screenshot of it.',
  })
  expect((await readdir(outDir)).filter((name) => name.startsWith('.'))).toEqual([])
})

it('skips what is captured, and captures again what failed, is damaged, or has other parameters', async () => {
  const outDir = await temporaryDir()
  const { source, requested } = recordedSource()
  const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/dead']
  await run(urls, { outDir, source })
  expect(await run(urls, { outDir, source })).toMatchObject({ captured: 0, skipped: 2, failed: 1 })
  expect(requested.slice(3)).toEqual(['https://a.example/dead'])
  expect(await linesOf(outDir)).toHaveLength(3)

  const [{ file = '' } = {}] = await linesOf(outDir)
  await truncate(join(outDir, String(file)), 3)
  expect(await run(urls, { outDir, source })).toMatchObject({ captured: 1, skipped: 1 })
  expect(await run(urls, { outDir, source, isForced: true })).toMatchObject({ captured: 2, skipped: 0 })
  expect(await linesOf(outDir)).toHaveLength(3)
  expect(await run(urls, { outDir, source, parameters: { device: 'iPhone 6' } })).toMatchObject({ captured: 2 })
  expect(await linesOf(outDir)).toHaveLength(6)
  expect(new Set((await linesOf(outDir)).map(({ file }) => file)).size).toBe(5)
})

const LEFT = '.0f8fad5b-d9cb-469f-a165-70867728950e.page-preview.tmp'

it('removes what a killed run left, and believes no line that is cut off or names another folder', async () => {
  const outDir = await temporaryDir()
  const { source } = recordedSource()
  const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3']
  await run(urls, { outDir, source })
  const [, second, third] = await linesOf(outDir)
  await writeFile(join(outDir, LEFT), 'half')
  const size = (await stat('/etc/passwd')).size
  await writeFile(
    join(outDir, 'results.ndjson'),
    `null\n[]\n${JSON.stringify({ ...second, file: '../../../etc/passwd', size })}\n`,
  )
  await appendFile(join(outDir, 'results.ndjson'), JSON.stringify(third).slice(0, -9))
  expect(await run(urls, { outDir, source })).toMatchObject({ captured: 3, skipped: 0 })
  expect(await linesOf(outDir)).toHaveLength(3)
  expect(await readdir(outDir)).not.toContain(LEFT)
})

it('completes a last line that was cut off before its line break', async () => {
  const outDir = await temporaryDir()
  const { source } = recordedSource()
  await run(['https://a.example/1'], { outDir, source })
  const path = join(outDir, 'results.ndjson')
  await truncate(path, (await stat(path)).size - 1)
  await run(['https://a.example/2'], { outDir, source })
  expect((await linesOf(outDir)).map(({ url }) => url)).toEqual(['https://a.example/1', 'https://a.example/2'])
})

it('keeps the results of another run into the same folder at the same time', async () => {
  const outDir = await temporaryDir()
  const { source } = recordedSource()
  let start: () => void = () => undefined
  const started = new Promise<void>((resolve) => (start = resolve))
  let goOn: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (goOn = resolve))
  const page: PreviewSource['page'] = async (...request) => {
    start()
    await ended
    return source.page(...request)
  }
  const slow = run(['https://a.example/1'], { outDir, source: { ...source, page } })
  await started
  await run(['https://a.example/2', 'https://a.example/dead'], { outDir, source })
  await run(['https://a.example/dead'], { outDir, source })
  goOn()
  await slow
  const urls = (await linesOf(outDir)).map(({ url }) => url)
  expect(urls).toEqual(['https://a.example/2', 'https://a.example/dead', 'https://a.example/1'])
})

it('captures as many pages at the same time as it may', async () => {
  const { source, mostRunning } = recordedSource()
  const urls = Array.from({ length: 12 }, (_, at) => `https://a.example/${at}`)
  await run(urls, { outDir: await temporaryDir(), source, concurrency: 3 })
  expect(mostRunning()).toBe(3)
})

it.each([
  ['limit', 'The daily limit is used up.'],
  ['busy', 'The browser is not available.'],
])('stops when the service refuses all requests (%s), and when it is aborted', async (path, reason) => {
  const outDir = await temporaryDir()
  const { source, requested } = recordedSource()
  const urls = [
    'https://a.example/1',
    `https://a.example/${path}`,
    ...Array.from({ length: 9 }, (_, at) => `https://b.example/${at}`),
  ]
  await expect(run(urls, { outDir, source, concurrency: 1 })).rejects.toThrow(
    `${reason} 1 page had been captured by then. Run the same command again to capture the missing pages.`,
  )
  expect(requested).toHaveLength(2)
  await expect(run(urls, { outDir, source, signal: AbortSignal.abort(new Error('Stopped.')) })).rejects.toThrow(
    'Stopped.',
  )
  expect(await linesOf(outDir)).toHaveLength(1)
})

it('never records more of a title than a thousand characters', async () => {
  const outDir = await temporaryDir()
  const { source } = recordedSource()
  const page: PreviewSource['page'] = async (...request) => {
    const page = await source.page(...request)
    return { ...page, data: { ...page.data, title: 't'.repeat(1_000_000), description: 'd'.repeat(1_000_000) } }
  }
  await run(['https://a.example/1'], { outDir, source: { ...source, page } })
  expect((await readFile(join(outDir, 'results.ndjson'))).length).toBeLessThan(7_000)
})

it.skipIf(!canMount)('says in a sentence that the disk is full, and leaves whole files alone', async () => {
  const outDir = join(await temporaryDir(), 'disk')
  mountSmallDisk(outDir, '64k')
  const { source } = recordedSource()
  const image: PreviewSource['image'] = async () => ({ bytes: Buffer.alloc(20_000), type: 'png', width: 1, height: 1 })
  const urls = Array.from({ length: 9 }, (_, at) => `https://a.example/${at}`)
  await expect(run(urls, { outDir, source: { ...source, image } })).rejects.toThrow(
    /^There is no space left for .*disk. Free some space. Run the same command again/,
  )
  const lines = await linesOf(outDir)
  expect(lines.length).toBeGreaterThan(0)
  const images = (await readdir(outDir)).filter((name) => name !== 'results.ndjson')
  expect(images.every((name) => name.endsWith('.png'))).toBe(true)
  for (const { file, size } of lines) expect((await stat(join(outDir, String(file)))).size).toBe(size)
})

const key = '0123456789abcdef'

it.each([
  ['https://www.example.com/', 'example.com-0123456789.jpg'],
  ['https://example.com/A page/?q=1#x', 'example.com-a-page-0123456789.jpg'],
  ['https://example.com/../../etc/passwd', 'example.com-etc-passwd-0123456789.jpg'],
  ['not a url', 'not-a-url-0123456789.jpg'],
  ['', 'page-0123456789.jpg'],
  [`https://example.com/${'a'.repeat(9_000)}`, `example.com-${'a'.repeat(68)}-0123456789.jpg`],
])('of %s is %s', (url, name) => {
  expect(fileName(url, { key, type: 'jpg' })).toBe(name)
})

it('is a plain name of bounded length for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'binary' })), (url) => {
      expect(fileName(url, { key, type: 'webp' })).toMatch(/^[a-z\d][a-z\d.-]{0,90}-0123456789\.webp$/)
    }),
  )
})
