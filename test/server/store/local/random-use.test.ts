import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLocalStore, type ImageName } from '../../../../src/server/store/index.js'
import { leftoversWithoutRoom, nothingLeft } from './database-audit.js'

const MAX_BYTES = 60_000
const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('write'),
      key: letter,
      images: fc.uniqueArray(letter, { maxLength: 2 }),
      life: fc.nat(50),
    }),
    fc.record({ do: fc.constant('read'), key: letter }),
    fc.record({ do: fc.constant('look'), image: letter }),
    fc.record({ do: fc.constant('wait'), minutes: fc.nat(20) }),
    fc.record({ do: fc.constant('reopen') }),
  ),
  { minLength: 20, maxLength: 60 },
)

it('gives every answer with all its images, only while it lives, and keeps exact books, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-store-'))
      let now = 1_000_000
      const open = () => openLocalStore({ dataDir, maxBytes: MAX_BYTES, reserveBytes: 0, clock: () => now })
      let store = await open()
      const nameOf = new Map<string, ImageName>()
      const written = new Map<string, { body: string; expiresAt: number }>()
      try {
        for (const [index, step] of script.entries()) {
          now += 1_000
          if ('life' in step) {
            const images: ImageName[] = []
            for (const image of step.images) {
              const name = await store.writeImage(Buffer.alloc(10_000, image), 'jpg')
              nameOf.set(image, name)
              images.push(name)
            }
            const answer = { createdAt: now, expiresAt: now + step.life * 60_000, images, body: `${step.key}${index}` }
            await store.writeEntry(step.key, answer)
            written.set(step.key, answer)
          } else if ('minutes' in step) now += step.minutes * 60_000
          else if ('image' in step) await store.readImage(nameOf.get(step.image) ?? `${'0'.repeat(64)}.jpg`)
          else if (!('key' in step)) {
            await store.close()
            store = await open()
          }
          for (const key of 'key' in step ? [step.key] : []) {
            const answer = await store.readEntry(key)
            if (!answer) continue
            expect(answer.body).toBe(written.get(key)?.body)
            expect(answer.expiresAt).toBeGreaterThan(now)
            for (const image of answer.images) expect(await store.readImage(image)).toHaveLength(10_000)
          }
        }
        await store.close()
        expect(await leftoversWithoutRoom(dataDir)).toEqual(nothingLeft)
      } finally {
        await store.close()
        await rm(dataDir, { recursive: true, force: true })
      }
    }),
    { numRuns: 60 },
  )
})
