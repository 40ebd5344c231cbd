import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { canParseUrl } from '../../query/written-url.js'
import { isPageError, type PageError } from '../../query/index.js'
import { isTemporaryFile, writeFile } from '../files.js'
import { ASSETS_FOLDER, openAssets } from './assets.js'
import type { CardRequest } from './card-request.js'
import { findBaseHref, findPreviews, type FindPreviewsOptions } from './find-previews.js'
import { freezeHtml, scriptFiles, type FreezeHtmlOptions } from './freeze-html.js'
import { decodePage, elementsOf, parsePage } from './page-source.js'
import type { Previews } from './previews.js'

/** A built site, and how its previews are found and written. */
export interface SiteOptions
  extends Omit<FindPreviewsOptions, 'baseUrl'>, Pick<FreezeHtmlOptions, 'inlineStyles' | 'failed'> {
  /** Folder of the built site. */
  dir: string
  /** URL of the site, to which relative links of its pages refer. Default: they have no previews. */
  baseUrl?: string | undefined
  /** URL of the folder with images and stylesheet. Default: relative to each page. */
  assetsUrl?: string | undefined
  /** Stops the run; finished previews are kept. */
  signal?: AbortSignal | undefined
}

/** The previews of a site. */
export interface ScannedSite {
  /** How many HTML files there are. */
  files: number
  /** Paths of the files with previews, relative to the site. */
  pages: string[]
  /** Requests by their key, with the pages that contain them, at most 10. */
  requests: Map<string, { request: CardRequest; pages: string[] }>
  skipped: SkippedPart[]
}

/** What was written into a site. */
export interface WrittenSite {
  /** HTML files with previews. */
  pages: number
  /** HTML files that were changed. */
  changedPages: number
  /** Pages and previews that were left as they are. */
  skipped: SkippedPart[]
  /** Previews that have an invalid option, and were frozen without it. */
  warnings: PageWarning[]
  /** Bytes by which the site has grown. */
  bytesAdded: number
}

/** A page, or one of its previews, that was left as it is; or a folder that was not searched. */
export interface SkippedPart {
  /** Relative to the site; a folder ends with a slash. */
  page: string
  /** Line of the preview, counted from 1; absent for a page or a folder. */
  line?: number
  /** A sentence. */
  reason: string
}

/** What the author of a preview should know. */
export interface PageWarning {
  /** Relative to the site. */
  page: string
  /** Line of the preview, counted from 1. */
  line: number
  /** A sentence. */
  message: string
}

const MAX_PAGES_OF_REQUEST = 10

/**
 * Reads the HTML files of a site one after another, and keeps only the requests of their previews.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid selector; the reason of `signal` when that aborts.
 */
export async function scanSite(options: SiteOptions): Promise<ScannedSite> {
  const { dir, signal } = options
  const site: ScannedSite = { files: 0, pages: [], requests: new Map(), skipped: [] }
  for await (const page of findHtmlFiles(dir, site.skipped)) {
    signal?.throwIfAborted()
    site.files++
    try {
      const { bytes } = await readSitePage(join(dir, page))
      const found = findPreviews(bytes, { ...options, baseUrl: pageUrl(page, options) })
      // A page with invalid previews is included too, because writing it reports them.
      if (found.length || bytes.includes('page-preview')) site.pages.push(page)
      for (const { request } of found) addRequest(site, request, page)
    } catch (error) {
      // An invalid selector is not the fault of the page.
      if (isPageError(error) && isInvalidSelector(error)) throw error
      site.skipped.push({ page, reason: reasonOf(error) })
    }
  }
  return site
}

const isInvalidSelector = ({ data }: PageError) => 'auto' in data || 'hover' in data

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function addRequest({ requests }: ScannedSite, request: CardRequest, page: string): void {
  const found = requests.get(request.key) ?? { request, pages: [] }
  if (found.pages.length < MAX_PAGES_OF_REQUEST && !found.pages.includes(page)) found.pages.push(page)
  requests.set(request.key, found)
}

