import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { parseQuery } from '../../../src/query/index.js'
import { createService, openKeys, type ServiceOptions } from '../../../src/server/index.js'
import { createKeyVerifier } from '../../../src/server/keys/index.js'
import { openLocalStore } from '../../../src/server/store/local/open-local-store.js'
import type { ApiKeyRecord } from '../../../src/server/store/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { recordingLog } from '../../shared/recording-log.js'
import { temporaryDir } from '../store/temporary-dir.js'

const SECRET = 'the secret of an operator, 32 characters or more'
const OTHER_SECRET = 'another secret, which also has 32 characters'

let site: LocalSite
beforeAll(async () => {
  site = await localSite({ '/': '<title>Signed</title>' })
})
afterAll(() => site.close())

async function startService(options: ServiceOptions) {
  const logLines: string[] = []
  const write = (fields: object, message: string) => void logLines.push(JSON.stringify({ ...fields, message }))
  const log = { debug: write, info: write, warn: write, error: write }
  const service = createService({ allowTargets: [site.host], log, ...options })
  await service.ready()
  return { service, logLines }
}

/** Status and `data` of the response to a signed URL and to a request with the key, and what was logged. */
async function responsesTo(key: string, options: ServiceOptions) {
  const { service, logLines } = await startService(options)
  const send = async (url: string, headers = {}) => {
    const response = await service.fetch(new Request(url, { headers }), { plan: 'pro' })
    const { code, data, message } = (await response.json()) as { code?: string; data: object; message: string }
    return { status: response.status, code, data, message }
  }
  const url = await signedUrl(
    { url: `${site.url}/` },
    { endpoint: { pro: 'https://pro.test' }, apiKey: key, expiresIn: 60_000 },
  )
  const responses = {
    signed: await send(url),
    withKey: await send(`https://pro.test/?url=${site.url}/`, { 'x-api-key': key }),
  }
  for (let request = 0; request < 5; request++) await send(url)
  const readiness = await service.fetch(new Request('https://free.test/readyz'))
  const ready = (await readiness.json()) as Record<string, unknown>
  await service.close()
  return { ...responses, ready, logged: logLines.filter((line) => /signing/.test(line)) }
}

async function createKey(dataDir: string, options: { signingSecret?: string } = {}): Promise<string> {
  const keys = await openKeys({ dataDir, ...options })
  const { key } = await keys.create('Signer')
  await keys.close()
  return key
}

async function changeRecord(dataDir: string, key: string, change: (record: ApiKeyRecord) => object): Promise<void> {
  const store = await openLocalStore({ dataDir, maxBytes: Infinity })
  const record = await store.apiKeys.readKey(key.split('_')[1]!)
  await store.apiKeys.writeKey(change(record!) as ApiKeyRecord)
  await store.close()
}

describe('a signed URL', () => {
  it('is accepted with the signing secret that its key was created with', async () => {
    const dataDir = await temporaryDir()
    const key = await createKey(dataDir, { signingSecret: SECRET })
    const { signed, logged } = await responsesTo(key, { dataDir, signingSecret: SECRET })
    expect([signed.status, logged]).toEqual([200, []])
  })

  it.each([
    ['when the signing secret differs', 'signing-secret-differs', { signingSecret: OTHER_SECRET }],
    ['when the key has no signing key', 'key-without-signing-key', { signingSecret: SECRET }],
  ])('is refused %s, which is logged once and does not affect the key itself', async (_, event, options) => {
    const dataDir = await temporaryDir()
    const key = await createKey(dataDir, { signingSecret: SECRET })
    if (event === 'key-without-signing-key')
      await changeRecord(dataDir, key, ({ encryptedSigningKey: _signingKey, ...record }) => record)
    const { signed, withKey, logged } = await responsesTo(key, { dataDir, ...options })
    expect(signed).toMatchObject({ status: 403, data: { keyId: 'unverifiable' } })
    expect(signed.message).toContain('cannot verify')
    expect(withKey.status).toBe(200)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain(`"event":"${event}"`)
    expect(logged[0]).toContain('PAGE_PREVIEW_SIGNING_SECRET')
    for (const secret of [SECRET, OTHER_SECRET, key]) expect(logged[0]).not.toContain(secret)
  })

  it('is refused if the service has no signing secret, which is logged once', async () => {
    const dataDir = await temporaryDir()
    const id = (await createKey(dataDir)).split('_')[1]!
    const store = await openLocalStore({ dataDir, maxBytes: Infinity })
    onTestFinished(() => store.close())
    const { log, lines } = recordingLog()
    const verifier = createKeyVerifier({ apiKeys: store.apiKeys, cipher: undefined, log })
    const signed = parseQuery({ url: site.url, keyId: id, signature: 'any' })
    for (let request = 0; request < 2; request++)
      expect(await verifier.checkSignature(signed, id)).toEqual({ result: 'unverifiable' })
    expect(lines.map(({ event }) => event)).toEqual(['signing-secret-missing'])
  })

  it.each(['', 'cut'])(
    'is refused with 503 while the signing secret is damaged to %j, and all else works',
    async (text) => {
      const dataDir = await temporaryDir()
      const key = await createKey(dataDir)
      await writeFile(join(dataDir, 'signing-secret'), text)
      const { signed, withKey, ready, logged } = await responsesTo(key, { dataDir })
      expect(signed).toMatchObject({ status: 503, code: 'EBUSY' })
      expect(signed.message).toContain('signing secret')
      expect(withKey.status).toBe(200)
      expect(ready).toMatchObject({ store: true, signingSecret: expect.stringMatching(/^damaged: signed URLs .* 503/) })
      expect(logged).toEqual([expect.stringContaining('"event":"signing-secret-damaged"')])
      expect(logged[0]).toContain(join(dataDir, 'signing-secret'))
      await expect(createKey(dataDir)).rejects.toThrow('is damaged')
      for (const place of [signed.message, ready.signingSecret]) expect(place).not.toContain(dataDir)
    },
  )

  it('is refused with the signing key of another key', async () => {
    const dataDir = await temporaryDir()
    const [own, other] = [await createKey(dataDir), await createKey(dataDir)]
    let taken: string | undefined
    await changeRecord(dataDir, own, (record) => ((taken = record.encryptedSigningKey), record))
    await changeRecord(dataDir, other, (record) => ({ ...record, encryptedSigningKey: taken }))
    expect((await responsesTo(other, { dataDir })).signed.status).toBe(403)
  })
})

it.each<[string, (record: ApiKeyRecord) => object]>([
  ['without a verification hash', ({ verificationHash: _hash, ...record }) => record],
  ['with one of another type', (record) => ({ ...record, verificationHash: 5 })],
  ['with an empty one', (record) => ({ ...record, verificationHash: '' })],
  ['with a signing key of another type', (record) => ({ ...record, encryptedSigningKey: {} })],
  ['with an invalid time', (record) => ({ ...record, createdAt: 'today' })],
])('a record %s is an unknown key', async (_, change) => {
  const dataDir = await temporaryDir()
  const key = await createKey(dataDir)
  await changeRecord(dataDir, key, change)
  const { withKey } = await responsesTo(key, { dataDir })
  expect(withKey).toMatchObject({ status: 403, data: { apiKey: 'unknown' } })
})
