import { lstat, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { FreezeOptions } from '../freeze-options.js'
import type { PageWarning, SkippedPart } from '../freeze-result.js'
import { freezeHtml, scriptFiles } from '../markup/index.js'
import type { Previews } from '../open-previews.js'
import { writeFile } from '../write-file.js'
import { ASSETS_FOLDER, openAssets, type Assets } from './open-assets.js'
import { readSitePage } from './read-site-page.js'

interface WriteSiteOptions extends Omit<FreezeOptions, 'baseUrl'> {
  /** Paths relative to the site. */
  pages: readonly string[]
  previews: Previews
  urlOf: (page: string) => string | undefined
  /** Whether these are all pages that may refer to files of an earlier run, so that unused files can be removed. */
  isComplete: boolean
}

interface WrittenSite {
  pages: number
  changedPages: number
  skipped: SkippedPart[]
  warnings: PageWarning[]
  bytesAdded: number
}

/**
 * Writes images, then pages, one after another; only files that change, each atomically.
 *
 * @throws  {FreezeError} when the site cannot be written; the reason of `signal` when that aborts.
 */
export async function writeSite(options: WriteSiteOptions): Promise<WrittenSite> {
  const { dir, pages, previews, isComplete, signal } = options
  const assets = await openAssets(dir)
  const site: WrittenSite = { pages: 0, changedPages: 0, skipped: [], warnings: [], bytesAdded: 0 }
  for (const name of previews.imageNames()) {
    signal?.throwIfAborted()
    const bytes = await previews.readImage(name)
    if (bytes) site.bytesAdded += await assets.write(name, bytes)
  }
  for (const page of pages) {
    signal?.throwIfAborted()
    await writePage(page, { ...options, assets, site })
  }
  if (isComplete) await assets.removeOthers()
  return site
}

async function writePage(
  page: string,
  {
    dir,
    previews,
    urlOf,
    assetsUrl,
    site,
    assets,
    ...options
  }: WriteSiteOptions & { assets: Assets; site: WrittenSite },
): Promise<void> {
  const path = join(dir, page)
  const { bytes, mode, modifiedAt } = await readSitePage(path)
  const frozen = await freezeHtml(bytes, {
    ...options,
    baseUrl: urlOf(page),
    resolve: (request) => previews.resolve(request),
    assets: assetsUrl?.replace(/\/?$/, '/') ?? `${posix.relative(posix.dirname(page), ASSETS_FOLDER)}/`,
  })
  site.skipped.push(...frozen.skipped.map(({ line, reason }) => ({ page, line, reason })))
  site.warnings.push(...frozen.warnings.map(({ line, message }) => ({ page, line, message })))
  if (frozen.skipped.length) assets.keepReferences(bytes)
  for (const { name, text } of frozen.files) site.bytesAdded += await assets.write(name, text)
  if (frozen.needsScript)
    for (const file of await scriptFiles()) site.bytesAdded += await assets.write(file.name, await readFile(file.path))
  if (frozen.previews > 0) site.pages++
  if (Buffer.compare(frozen.html, bytes) === 0) return
  if ((await lstat(path)).mtimeMs !== modifiedAt) {
    site.skipped.push({
      page,
      reason: 'Another program has changed it during this run; run this one again after that.',
    })
    return
  }
  await writeFile(path, frozen.html, { mode })
  site.changedPages++
  site.bytesAdded += frozen.html.byteLength - bytes.byteLength
}