/**
 * Writes images, then pages, one after another; only files that change, each atomically.
 *
 * @param isComplete  Whether only these pages and the resolved previews are needed, so that other files are removed.
 * @throws            {FreezeError} when the site cannot be written; the reason of `signal` when that aborts.
 */
export async function writeSite(
  options: SiteOptions,
  { pages, isComplete }: { pages: readonly string[]; isComplete: boolean },
  previews: Previews,
): Promise<WrittenSite> {
  const { dir, signal } = options
  const assets = await openAssets(dir)
  const written: WrittenSite = { pages: 0, changedPages: 0, skipped: [], warnings: [], bytesAdded: 0 }
  let unreadPages = 0
  const addAsset = async (name: string, content: string | Uint8Array) => {
    written.bytesAdded += await assets.write(name, content)
  }
  for (const name of previews.imageNames()) {
    signal?.throwIfAborted()
    const bytes = await previews.readImage(name)
    if (bytes) await addAsset(name, bytes)
  }
  for (const page of pages) {
    signal?.throwIfAborted()
    await writePage(page)
  }
  // A page that could not be read may need any of them.
  if (isComplete && unreadPages === 0) await assets.removeOthers()
  return written

  async function writePage(page: string): Promise<void> {
    const path = join(dir, page)
    const found = await readSitePage(path).catch(reasonOf)
    if (typeof found === 'string') {
      written.skipped.push({ page, reason: found })
      unreadPages++
      return
    }
    const { bytes, mode, modifiedAt } = found
    const frozenPage = await freezeHtml(bytes, {
      ...options,
      baseUrl: pageUrl(page, options),
      resolve: (request) => previews.resolve(request),
      assets: assetsUrl(page, readBaseHref(bytes), options),
    })
    written.skipped.push(...frozenPage.skipped.map(({ line, reason }) => ({ page, line, reason })))
    written.warnings.push(...frozenPage.warnings.map(({ line, message }) => ({ page, line, message })))
    if (frozenPage.skipped.length) await assets.keepReferences(bytes)
    for (const { name, text } of frozenPage.files) await addAsset(name, text)
    if (frozenPage.needsScript)
      for (const file of await scriptFiles()) await addAsset(file.name, await readFile(file.path))
    if (frozenPage.previews > 0) written.pages++
    if (Buffer.compare(frozenPage.html, bytes) === 0) return
    const current = await lstat(path).catch(() => undefined)
    if (current?.mtimeMs !== modifiedAt) {
      const reason =
        'Another program changed this file during the run. Run freeze again when that program has finished.'
      written.skipped.push({ page, reason })
      await assets.keepReferences(await readFile(path).catch(() => bytes))
      return
    }
    await writeFile(path, frozenPage.html, { mode })
    written.changedPages++
    written.bytesAdded += frozenPage.html.byteLength - bytes.byteLength
  }
}

const pageUrl = (page: string, { baseUrl }: SiteOptions): string | undefined =>
  baseUrl === undefined ? undefined : urlBelow(siteUrl(baseUrl), page)

const siteUrl = (baseUrl: string) => new URL('.', baseUrl.replace(/\/?$/, '/')).href

/** The URL at which servers of static files deliver a page; `index.html` is left out. */
function urlBelow(site: string, page: string): string {
  const path = posix.basename(page) === 'index.html' ? `${posix.dirname(page)}/` : page
  // File names may contain characters that end a path.
  return new URL(path.split('/').map(encodeURIComponent).join('/'), site).href
}

/** Nothing that a page refers to is in it by chance. */
const UNKNOWN_SITE = 'http://site.invalid/unknown-folder-of-the-site/'

/**
 * The URL of the folder with images and stylesheet, as a page has to write it: browsers resolve it by the `<base>` of the page.
 *
 * @param page      Path relative to the site.
 * @param baseHref  The `href` of its `<base>`, if it has one.
 */
