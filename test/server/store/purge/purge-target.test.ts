import { expect, it } from 'vitest'
import { parsePurgeTarget, subjectOfUrl } from '../../../../src/server/store/index.js'

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
