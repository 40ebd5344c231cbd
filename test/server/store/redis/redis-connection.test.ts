import { describe, expect, it } from 'vitest'
import { parseRedisUrl } from '../../../../src/server/store/index.js'

describe('parseRedisUrl', () => {
  const defaults = { username: undefined, password: undefined, isEncrypted: false, port: 6379, db: 0 }
  it.each([
    ['redis://cache', { ...defaults, host: 'cache', displayUrl: 'redis://cache:6379' }],
    ['redis://[::1]:7000/3', { ...defaults, host: '::1', port: 7000, db: 3, displayUrl: 'redis://[::1]:7000/3' }],
    [
      'rediss://some%40body:pass%2Fword@cache.example.com',
      {
        ...defaults,
        host: 'cache.example.com',
        username: 'some@body',
        password: 'pass/word',
        isEncrypted: true,
        displayUrl: 'rediss://cache.example.com:6379',
      },
    ],
    ['redis://:word@cache', { ...defaults, host: 'cache', password: 'word', displayUrl: 'redis://cache:6379' }],
  ])('parses %s', (text, config) => {
    expect(parseRedisUrl(text)).toEqual(config)
  })

  it.each(['', 'cache:6379', 'http://cache', 'redis://', 'redis://cache/name', 'redis://cache?db=1'])(
    'rejects %j',
    (text) => {
      expect(() => parseRedisUrl(text)).toThrow(/^(must be|may end with)/)
    },
  )
})
