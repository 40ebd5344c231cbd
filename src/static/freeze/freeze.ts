import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageState } from '../../query/index.js'
import { FreezeError } from '../files.js'
import { ASSETS_FOLDER } from './assets.js'
import type { CardRequest } from './card-request.js'
import type { Failure } from './lock.js'
import {
  openPreviews,
  type OmittedImage,
  type OpenPreviewsOptions,
  type PreviewEvent,
  type Previews,
} from './previews.js'
import type { PickedField } from './lost-picks.js'
import { scanSite, writeSite, type ScannedSite, type SiteOptions, type WrittenSite } from './site.js'

/** The options of `freeze`: the site, and where its previews come from. */
export interface FreezeOptions extends SiteOptions, OpenPreviewsOptions {
  /** Keeps previews in the lock file, and images in the site, that no page has. Default: false. */
  keepUnused?: boolean | undefined
  /** Removes images from the cache folder that no page has; not with `keepUnused`. Default: false. */
  prune?: boolean | undefined
  /** Called once the previews of the site are counted. */
  onFound?: ((previews: number) => void) | undefined
}

/** The result of a run. */
export interface FreezeResult extends WrittenSite {
  /** Number of previews by their source. */
  previews: { new: number; cached: number; refreshed: number; failed: number }
  /** The links that failed in this run. */
  failures: FailedLink[]
  /** Images that the cards of newly captured previews lack, by the URL of the page. */
  omittedImages: (OmittedImage & { url: string })[]
  /** What was picked for the newly captured previews, but is no longer on their pages. */
  lostPicks: { url: string; field: PickedField }[]
  /** Why the service or its browser could not be used; absent when it could. */
  serviceFailure?: Failure
}

/** A link whose preview could not be captured; a URL with several previews is listed for each that failed. */
export interface FailedLink extends Failure {
  /** The page of the link. */
  url: string
  /** What the page showed instead of its content. */
  state?: PageState
  /** Whether its card shows the last good result. */
  hasPreview: boolean
  /** HTML files that have it, relative to the site; at most 10. */
  pages: string[]
}

/** The failures of links. Failures of the service are left out, because they are reported once instead of for each link. */
export const linkFailures = <Link extends { code: string }>({
  failures,
  serviceFailure,
}: {
  failures: readonly Link[]
  serviceFailure?: { code: string } | undefined
}): Link[] => failures.filter(({ code }) => code !== serviceFailure?.code)

/**
 * Writes the previews of a static site into its pages, as complete cards that need no service and no script.
 *
 * @throws  {FreezeError} when the site, the lock file or the cache cannot be used; with `frozen`, when something is missing;
 *          {PageError} `EINVALQUERY` for an invalid selector; the reason of an aborted `signal`. Finished previews are kept.
 */
export async function freeze(options: FreezeOptions): Promise<FreezeResult> {
  const site: SiteOptions = { ...options, dir: await folderOf(options.dir) }
  const counts = { new: 0, cached: 0, refreshed: 0, failed: 0 }
  const failures = new Map<string, PreviewEvent>()
  const omittedImages: FreezeResult['omittedImages'] = []
  const lostPicks: FreezeResult['lostPicks'] = []
  const previews = await openPreviews({
    ...options,
    writtenImages: join(site.dir, ASSETS_FOLDER),
    onPreview(event) {
      counts[event.outcome]++
      if (event.failure) failures.set(event.key, event)
      for (const omitted of event.omittedImages ?? []) omittedImages.push({ url: event.url, ...omitted })
      for (const field of event.lostPicks ?? []) lostPicks.push({ url: event.url, field })
      options.onPreview?.(event)
    },
  })
  try {
    const scanned = await scanSite(site)
    if (scanned.files === 0)
      throw new FreezeError(`There is no HTML file below ${options.dir}. Pass the folder that the site is built into.`)
    options.onFound?.(scanned.requests.size)
    await resolveAll(scanned, previews)
    const failed = failedLinks(failures, scanned)
    if (options.frozen) assertAllLocked(failed)
    // A page that could not be read may still need what an earlier run has written.
    const isComplete = scanned.skipped.length === 0 && !options.keepUnused
    await previews.save({ isComplete })
    const written = await writeSite(site, { pages: scanned.pages, isComplete }, previews)
    if (options.prune && isComplete) await previews.prune()
    const serviceFailure = previews.serviceFailure()
    return {
      pages: written.pages,
      changedPages: written.changedPages,
      previews: counts,
      failures: failed,
      omittedImages,
      lostPicks,
      skipped: [...scanned.skipped, ...written.skipped],
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

/** Orders requests so that hosts alternate, since a service captures few pages of one host at the same time. */
function interleaveHosts(requests: readonly CardRequest[]): CardRequest[] {
  const turns = new Map<string, number>()
  return requests
    .map((request) => {
      const { host } = new URL(request.query.url)
      const turn = turns.get(host) ?? 0
      turns.set(host, turn + 1)
      return { request, turn }
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ request }) => request)
}

async function folderOf(dir: string): Promise<string> {
  const found = await stat(dir).catch(() => undefined)
  if (!found?.isDirectory()) throw new FreezeError(`There is no folder ${dir}: build the site first, then freeze it.`)
  return realpath(dir)
}

/** The failures by key, in the order of the site. */
function failedLinks(failures: ReadonlyMap<string, PreviewEvent>, { requests }: ScannedSite): FailedLink[] {
  return [...requests].flatMap(([key, { pages }]) => {
    const { url, failure, hasPreview } = failures.get(key) ?? {}
    if (!url || !failure) return []
    const { code, message, statusCode } = failure
    const found = { ...(isState(code) && { state: code }), ...(statusCode !== undefined && { statusCode }) }
    return [{ url, code, message, ...found, hasPreview: Boolean(hasPreview), pages }]
  })
}

/** All other codes are in upper case. */
const isState = (code: string): code is PageState => /^[a-z]/.test(code)

const MAX_LISTED = 10

function assertAllLocked(failures: readonly FailedLink[]): void {
  const missing = failures.filter(({ code }) => code === 'NOT-IN-LOCK' || code === 'NO-IMAGES')
  if (missing.length === 0) return
  const listed = missing.slice(0, MAX_LISTED).map(({ url, code, pages }) => `  ${url} (${code}) in ${pages[0]}`)
  const more = missing.length > MAX_LISTED ? `\n  and ${missing.length - MAX_LISTED} more` : ''
  throw new FreezeError(
    `${missing.length} ${missing.length === 1 ? 'preview is' : 'previews are'} not in the lock file or the cache folder, so nothing was written. Run freeze without ` +
      `--frozen, and keep the lock file and the cache folder:\n${listed.join('\n')}${more}`,
  )
}
