import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { createProcessPool } from '../../../src/server/images/create-process-pool.js'

const LIMITS = { size: 1, maxWaiting: 9, timeoutMs: 30_000, maxRssBytes: 1_500_000_000 }
const pools: ReturnType<typeof createProcessPool>[] = []
const createPool = (limits = {}) => {
  const pool = createProcessPool({ ...LIMITS, ...limits })
  pools.push(pool)
  return pool
}
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
})

const createImage = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
const signal = new AbortController().signal
const options = { client: 'a', signal }
const small = await createImage(10)
/** Takes more than a second to encode. */
const slowTask = async () => [await createImage(5_000), { width: undefined, type: 'avif', isOwnType: false }] as const

it('runs tasks one after another, and returns their results', async () => {
  const pool = createPool()
  const palettes = await Promise.all([1, 2, 3].map(() => pool.run('samplePalette', [small], options)))
  expect(palettes).toEqual([['#123456'], ['#123456'], ['#123456']])
})

it('reports the error of a decoder, and goes on', async () => {
  const pool = createPool()
  await expect(pool.run('samplePalette', [small.subarray(0, 30)], options)).rejects.toThrow(/corrupt|header|png/i)
  expect(await pool.run('measureImage', [small], options)).toEqual({ width: 10, height: 10 })
})

it('does not decode an SVG', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  )
  await expect(createPool().run('samplePalette', [svg], options)).rejects.toThrow(/unsupported image format/)
})

it('ends a task that takes too long', async () => {
  const pool = createPool({ timeoutMs: 100 })
  await expect(pool.run('convertVariant', [...(await slowTask())], options)).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

it('ends a task that needs too much memory', async () => {
  const pool = createPool({ maxRssBytes: 90_000_000 })
  await expect(pool.run('convertVariant', [...(await slowTask())], options)).rejects.toMatchObject({
    code: 'ETOOLARGE',
  })
})

it('rejects an image with too many pixels', async () => {
  const huge = Buffer.from(small)
  huge.writeUInt32BE(60_000, 16)
  huge.writeUInt32BE(60_000, 20)
  await expect(createPool().run('measureImage', [huge], options)).rejects.toThrow()
})

it('ends the task of a caller that leaves, skips waiting ones, and serves the next', async () => {
  const pool = createPool()
  const leaving = new AbortController()
  const task = await slowTask()
  const running = pool.run('convertVariant', [...task], { client: 'a', signal: leaving.signal })
  const waiting = pool.run('convertVariant', [...task], { client: 'a', signal: leaving.signal })
  const next = pool.run('samplePalette', [small], options)
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await expect(running).rejects.toThrow('left')
  expect(await next).toEqual(['#123456'])
})

it('fails its tasks when it is closed', async () => {
  const pool = createPool()
  const task = pool.run('convertVariant', [...(await slowTask())], options)
  const failure = expect(task).rejects.toMatchObject({ code: 'EBUSY' })
  await pool.close()
  await failure
})

it('rejects tasks beyond those that may wait', async () => {
  const pool = createPool({ maxWaiting: 1 })
  const accepted = [1, 2].map(() => pool.run('samplePalette', [small], options))
  await expect(pool.run('samplePalette', [small], options)).rejects.toMatchObject({
    code: 'EBUSY',
    retryAfterMs: 2_000,
  })
  await Promise.all(accepted)
})

it('has room for others while one client has its share', async () => {
  const pool = createPool({ size: 2, reserve: 1 })
  const leaving = new AbortController()
  const slow = [1, 2].map(async () =>
    pool.run('convertVariant', [...(await slowTask())], { client: 'a', signal: leaving.signal }),
  )
  expect(await pool.run('samplePalette', [small], { client: 'b', signal })).toEqual(['#123456'])
  leaving.abort(new Error('left'))
  await Promise.all(slow.map((task) => expect(task).rejects.toThrow('left')))
})
