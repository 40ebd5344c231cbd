import { expect, it } from 'vitest'
import { isNetworkError } from '../../../src/server/store/dependencies.js'

const withCode = (code: string) => Object.assign(new Error(code), { code })

it.each([
  ['a refused connection', withCode('ECONNREFUSED'), true],
  ['an unknown host', new TypeError('fetch failed', { cause: withCode('ENOTFOUND') }), true],
  ['a timeout', AbortSignal.timeout(0).reason ?? new DOMException('late', 'TimeoutError'), true],
  ['a closed socket of fetch', new TypeError('fetch failed', { cause: withCode('UND_ERR_SOCKET') }), true],
  ['a certificate for another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID'), false],
  ['TLS on a port without', new TypeError('fetch failed', { cause: withCode('EPROTO') }), false],
  ['text', 'ECONNREFUSED', false],
])('knows %s', (_, error, expected) => {
  expect(isNetworkError(error)).toBe(expected)
})
