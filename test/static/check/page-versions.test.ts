import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageError, type PageData } from '../../../src/query/index.js'
import { newestVersion, withHistory } from '../../../src/static/check/page-versions.js'
import { fakeSource, pageWith, picture } from '../mcp/fake-source.js'

const { signal } = new AbortController()
const screenshot = { url: 'x' } as PageData['screenshot']
const since = '2026-01-02T00:00:00.000Z'
const shown = { title: null, screenshot: { url: 'x', width: 1, height: 1 }, area: { x: 0, y: 0, width: 1, height: 1 } }
const history = { versions: [{ since, until: since, ...shown, changes: [] }], ignored: [] }

/** A source behind `withHistory`, what was requested of it, and how often a history was missing. */
function setUp(respond: (query: Record<string, unknown>) => PageData | Promise<PageData>) {
  const requested: unknown[] = []
  let missing = 0
  const source = withHistory(
    fakeSource({
      async page(query) {
        requested.push(query.history)
        return pageWith(await respond({ ...query }))
      },
      async image(query) {
        requested.push(`image ${String(query.history)}`)
        return picture()
      },
    }),
    () => missing++,
  )
  const page = () => source.page({ url: 'https://a.example/' }, signal)
  return { source, page, requested, missing: () => missing }
}

describe('pages with their history', () => {
  it('are requested with their newest version, and so are their images', async () => {
    const { source, page, requested, missing } = setUp(() => ({ screenshot, history }))
    expect((await page()).data.history).toEqual(history)
    await source.image({ url: 'https://a.example/' }, 'screenshot', {}, signal)
    expect(requested).toEqual([1, 'image 1'])
    expect(missing()).toBe(0)
  })

  it('are reported once if the service does not know it', async () => {
    const { page, missing } = setUp(() => ({ screenshot }))
    expect((await page()).data).toEqual({ screenshot })
    await page()
    expect(missing()).toBe(1)
  })

  it('are not reported if a page could not be compared', async () => {
    const { page, missing } = setUp(() => ({ screenshot, history: null }))
    expect((await page()).data.history).toBeNull()
    expect(missing()).toBe(0)
  })

  it.each(['EAUTH', 'EINVALQUERY'] as const)(
    'are requested without it once a service refuses it with %s',
    async (code) => {
      let refuseSecond = () => {}
      const whenFirstIsDone = new Promise<void>((resolve) => (refuseSecond = resolve))
      const { source, page, requested, missing } = setUp(async (query) => {
        if (requested.length === 2) await whenFirstIsDone
        if (query.history) throw new PageError(code, 'history is on the pro host.')
        return { screenshot }
      })
      const [first, second] = [page(), page()]
      await first
      refuseSecond()
      await second
      await page()
      await source.image({ url: 'https://a.example/' }, 'screenshot', {}, signal)
      expect(requested).toEqual([1, 1, undefined, undefined, undefined, 'image undefined'])
      expect(missing()).toBe(1)
    },
  )

  it('fail as they do without it where that is not what was refused', async () => {
    const error = new PageError('EAUTH', 'The key is unknown.')
    const { page, missing } = setUp(() => {
      throw error
    })
    await expect(page()).rejects.toBe(error)
    expect(missing()).toBe(0)
  })

  it('are requested once where the page fails', async () => {
    const error = new PageError('ETIMEOUT', 'It did not respond.')
    const { page, requested } = setUp(() => {
      throw error
    })
    await expect(page()).rejects.toBe(error)
    expect(requested).toEqual([1])
  })
})

describe('the newest version', () => {
  const change = { kind: 'added', element: 'p', text: 'New', textBefore: null, x: 1, y: 2, width: 3, height: 4 }
  const withChanges = (...changes: unknown[]) => newestVersion({ versions: [{ since, changes }, { since: 'older' }] })

  it('is the first of the history', () => {
    expect(withChanges(change)).toEqual({ since, changes: [change] })
  })

  it.each([[undefined], [null], [{}], [{ versions: [] }], [{ versions: [{ since: 'yesterday', changes: [] }] }]])(
    'is missing in %j',
    (value) => {
      expect(newestVersion(value)).toBeUndefined()
    },
  )

  it('has nothing of a service but changes, within their limits', () => {
    const damaged = [null, {}, { ...change, kind: 'moved' }, { ...change, x: null }, { ...change, element: 1 }]
    expect(withChanges(...damaged, { ...change, other: 'x' })).toEqual({ since, changes: [change] })
    const long = withChanges(...Array.from({ length: 60 }, () => ({ ...change, text: 'x'.repeat(1_000) })))
    expect(long?.changes).toHaveLength(50)
    expect(long?.changes[0]?.text).toHaveLength(200)
    fc.assert(fc.property(fc.anything(), (value) => void newestVersion({ versions: [{ since, changes: [value] }] })))
  })
})
