// Covers what create-key-limits.ts counts of one request, without a service.
import { expect, it } from 'vitest'
import { createKeyLimits } from '../../../src/server/keys/create-key-limits.js'
import type { ApiKeyRecord } from '../../../src/server/store/index.js'

const key: ApiKeyRecord = { id: 'a', name: 'a', verificationHash: '', createdAt: 0, concurrency: 1 }

it('counts work that starts after its request has ended as used, and not as running', async () => {
  let sum = 0
  const apiKeys = { countUsage: async (_id: string, _day: string, count = 1) => (sum += count) }
  const limits = createKeyLimits({ apiKeys, clock: () => 0 })
  const left = limits.use(key)
  left.end()
  await left.consume('media')
  expect(sum).toBe(1)
  await expect(limits.use(key).consume('page')).resolves.toBeTypeOf('function')
})
