import { realpath, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { FreezeError } from './freeze-error.js'
import type { FreezeOptions, PreviewEvent } from './freeze-options.js'
import type { FailedLink, FreezeResult } from './freeze-result.js'
import { interleaveHosts } from './interleave-hosts.js'
import { openPreviews, type Previews } from './open-previews.js'
import { scanSite, type ScannedSite } from './site/scan-site.js'
import { writeSite } from './site/write-site.js'

/**
 * Writes the previews of a static site into its pages, as complete cards that need no service and no script.
 *
 * @throws  {FreezeError} when the site, the lock file or the cache cannot be used; with `frozen`, when something is missing;
 *          {PageError} `EINVALQUERY` for an invalid selector; the reason of an aborted `signal`. Finished previews are kept.
 */
export async function freeze(options: FreezeOptions): Promise<FreezeResult> {
  const dir = await folderOf(options.dir)
  const counts = { new: 0, cached: 0, refreshed: 0, failed: 0 }
  const failures = new Map<string, PreviewEvent>()
  const previews = await openPreviews({
    ...options,
    onPreview(event) {
      counts[event.outcome]++
      if (event.failure) failures.set(event.url, event)
      options.onPreview?.(event)
    },
  })
  try {
    const urlOf = pageUrls(options.baseUrl)
    const site = await scanSite(dir, options, { urlOf, signal: options.signal })
    if (site.files === 0)
      throw new FreezeError(`There is no HTML file below ${options.dir}: is it the folder that the site is built into?`)
    options.onFound?.(site.requests.size)
    await resolveAll(site, previews)
    const failed = failedLinks([...failures.values()], site)
    if (options.frozen) assertAllLocked(failed)
    await previews.save({ isComplete: !options.keepUnused })
    const isComplete = site.skipped.length === 0 && !options.keepUnused
    const written = await writeSite({
      ...options,
      dir,
      urlOf,
      pages: site.pages,
      previews,
      isComplete,
    })
    if (options.prune && isComplete) await previews.prune()
    const serviceFailure = previews.serviceFailure()
    return {
      pages: written.pages,
      changedPages: written.changedPages,
      previews: counts,
      failures: failed,
      skipped: [...site.skipped, ...written.skipped],
      warnings: written.warnings,
      bytesAdded: written.bytesAdded,
      ...(serviceFailure && { serviceFailure }),
    }
  } finally {
    await previews.close()
  }
}

/** Resolves every request of a site; when one fails permanently, finished previews are saved. */
async function resolveAll({ requests }: ScannedSite, previews: Previews): Promise<void> {
  const inTurn = interleaveHosts([...requests.values()].map(({ request }) => request))
  try {
    await Promise.all(inTurn.map((request) => previews.resolve(request)))
  } catch (error) {
    // An error here must not hide the first one; finished previews are in the cache too.
    await previews.save({ isComplete: false }).catch(() => undefined)
    throw error
  }
}

async function folderOf(dir: string): Promise<string> {
  const found = await stat(dir).catch(() => undefined)
  if (!found?.isDirectory()) throw new FreezeError(`There is no folder ${dir}: build the site first, then freeze it.`)
  return realpath(dir)
}

/** The URLs of pages as servers of static files deliver them: those of an `index.html` without it. */
export const pageUrls = (baseUrl: string | undefined) => (page: string) => {
  if (baseUrl === undefined) return undefined
  const path = posix.basename(page) === 'index.html' ? `${posix.dirname(page)}/` : page
  // File names may contain characters that end a path.
  return new URL(path.split('/').map(encodeURIComponent).join('/'), baseUrl.replace(/\/?$/, '/')).href
}

function failedLinks(failures: readonly PreviewEvent[], { requests }: ScannedSite): FailedLink[] {
  const pagesOf = new Map<string, Set<string>>()
  for (const { request, pages } of requests.values()) {
    const known = pagesOf.get(request.query.url) ?? new Set()
    for (const page of pages) known.add(page)
    pagesOf.set(request.query.url, known)
  }
  return failures.map(({ url, failure, hasPreview }) => ({
    url,
    code: failure!.code,
    message: failure!.message,
    hasPreview,
    pages: [...(pagesOf.get(url) ?? [])],
  }))
}

const MAX_LISTED = 10

function assertAllLocked(failures: readonly FailedLink[]): void {
  const missing = failures.filter(({ code }) => code === 'NOT-IN-LOCK' || code === 'NO-IMAGES')
  if (missing.length === 0) return
  const listed = missing.slice(0, MAX_LISTED).map(({ url, code, pages }) => `  ${url} (${code}) in ${pages[0]}`)
  const more = missing.length > MAX_LISTED ? `\n  and ${missing.length - MAX_LISTED} more` : ''
  throw new FreezeError(
    `${missing.length} ${missing.length === 1 ? 'preview is' : 'previews are'} not in the lock file or the cache folder, so nothing was written. Freeze the site without ` +
      `--frozen, and keep both:\n${listed.join('\n')}${more}`,
  )
}
