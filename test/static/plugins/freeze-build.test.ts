import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { freezeBuild, openPageFreezer } from '../../../src/static/plugins/freeze-build.js'
import { fakeSource, unreachable } from '../freeze/fake-source.js'
import { pageWith, temporarySite } from '../freeze/temporary-site.js'

const A = 'https://a.test/'
const B = 'https://b.test/'

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)

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
  await expect(freeze(pageWith(A))).rejects.toThrow('1 previewed link is dead:\nhttps://a.test/: Nobody is there.')
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

it('says that the service cannot be used, rather than that links are dead', async () => {
  const { paths } = await temporarySite({ 'index.html': pageWith(A, B) })
  const unusable = new PageError('EAUTH', 'The key is unknown.')
  const { source } = fakeSource({ [A]: { error: unusable }, [B]: { error: unusable } })
  const logger = { info: vi.fn(), warn: vi.fn() }
  await expect(freezeBuild({ ...paths, source }, { strict: true, logger })).rejects.toThrow(
    /^The service cannot be used: The key is unknown\.$/,
  )
  expect(logger.warn.mock.calls.filter(([text]) => String(text).includes('The key is unknown.'))).toHaveLength(1)
  const { lock, cache } = (await temporarySite({})).paths
  const freezer = openPageFreezer({ lock, cache, source, strict: true })
  await expect(freezer.freeze(pageWith(A, B), '/')).rejects.toThrow(
    /^The service cannot be used: The key is unknown\.$/,
  )
})

it('reads no file again that it has written, and restores one that was removed', async () => {
  const { paths, dir } = await temporarySite({})
  const { lock, cache } = paths
  const freezer = openPageFreezer({ lock, cache, source: fakeSource().source })
  await freezer.freeze(pageWith(A), '/page-preview/')
  await freezer.writeFiles(dir)
  const [one, other] = (await readdir(join(dir, 'page-preview'))).map((name) => join(dir, 'page-preview', name))
  await writeFile(one!, 'changed')
  await rm(other!)
  await freezer.writeFiles(dir)
  expect(await readFile(one!, 'utf8')).toBe('changed')
  expect(await readFile(other!)).not.toHaveLength(0)
})

it('does not end a build whose previews cannot be closed', async () => {
  const { lock, cache } = (await temporarySite({})).paths
  const { signal } = new AbortController()
  // Closing the previews fails.
  signal.removeEventListener = () => {
    throw new Error('The folder is busy.')
  }
  const freezer = openPageFreezer({ lock, cache, signal, source: fakeSource().source })
  await freezer.freeze(pageWith(A), '/page-preview/')
  await expect.poll(() => warn.mock.calls.flat(), { timeout: 5_000 }).toContain('page-preview: The folder is busy.')
  // The next session opens as usual.
  expect((await freezer.freeze(pageWith(B), '/page-preview/')).html).toContain(`Title of ${B}`)
})
