import fc from 'fast-check'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  historyText,
  isGone,
  nextRecord,
  parseHistory,
  readHistory,
  writeHistory,
} from '../../../src/static/check/link-history.js'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-01-01T00:00:00.000Z')
const absent = { outcome: 'absent', reason: 'HTTP 404.' } as const
const unreachable = { outcome: 'unreachable', reason: 'HTTP 500.' } as const

/** The records after checks at hours since the start. */
function checksAt(result: typeof absent | typeof unreachable, ...hours: number[]) {
  let record: ReturnType<typeof nextRecord>
  return hours.map((hour) => {
    const now = START + hour * HOUR_MS
    record = nextRecord(record, { result, now })
    return isGone(record!, { result, now, goneAfter: 2 })
  })
}

it('never counts a link as gone after one check', () => {
  expect(checksAt(absent, 0)).toEqual([false])
  expect(checksAt(unreachable, 0)).toEqual([false])
})

it('counts an absent page as gone after two checks, and one that does not respond after a day', () => {
  expect(checksAt(absent, 0, 1)).toEqual([false, true])
  expect(checksAt(unreachable, 0, 1, 2, 23, 24)).toEqual([false, false, false, false, true])
  expect(checksAt(unreachable, 0, 48)).toEqual([false, true])
})

it('counts in a row, from the first failure, and neither on nor back where nothing is known', () => {
  const first = nextRecord(undefined, { result: absent, now: START })
  const unclear = nextRecord(first, { result: { outcome: 'unclear' }, now: START + 1 })
  expect(unclear).toEqual({
    since: '2026-01-01T00:00:00.000Z',
    checks: 1,
    latest: '2026-01-01T00:00:00.000Z',
    reason: 'HTTP 404.',
  })
  expect(nextRecord(unclear, { result: absent, now: START + HOUR_MS })).toMatchObject({
    since: first!.since,
    checks: 2,
  })
  expect(nextRecord(first, { result: { outcome: 'works' }, now: START })).toBeUndefined()
})

const DATE = '2026-01-01T00:00:00.000Z'
const link = (checks: number) => ({ since: DATE, checks, latest: DATE, reason: 'HTTP 404.' })

async function path() {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-check-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return join(dir, 'check.json')
}

it('has one link per line, sorted, and is read again', async () => {
  const file = await path()
  const history = new Map([
    ['https://b.example', link(2)],
    ['https://a.example', link(1)],
  ])
  await writeHistory(file, history)
  const line = (checks: number) => `{"since":"${DATE}","checks":${checks},"latest":"${DATE}","reason":"HTTP 404."}`
  expect(await readFile(file, 'utf8')).toBe(
    `{\n  "version": 1,\n  "links": {\n    "https://a.example": ${line(1)},\n    "https://b.example": ${line(2)}\n  }\n}\n`,
  )
  expect(await readHistory(file)).toEqual(history)
})

it('is no device, which may have no end', async () => {
  await expect(readHistory('/dev/null')).rejects.toThrow('/dev/null cannot be read: it is not a file.')
})

it('is not created without failing links, and emptied when all work again', async () => {
  const file = await path()
  await writeHistory(file, new Map())
  expect(await readdir(join(file, '..'))).toEqual([])
  await writeHistory(file, new Map([['https://a.example', link(1)]]))
  await writeHistory(file, new Map())
  expect(await readFile(file, 'utf8')).toBe('{\n  "version": 1,\n  "links": {}\n}\n')
})

it.each([
  ['', 'is not a record of link checks. Restore the file from version control, or delete it'],
  ['[]', 'is not a record of link checks'],
  ['<<<<<<< HEAD\n{}', 'is not a record of link checks'],
  ['{"version":2,"links":{}}', 'is not version 1, which this program reads: update'],
])('that holds %j is refused with a sentence', async (text, sentence) => {
  const file = await path()
  await writeFile(file, text)
  await expect(readHistory(file)).rejects.toThrow(sentence)
})

it('takes nothing but records of links from any file', () => {
  const entry = fc.oneof(
    fc.anything(),
    fc.record({ since: fc.constant(DATE), checks: fc.anything(), latest: fc.constant(DATE), reason: fc.string() }),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(fc.webUrl(), fc.string()), entry), (links) => {
      const text = JSON.stringify({ version: 1, links })
      const history = parseHistory(text, 'file')
      for (const [url, { checks, reason }] of history) {
        expect(url).toMatch(/^https?:/)
        expect(Number.isInteger(checks) && checks >= 1).toBe(true)
        expect(reason.length).toBeLessThanOrEqual(500)
      }
      expect(parseHistory(historyText(history), 'file')).toEqual(history)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        parseHistory(text, 'file')
      } catch (error) {
        expect(String(error)).toMatch(/^Error: file (is not a record|does not have version)/)
      }
    }),
  )
})
