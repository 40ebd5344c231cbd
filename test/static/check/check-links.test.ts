// Covers check-links.ts with inspect-link.ts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PageError, type PageData } from '../../../src/query/index.js'
import type { LockEntry } from '../../../src/static/freeze/index.js'
import { checkLinks, findLinks } from '../../../src/static/check/index.js'
import type { PreviewSource, SourcePage } from '../../../src/static/preview-source.js'

type Response = PageError | { statusCode?: number; data?: PageData; redirectsTo?: string; isTemporary?: boolean }

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const DATE = new Date(NOW).toISOString()
const WORKS = { data: { title: 'A page', screenshot: { url: 'x' } as PageData['screenshot'] } }
const image = {
  width: 1280,
  height: 800,
  isScreenshot: true,
  files: [{ name: 'small.webp', type: 'webp', width: 640 }],
} as const

interface SiteOptions {
  /** Responses to each URL, in order; the last one is repeated. */
  responses: Record<string, Response[]>
  entries?: Record<string, LockEntry['preview']>
  difference?: number
  history?: Map<string, { since: string; checks: number; latest: string; reason: string }>
}

async function check({ responses, entries = {}, difference = 0, history = new Map() }: SiteOptions) {
  const urls = Object.keys(responses)
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-site-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(
    join(dir, 'index.html'),
    urls.map((url) => `<page-preview><a href="${url}">x</a></page-preview>`).join(''),
  )
  const lock = new Map(Object.entries(entries).map(([url, preview]) => [url, { url, ...(preview && { preview }) }]))
  const { signal } = new AbortController()
  const { links } = await findLinks({ dir, lock, signal })
  const requested: string[] = []
  let latest: Response = WORKS
  const source: PreviewSource = {
    async page(query): Promise<SourcePage> {
      const url = String(query.url)
      expect(query).toMatchObject({ force: true, screenshot: true })
      const nth = requested.filter((other) => other === url).length
      requested.push(url)
      latest = responses[url]!.at(nth) ?? responses[url]!.at(-1)!
      if (latest instanceof Error) throw latest
      const { statusCode = 200, data = {}, redirectsTo } = latest
      const redirects = redirectsTo ? [{ statusCode: 301, url }] : []
      return { data, statusCode, redirects, producedAt: NOW, cacheStatus: 'BYPASS', warnings: [] }
    },
    async image(query) {
      // Of the result that was just captured.
      expect(query).toMatchObject({ screenshot: true })
      expect(query).not.toHaveProperty('force')
      return { bytes: Buffer.from('now'), type: 'webp', width: 1, height: 1 }
    },
    variants: () => Promise.reject(new Error('unexpected')),
    compareImages: async () => difference,
    close: async () => undefined,
  }
  const follow = async (url: string) => {
    const response = responses[url]!.at(-1)!
    return 'redirectsTo' in response && response.redirectsTo
      ? { url: response.redirectsTo, isPermanent: !response.isTemporary }
      : undefined
  }
  const checked = await checkLinks(links, {
    source,
    readImage: async (name) => (name === 'small.webp' ? Buffer.from('before') : undefined),
    requests: { follow },
    history,
    signal,
    goneAfter: 2,
    retryPauseMs: 0,
    concurrency: 1,
    clock: () => NOW,
  })
  return { ...checked, requested }
}

const statusesOf = ({ reports }: Awaited<ReturnType<typeof check>>) => reports.map(({ status }) => status)

