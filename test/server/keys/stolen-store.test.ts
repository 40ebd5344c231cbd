// Covers what the key store reveals to whoever reads it, in a data folder or in Redis: nothing that signs requests.
import { Redis } from 'ioredis'
import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { parseQuery } from '../../../src/query/index.js'
import { openKeys } from '../../../src/server/index.js'
import { hasRedis, startRedis } from '../../shared/start-redis.js'
import { temporaryDir } from '../store/temporary-dir.js'

const KEY_BYTES = 32
const SIGNING_SECRET = 'a signing secret of the operator, for tests'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const sign = (url: string) =>
  signedUrl({ url }, { endpoint: { pro: 'https://pro.test' }, apiKey: key, expiresIn: 60_000 })

let key: string

/** Everything in the bytes that could be a signing key: each window of 32 bytes, and what text there decodes to. */
function* signingKeysIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + KEY_BYTES <= bytes.length; at++) yield bytes.subarray(at, at + KEY_BYTES)
  for (const [token] of bytes.toString('latin1').matchAll(/[\w-]{16,}/g)) {
    // The byte in front of a text, its length, may look like a letter.
    for (const text of [token, token.slice(1), token.slice(2)])
      yield* [Buffer.from(text), Buffer.from(text, 'hex'), Buffer.from(text, 'base64url'), sha256(text)]
  }
}

async function canSignWith(bytes: Buffer): Promise<boolean> {
  const { searchParams } = new URL(await sign('https://example.com/'))
  const { text } = parseQuery(searchParams).with({ signature: undefined })
  const signature = searchParams.get('signature')
  return [...signingKeysIn(bytes)].some(
    (candidate) => createHmac('sha256', candidate).update(text).digest('base64url') === signature,
  )
}

async function expectUseless(stored: Buffer): Promise<void> {
  const [, id, ...secret] = key.split('_')
  expect(stored.includes(id!)).toBe(true)
  const signingKey = sha256(secret.join('_')).toString('hex')
  expect(await canSignWith(Buffer.concat([stored, Buffer.from(` ${signingKey}`)]))).toBe(true)
  expect(await canSignWith(stored)).toBe(false)
}

describe('the key store does not contain what signs requests', () => {
  it('in a data folder', async () => {
    const dataDir = await temporaryDir()
    const keys = await openKeys({ dataDir })
    ;({ key } = await keys.create('Stolen'))
    await keys.close()
    await expectUseless(await readFile(join(dataDir, 'keys.db')))
  })

  it.skipIf(!hasRedis)('in Redis', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const url = redis.freshUrl()
    const keys = await openKeys({ redis: url, signingSecret: SIGNING_SECRET })
    ;({ key } = await keys.create('Stolen'))
    await keys.close()
    const client = new Redis(url)
    const stored = await client.hvals('page-preview:keys')
    await client.quit()
    await expectUseless(Buffer.from(stored.join('\n')))
  })
})
