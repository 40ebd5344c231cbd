import { expect, it } from 'vitest'
import { subjectOfUrl } from '../../../../src/server/store/index.js'
import { MAX_LOGGED_PURGES } from '../../../../src/server/store/purge/purge.js'
import { createTombstones } from '../../../../src/server/store/purge/tombstones.js'

const entryOf = (url: string, lastPurge?: number) => ({ subjects: [subjectOfUrl(url)], lastPurge })

it('covers what was begun before the purge of a page, and nothing that was begun since', () => {
  const tombstones = createTombstones()
  tombstones.add({ sequence: 5, purge: { page: subjectOfUrl('https://example.com/a?b=1') } })
  const isPurged = (url: string, lastPurge?: number) => tombstones.isPurged(entryOf(url, lastPurge))
  expect(isPurged('https://example.com/a?b=1#part', 4)).toBe(true)
  expect(isPurged('https://example.com/a?b=1', 5)).toBe(false)
  expect(isPurged('https://example.com/a', 4)).toBe(false)
  expect(isPurged('http://example.com/a?b=1', 4)).toBe(false)
  expect(isPurged('https://example.com/a?b=1')).toBe(false)
})

it('covers the pages of a host and of its subdomains, on every port', () => {
  const tombstones = createTombstones()
  tombstones.add({ sequence: 1, purge: { host: 'example.com' } })
  const urls = ['https://example.com/', 'http://a.b.example.com:8080/x', 'https://notexample.com/', 'https://com/']
  expect(urls.map((url) => tombstones.isPurged(entryOf(url, 0)))).toEqual([true, true, false, false])
})

it('covers everything', () => {
  const tombstones = createTombstones()
  tombstones.add({ sequence: 2, purge: { all: true } })
  expect([1, 2].map((lastPurge) => tombstones.isPurged({ lastPurge }))).toEqual([true, false])
  tombstones.clear()
  expect(tombstones.isPurged({ lastPurge: 1 })).toBe(false)
})

it('forgets the oldest purge when there are too many, and then drops what is older', () => {
  const tombstones = createTombstones()
  for (let sequence = 1; sequence <= MAX_LOGGED_PURGES + 1; sequence++)
    tombstones.add({ sequence, purge: { host: `${sequence}.example` } })
  expect(tombstones.isPurged(entryOf('https://other.example/', 0))).toBe(true)
  expect(tombstones.isPurged(entryOf('https://other.example/', 1))).toBe(false)
})
