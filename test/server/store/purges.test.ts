import { describe, expect, it } from 'vitest'
import { describePurge, parsePurgeTarget, subjectOfUrl } from '../../../src/server/store/index.js'
import { createTombstones, MAX_LOGGED_PURGES } from '../../../src/server/store/purges.js'

const entryOf = (url: string, lastPurge?: number) => ({ subjects: [subjectOfUrl(url)], lastPurge })

describe('the target of a purge', () => {
  it('reads a page, a host and everything', () => {
    const page = subjectOfUrl('https://example.com/a')
    expect(parsePurgeTarget({ url: 'HTTPS://EXAMPLE.com:443/a#b' })).toEqual({ page })
    expect(parsePurgeTarget({ host: 'Bücher.de.' })).toEqual({ host: 'xn--bcher-kva.de' })
    expect(parsePurgeTarget({ host: '2001:db8::1' })).toEqual({ host: '2001:db8::1' })
    expect(parsePurgeTarget({ all: true })).toEqual({ all: true })
  })

  it.each([
    [{}, 'EINVALQUERY'],
    [{ all: false }, 'EINVALQUERY'],
    [{ url: 'https://example.com', all: true }, 'EINVALQUERY'],
    [{ url: 'example.com' }, 'EINVALURL'],
    [{ url: 'file:///etc/passwd' }, 'EINVALURL'],
    [{ url: `https://example.com/${'x'.repeat(9_000)}` }, 'EINVALURL'],
    [{ url: 'https://example.com../' }, 'EINVALURL'],
    [{ url: 'https://a..b/' }, 'EINVALURL'],
    [{ host: '' }, 'EINVALQUERY'],
    [{ host: 'example.com..' }, 'EINVALQUERY'],
    [{ host: '.example.com' }, 'EINVALQUERY'],
    [{ host: 'example.com:8080' }, 'EINVALQUERY'],
    [{ host: 'example.com/path' }, 'EINVALQUERY'],
    [{ host: 'x'.repeat(9_000) }, 'EINVALQUERY'],
  ])('rejects %j', (target, code) => {
    expect(() => parsePurgeTarget(target)).toThrow(expect.objectContaining({ code, status: 400 }))
  })

  it('describes a purge by the host of its page, and nothing else of its URL', () => {
    const purge = parsePurgeTarget({ url: 'https://example.com/secret?token=1' })
    expect(describePurge(purge)).toEqual({ scope: 'page', targetHost: 'example.com' })
    expect(describePurge(parsePurgeTarget({ host: 'example.com' }))).toEqual({
      scope: 'host',
      targetHost: 'example.com',
    })
    expect(describePurge(parsePurgeTarget({ all: true }))).toEqual({ scope: 'all', targetHost: undefined })
    expect(describePurge({ images: [`${'a'.repeat(64)}.png`] })).toBeUndefined()
  })
})

describe('a tombstone', () => {
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
})