describe('a link', () => {
  it('that fails is tried again after all others, and is fine when it works then', async () => {
    const checked = await check({
      responses: { 'https://a.example/1': [{ statusCode: 404 }, WORKS], 'https://a.example/2': [WORKS] },
    })
    expect(checked.requested).toEqual(['https://a.example/1', 'https://a.example/2', 'https://a.example/1'])
    expect(statusesOf(checked)).toEqual(['ok', 'ok'])
    expect(checked.history.size).toBe(0)
  })

  it('that fails twice is failing, and gone in the next check', async () => {
    const responses = { 'https://a.example/1': [{ statusCode: 404 }] }
    const first = await check({ responses })
    expect(first.reports).toEqual([
      {
        url: 'https://a.example/1',
        status: 'failing',
        reason: 'Its server responds that it does not exist (HTTP 404).',
        statusCode: 404,
        since: DATE,
        checks: 1,
        pages: ['index.html'],
      },
    ])
    expect((await check({ responses, history: first.history })).reports).toMatchObject([{ status: 'gone', checks: 2 }])
  })

  it('that does not respond is not gone before a day has passed', async () => {
    const responses = { 'https://a.example/1': [new PageError('ETIMEOUT', 'It did not respond.')] }
    const since = (days: number) =>
      new Map([
        [
          'https://a.example/1',
          { since: new Date(NOW - days * 86_400_000).toISOString(), checks: 5, latest: DATE, reason: '' },
        ],
      ])
    expect(statusesOf(await check({ responses, history: since(0.9) }))).toEqual(['failing'])
    expect(statusesOf(await check({ responses, history: since(1.1) }))).toEqual(['gone'])
  })

  it('that shows an error page, or leads to the home page, is failing', async () => {
    const checked = await check({
      responses: {
        'https://a.example/soft': [{ data: { state: 'error-page', screenshot: null } }],
        'https://a.example/post': [{ ...WORKS, redirectsTo: 'https://a.example/', isTemporary: true }],
      },
    })
    expect(statusesOf(checked)).toEqual(['failing', 'failing'])
    expect(checked.reports[1]!.reason).toBe('It redirects to the home page, https://a.example/.')
  })

  it('that redirects for good has moved, and for now has not', async () => {
    const checked = await check({
      responses: {
        'https://a.example/1': [{ ...WORKS, redirectsTo: 'https://a.example/new' }],
        'https://a.example/2': [{ ...WORKS, redirectsTo: 'https://a.example/new', isTemporary: true }],
      },
    })
    expect(checked.reports).toMatchObject([{ status: 'moved', newUrl: 'https://a.example/new' }, { status: 'ok' }])
  })

  it('that does not let itself be checked is unclear, and its failures stay on record', async () => {
    const history = new Map([['https://a.example/1', { since: DATE, checks: 3, latest: DATE, reason: 'HTTP 404.' }]])
    const responses = { 'https://a.example/1': [{ data: { state: 'bot-check' as const } }] }
    const checked = await check({ responses, history })
    expect(statusesOf(checked)).toEqual(['unclear'])
    expect(checked.history).toEqual(history)
    expect(checked.requested).toHaveLength(1)
  })

  it('has changed where its title or its image differs from the frozen one', async () => {
    const responses = { 'https://a.example/1': [WORKS] }
    const entries = (title: string) => ({ 'https://a.example/1': { date: DATE, data: { title }, image } })
    expect(statusesOf(await check({ responses, entries: entries(' a  PAGE '), difference: 0.2 }))).toEqual(['ok'])
    expect((await check({ responses, entries: entries('Other') })).reports).toMatchObject([
      { status: 'changed', title: { before: 'Other', now: 'A page' } },
    ])
    const long = { 'https://a.example/1': [{ data: { ...WORKS.data, title: 't'.repeat(1_000_000) } }] }
    expect(JSON.stringify((await check({ responses: long, entries: entries('Other') })).reports).length).toBeLessThan(
      1_000,
    )
    expect((await check({ responses, entries: entries('A page'), difference: 0.4 })).reports).toMatchObject([
      { status: 'changed', imageDifference: 0.4 },
    ])
  })

  it('is not judged where none of several hosts responds', async () => {
    const down = [new PageError('EUNREACHABLE', 'It did not respond.')]
    const two = { 'https://a.example/': down, 'https://b.example/': down, 'https://b.example/2': down }
    expect(statusesOf(await check({ responses: two }))).toEqual(['failing', 'failing', 'failing'])
    await expect(check({ responses: { ...two, 'https://c.example/': down } })).rejects.toThrow(
      'None of the links could be reached, so nothing was recorded: check the network of this machine.',
    )
    expect(statusesOf(await check({ responses: { ...two, 'https://c.example/': [WORKS] } }))).toContain('failing')
  })

  it('stops the check when it is the service that fails', async () => {
    const error = new PageError('ERATE', 'The daily limit is used up.')
    await expect(check({ responses: { 'https://a.example/1': [error] } })).rejects.toBe(error)
  })
})
