import { join, resolve } from 'node:path'
import { escapeUnprintable } from '../../command-line/index.js'
import { FreezeError } from '../files.js'
import {
  describeLostPick,
  DEFAULT_LOCK,
  freeze,
  freezeHtml,
  linkFailures,
  openAssets,
  openPreviews,
  type FindPreviewsOptions,
  type FreezeHtmlOptions,
  type FreezeOptions,
  type FrozenHtml,
  type OpenPreviewsOptions,
  type PreviewEvent,
  type Previews,
} from '../freeze/index.js'

export interface BuildLogger {
  info(message: string): void
  warn(message: string): void
}

/** Options of every plugin. */
export interface StrictOption {
  /** Fails the build when a link is dead or the service cannot be used. Default: false. */
  strict?: boolean | undefined
}

/**
 * Freezes a site that a build tool has written, and logs the result.
 *
 * @throws  {FreezeError} as `freeze`; with `strict` for a dead link, and when the service cannot be used.
 */
export async function freezeBuild(
  options: FreezeOptions,
  { strict, logger }: StrictOption & { logger: BuildLogger },
): Promise<void> {
  const result = await freeze(options)
  const { pages, previews, omittedImages, lostPicks, skipped, warnings, serviceFailure } = result
  const failures = linkFailures(result)
  const warn = (text: string) => logger.warn(`page-preview: ${escapeUnprintable(text)}`)
  if (serviceFailure) warn(serviceFailure.message)
  for (const { page, line, reason } of skipped) warn(`${page}${line ? `:${line}` : ''}: ${reason}`)
  for (const { page, line, message } of warnings) warn(`${page}:${line}: ${message}`)
  for (const { url, message } of failures) warn(`${url}: ${message}`)
  for (const { url, field, message } of omittedImages) warn(`${url}: the card has no ${field}: ${message}`)
  for (const { url, field } of lostPicks) warn(`${url}: ${describeLostPick(field)}`)
  const captured = previews.new + previews.refreshed
  logger.info(
    `page-preview: previews on ${pages} ${pages === 1 ? 'page' : 'pages'}, ${captured} captured, ${previews.cached} from the lock file`,
  )
  if (strict && serviceFailure) throw unusableService(serviceFailure)
  if (strict && failures.length) throw new FreezeError(`${deadLinks(failures.length)}, see above.`)
}

const printWarning = (text: string) => console.warn(escapeUnprintable(`page-preview: ${text}`))

/** Options of plugins that freeze each page; paths are relative to the working folder. */
export interface PageFreezerOptions
  extends OpenPreviewsOptions, Omit<FindPreviewsOptions, 'hover'>, Pick<FreezeHtmlOptions, 'failed'>, StrictOption {}

/** Replaces the previews of pages with cards during a build. */
export interface PageFreezer {
  /**
   * @param html    A page, or a part of one.
   * @param assets  URL of the folder with images, as the page has to write it, with a slash at its end.
   * @throws        {FreezeError} when the lock file, the cache or the folder cannot be read or written; with `strict` for a
   *                dead link, and when the service cannot be used.
   */
  freeze(html: string, assets: string): Promise<FrozenHtml<string>>
  /** Images, the stylesheet, and other files that pages so far need, by their names. */
  files(): ReadonlyMap<string, string | Uint8Array>
  /**
   * Writes these files to `page-preview` in a folder, unless they are there. A file that it has written is not read again.
   *
   * @throws  {FreezeError}
   */
  writeFiles(dir: string): Promise<void>
}

export function openPageFreezer({
  strict = false,
  auto,
  defaults,
  baseUrl,
  failed,
  ...options
}: PageFreezerOptions = {}): PageFreezer {
  const files = new Map<string, string | Uint8Array>()
  const shared = sharePreviews(options)
  const writtenPaths = new Set<string>()
  return {
    freeze: (html, assets) =>
      shared.use(async (previews) => {
        const keys = new Set<string>()
        const frozen = await freezeHtml(html, {
          auto,
          defaults,
          baseUrl,
          failed,
          assets,
          resolve(request) {
            keys.add(request.key)
            return previews.resolve(request)
          },
        })
        for (const { line, reason } of frozen.skipped) printWarning(`line ${line}: ${reason}`)
        for (const { line, message } of frozen.warnings) printWarning(`line ${line}: ${message}`)
        for (const { name, text } of frozen.files) files.set(name, text)
        for (const name of previews.imageNames()) await addImage(name, previews, files)
        if (strict) assertNoFailure(keys, shared, previews)
        return frozen
      }),
    files: () => files,
    async writeFiles(dir) {
      const assets = await openAssets(dir)
      for (const [name, content] of files) {
        const path = join(dir, name)
        if (writtenPaths.has(path) && assets.has(name)) continue
        await assets.write(name, content)
        writtenPaths.add(path)
      }
    },
  }
}

