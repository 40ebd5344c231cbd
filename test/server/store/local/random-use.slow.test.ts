// Covers the local store as a whole: its invariants under random sequences of calls.
import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLocalStore } from '../../../../src/server/store/local/open-local-store.js'
import type { ImageName } from '../../../../src/server/store/index.js'
import { findLeftovers, noLeftovers } from './find-leftovers.js'

const MAX_BYTES = 60_000
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('write'),
        key: name,
        images: fc.uniqueArray(name, { maxLength: 2 }),
        ttlMinutes: fc.nat(50),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('read'), key: name }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('readImage'), image: name }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.nat(20) }) },
    // Rare, because each start looks at all files.
    { arbitrary: fc.record({ do: fc.constant('reopen') }), weight: 1 },
  ),
  { minLength: 20, maxLength: 60 },
)

it('returns each entry with all its images until it expires, and leaks nothing, whatever the sequence', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-store-'))
      let now = 1_000_000
      const open = () => openLocalStore({ dataDir, maxBytes: MAX_BYTES, reserveBytes: 0, clock: () => now })
      let store = await open()
      const nameOf = new Map<string, ImageName>()
      const written = new Map<string, { body: string; expiresAt: number }>()
      try {
        for (const [index, step] of sequence.entries()) {
          now += 1_000
          if ('ttlMinutes' in step) {
            const images: ImageName[] = []
            for (const image of step.images) {
              const name = await store.images.writeImage(Buffer.alloc(10_000, image), 'jpg')
              nameOf.set(image, name)
              images.push(name)
            }
            const entry = {
              createdAt: now,
              expiresAt: now + step.ttlMinutes * 60_000,
              images,
              body: `${step.key}${index}`,
            }
            await store.entries.writeEntry(step.key, entry)
            written.set(step.key, entry)
          } else if ('minutes' in step) now += step.minutes * 60_000
          else if ('image' in step) await store.images.readImage(nameOf.get(step.image) ?? `${'0'.repeat(64)}.jpg`)
          else if (!('key' in step)) {
            await store.close()
            store = await open()
          }
          for (const key of 'key' in step ? [step.key] : []) {
            const entry = await store.entries.readEntry(key)
            if (!entry) continue
            expect(entry.body).toBe(written.get(key)?.body)
            expect(entry.expiresAt).toBeGreaterThan(now)
            for (const image of entry.images) expect(await store.images.readImage(image)).toHaveLength(10_000)
          }
        }
        await store.close()
        expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
      } finally {
        await store.close()
        await rm(dataDir, { recursive: true, force: true })
      }
    }),
    { numRuns: 40 },
  )
})