export function assetsUrl(
  page: string,
  baseHref: string | undefined,
  options: Pick<SiteOptions, 'assetsUrl' | 'baseUrl'>,
): string {
  if (options.assetsUrl !== undefined) return options.assetsUrl.replace(/\/?$/, '/')
  const site = options.baseUrl === undefined ? UNKNOWN_SITE : siteUrl(options.baseUrl)
  const ownUrl = urlBelow(site, page)
  const base = new URL(baseHref !== undefined && canParseUrl(baseHref, ownUrl) ? baseHref : '', ownUrl)
  const baseFolder = base.origin + folderOf(base.pathname)
  // Relative to the page, the site works at every address.
  if (baseFolder.startsWith(site))
    return `${'../'.repeat(baseFolder.slice(site.length).split('/').length - 1)}${ASSETS_FOLDER}/`
  if (options.baseUrl === undefined) {
    // It says where the site is, unless it names the folder of the page.
    const folder = folderOf(ownUrl.slice(site.length))
    const depth = folder && baseFolder.endsWith(`/${folder}`) ? folder.split('/').length - 1 : 0
    return `${'../'.repeat(depth)}${ASSETS_FOLDER}/`
  }
  const assets = new URL(`${ASSETS_FOLDER}/`, site)
  return base.origin === assets.origin ? assets.pathname : assets.href
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** The `href` of the `<base>` of a page; `undefined` also for a page that cannot be read, which `freezeHtml` reports. */
function readBaseHref(bytes: Uint8Array): string | undefined {
  try {
    const { text } = decodePage(bytes)
    if (!/<base[\s/]/i.test(text)) return undefined
    return findBaseHref(elementsOf(parsePage(text)))
  } catch {
    return undefined
  }
}

const MAX_DEPTH = 64
const SKIPPED_FOLDERS = new Set(['node_modules'])

/**
 * Finds the HTML files below a folder, in the order of their paths. Symbolic links are not followed, so that nothing outside
 * of the folder is read or written; hidden folders are left out. Temporary files of a run that was killed are removed.
 *
 * @param skipped  Folders that are not searched are added.
 * @returns        Paths relative to the folder, with slashes.
 * @throws         Error when the folder itself cannot be read.
 */
async function* findHtmlFiles(
  dir: string,
  skipped: SkippedPart[],
  { folder = '', depth = 0 } = {},
): AsyncGenerator<string> {
  for (const entry of await entriesOf(dir, folder, skipped)) {
    const { name } = entry
    const path = folder ? `${folder}/${name}` : name
    if (entry.isFile() && isTemporaryFile(name)) await rm(join(dir, path), { force: true }).catch(() => undefined)
    else if (entry.isFile() && /\.html?$/i.test(name)) yield path
    else if (!entry.isDirectory() || !isSearched(name)) continue
    else if (depth < MAX_DEPTH) yield* findHtmlFiles(dir, skipped, { folder: path, depth: depth + 1 })
    else skipped.push({ page: `${path}/`, reason: `The folder is more than ${MAX_DEPTH} folders deep.` })
  }
}

async function entriesOf(dir: string, folder: string, skipped: SkippedPart[]): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(dir, folder), { withFileTypes: true })
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    if (!folder) throw error
    skipped.push({ page: `${folder}/`, reason: reasonOf(error) })
    return []
  }
}

const isSearched = (name: string) => !SKIPPED_FOLDERS.has(name) && (!name.startsWith('.') || name === '.well-known')

/** An HTML file of the site. */
interface SitePage {
  bytes: Buffer
  /** Permissions. */
  mode: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}

const MAX_BYTES = 20_000_000

/** @throws  Error with a sentence when it cannot be read, is too large, or is no longer a file. */
async function readSitePage(path: string): Promise<SitePage> {
  const found = await lstat(path)
  if (!found.isFile()) throw new Error('The page is not a file.')
  if (found.size > MAX_BYTES) throw new Error(`The page is larger than ${MAX_BYTES / 1e6} MB.`)
  return { bytes: await readFile(path), mode: found.mode & 0o7777, modifiedAt: found.mtimeMs }
}