/** Adds an image to files by their names, unless it is there or missing in the cache. */
export async function addImage(
  name: string,
  previews: Previews,
  files: Map<string, string | Uint8Array>,
): Promise<void> {
  if (files.has(name)) return
  const bytes = await previews.readImage(name)
  if (bytes) files.set(name, bytes)
}

/**
 * Checks the previews with these keys after they were resolved.
 *
 * @throws  {FreezeError} for a dead link, and when the service cannot be used.
 */
export function assertNoFailure(keys: Iterable<string>, shared: SharedPreviews, previews: Previews): void {
  const failures = [...keys].flatMap((key) => shared.failures.get(key) ?? [])
  if (failures.length === 0) return
  const serviceFailure = previews.serviceFailure()
  const reasons = new Set(linkFailures({ failures, serviceFailure }).map(({ reason }) => reason))
  if (serviceFailure && reasons.size === 0) throw unusableService(serviceFailure)
  throw new FreezeError(`${deadLinks(reasons.size)}:\n${[...reasons].join('\n')}`)
}

const deadLinks = (count: number) => (count === 1 ? '1 previewed link is dead' : `${count} previewed links are dead`)

const unusableService = ({ message }: { message: string }) => new FreezeError(`The service cannot be used: ${message}`)

interface LinkFailure {
  code: string
  /** The URL, and what is wrong with it. */
  reason: string
}

/** Previews for as long as a build needs them. */
export interface SharedPreviews {
  /** Opens the lock file and, if necessary, the browser; writes the lock file when the last concurrent call has finished. */
  use<Result>(work: (previews: Previews) => Promise<Result>): Promise<Result>
  /** Failures by the key of the preview, without links that work again. */
  failures: ReadonlyMap<string, LinkFailure>
}

/** Build tools rarely announce their end, so the browser is closed after this time without work. */
const IDLE_MS = 1_000

/** Previews by lock file: a build tool creates a plugin for each of its compilers, and all of them write the same file. */
const shared = new Map<string, SharedPreviews>()

/** The previews of a lock file; all callers share the options of the first one. */
export function sharePreviews(options: OpenPreviewsOptions): SharedPreviews {
  const path = resolve(options.lock ?? DEFAULT_LOCK)
  const previews = shared.get(path) ?? createSharedPreviews({ ...options, lock: path })
  shared.set(path, previews)
  return previews
}

function createSharedPreviews(options: OpenPreviewsOptions): SharedPreviews {
  const failures = new Map<string, LinkFailure>()
  const onPreview = (event: PreviewEvent) => {
    const { key, url, failure, omittedImages = [], lostPicks = [] } = event
    const reason = failure && `${url}: ${failure.message}`
    if (reason && !failures.has(key)) printWarning(reason)
    if (reason) failures.set(key, { code: failure.code, reason })
    else failures.delete(key)
    for (const { field, message } of omittedImages) printWarning(`${url}: the card has no ${field}: ${message}`)
    for (const field of lostPicks) printWarning(`${url}: ${describeLostPick(field)}`)
    options.onPreview?.(event)
  }
  let opening: Promise<Previews> | undefined
  let ending: Promise<void> = Promise.resolve()
  let users = 0
  let timer: NodeJS.Timeout | undefined

  function end() {
    const previews = opening
    opening = undefined
    // The next session reads the lock file only after this one has written it.
    ending = close(previews).catch((error: unknown) =>
      printWarning(error instanceof Error ? error.message : String(error)),
    )
  }

  return {
    failures,
    async use(work) {
      users++
      clearTimeout(timer)
      try {
        opening ??= ending.then(() => openPreviews({ ...options, onPreview }))
        const previews = await opening
        const result = await work(previews)
        if (users === 1) await previews.save({ isComplete: false })
        return result
      } finally {
        users--
        if (users === 0) timer = setTimeout(end, IDLE_MS)
      }
    },
  }
}

async function close(opening: Promise<Previews> | undefined): Promise<void> {
  // The error surfaced at the callers of `use`.
  const previews = await opening?.catch(() => undefined)
  try {
    await previews?.save({ isComplete: false })
  } finally {
    await previews?.close()
  }
}
