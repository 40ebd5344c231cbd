import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openKeys } from '../../../src/server/index.js'
import { temporaryDir } from '../store/temporary-dir.js'

it('creates a random key and stores neither its secret nor the hash that signs requests', async () => {
  const dataDir = await temporaryDir()
  const keys = await openKeys({ dataDir })
  const { key, id } = await keys.create('Newsletter')
  const [, secret] = /^pp_[a-f\d]{12}_([\w-]{43})$/.exec(key)!
  expect(key).toBe(`pp_${id}_${secret}`)
  expect((await keys.create('Newsletter')).key).not.toBe(key)
  await keys.close()
  const files = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile())
  const stored = Buffer.concat(await Promise.all(files.map(({ name }) => readFile(join(dataDir, name)))))
  expect(stored.indexOf(id)).toBeGreaterThan(0)
  for (const encoding of ['hex', 'base64url', 'binary'] as const)
    expect(stored.indexOf(createHash('sha256').update(secret!).digest(encoding), 0, 'latin1')).toBe(-1)
  expect(stored.indexOf(secret!)).toBe(-1)
})

it('lists keys oldest first, including revoked ones, across restarts', async () => {
  const dataDir = await temporaryDir()
  const time = vi.spyOn(Date, 'now').mockReturnValue(1_000)
  const first = await openKeys({ dataDir })
  const { id } = await first.create('One')
  time.mockReturnValue(2_000)
  await first.create('Two')
  time.mockReturnValue(3_000)
  await first.revoke(id)
  await first.close()
  const second = await openKeys({ dataDir })
  time.mockReturnValue(4_000)
  expect((await second.revoke(id))?.revokedAt).toEqual(new Date(3_000))
  expect(await second.list()).toEqual([
    { id, name: 'One', createdAt: new Date(1_000), revokedAt: new Date(3_000) },
    { id: expect.any(String), name: 'Two', createdAt: new Date(2_000), revokedAt: undefined },
  ])
  await second.close()
  time.mockRestore()
})

it('revokes by the whole key too, for a leaked key whose ID is unknown', async () => {
  const keys = await openKeys({ dataDir: await temporaryDir() })
  const { key, id } = await keys.create('Leaked')
  expect(await keys.revoke(key)).toMatchObject({ id, revokedAt: expect.any(Date) })
  expect(await keys.revoke('nobody')).toBeUndefined()
  await keys.close()
})

it.each(['update', 'importAll'] as const)('does not undo a revocation by a concurrent %s', async (change) => {
  const dataDir = await temporaryDir()
  const [keys, other] = await Promise.all([openKeys({ dataDir }), openKeys({ dataDir })])
  const { id } = await keys.create('Leaked')
  const records = await keys.exportAll()
  const runs = {
    update: () => keys.update(id, { dailyLimit: 5 }),
    importAll: () => keys.importAll(records),
  }
  for (let round = 0; round < 5; round++) await Promise.all([runs[change](), other.revoke(id), runs[change]()])
  expect((await other.list())[0]).toMatchObject({ id, revokedAt: expect.any(Date) })
  await Promise.all([keys.close(), other.close()])
})

it('names the folder that it cannot use', async () => {
  const file = join(await temporaryDir(), 'file')
  await writeFile(file, '')
  await expect(openKeys({ dataDir: join(file, 'data') })).rejects.toThrow(/The data folder .*file\/data cannot be used/)
})
