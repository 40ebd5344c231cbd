import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseRedisUrl } from '../../../../src/server/store/index.js'
import { connectRedis } from '../../../../src/server/store/redis/redis-connection.js'
import { hasRedis, startRedis } from '../../../shared/start-redis.js'

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

/** A Redis of its own, and a connection that changes its settings. */
async function startInspectedRedis(): Promise<{ url: string; inspector: Redis }> {
  const redis = await startRedis()
  onTestFinished(() => redis.close())
  const url = redis.freshUrl()
  const inspector = new Redis(url)
  onTestFinished(() => inspector.disconnect())
  return { url, inspector }
}

it.skipIf(!hasRedis)(
  'reports a Redis that rejects writes at the start, and once that it accepts them again',
  async () => {
    const { url, inspector } = await startInspectedRedis()
    await inspector.config('SET', 'maxmemory', '1')
    const events: string[] = []
    const connection = await connectRedis(parseRedisUrl(url), {
      option: '--redis',
      keyPrefix: 'page-preview',
      mayBeUnreachable: true,
      onDisconnect: ({ message }) => events.push(message.slice(0, 3)),
      onReconnect: () => events.push('recovered'),
    })
    onTestFinished(() => connection.close())
    await connection.check()
    expect([connection.state(), events]).toEqual(['rejected', ['OOM']])
    await inspector.config('SET', 'maxmemory', '0')
    for (let times = 0; times < 2; times++) await connection.check()
    expect([connection.state(), events]).toEqual(['ok', ['OOM', 'recovered']])
  },
)

it.skipIf(!hasRedis)(
  'reports a Redis that is read-only after a failover once, and once that it can be written',
  async () => {
    const { url, inspector } = await startInspectedRedis()
    const events: string[] = []
    const connection = await connectRedis(parseRedisUrl(url), {
      option: '--redis',
      keyPrefix: 'page-preview',
      onDisconnect: () => events.push('unreachable'),
      onReconnect() {
        events.push('recovered')
        connection.run((commands) => commands.set('written', '1')).catch(() => undefined)
      },
    })
    onTestFinished(() => connection.close())
    const connections = async () => Number(/total_connections_received:(\d+)/.exec(await inspector.info('stats'))![1])

    await inspector.replicaof('127.0.0.1', 1)
    const before = await connections()
    await connection.check()
    // It connects again and again, because any of them may lead to the new primary.
    await expect.poll(connections, { timeout: 5_000 }).toBeGreaterThan(before + 5)
    expect(events).toEqual(['unreachable'])
    await inspector.replicaof('NO', 'ONE')
    await expect.poll(() => events, { timeout: 5_000 }).toEqual(['unreachable', 'recovered'])
    await expect.poll(() => connection.state()).toBe('ok')
    expect(await inspector.get('page-preview:written')).toBe('1')
  },
)
