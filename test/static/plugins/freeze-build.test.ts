import { expect, it, vi } from 'vitest'
import { openPageFreezer } from '../../../src/static/plugins/freeze-build.js'
import { fakeSource, unreachable } from '../freeze/fake-source.js'
import { pageWith, temporarySite } from '../freeze/temporary-site.js'

const A = 'https://a.test/'
const B = 'https://b.test/'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

/** Freezes pages with `strict`, while one link is dead. */
async function strictFreezer() {
  const { paths } = await temporarySite({})
  const { source, pages } = fakeSource({ [A]: { error: unreachable() } })
  const { lock, cache } = paths
  const freezer = openPageFreezer({ lock, cache, source, strict: true })
  return { pages, freeze: async (html: string) => (await freezer.freeze(html, '/page-preview/')).html }
}

it('fails each page with a dead link, and no other page', async () => {
  const { freeze } = await strictFreezer()
  await expect(freeze(pageWith(A))).rejects.toThrow(
    '1 of the previewed links are dead:\nhttps://a.test/: Nobody is there.',
  )
  expect(await freeze(pageWith(B))).toContain(`Title of ${B}`)
  await expect(freeze(pageWith(B, A))).rejects.toThrow(A)
})

it('no longer fails a page when its link works again', async () => {
  const { freeze, pages } = await strictFreezer()
  await expect(freeze(pageWith(A))).rejects.toThrow(A)
  delete pages[A]
  // The previews of a build are opened again after a pause.
  await vi.waitFor(async () => expect(await freeze(pageWith(A))).toContain(`Title of ${A}`), {
    timeout: 5_000,
    interval: 1_200,
  })
})
