import { canParseUrl } from '../../query/written-url.js'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, realpath, rename, rmdir, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Media, PageData, Screenshot } from '../../query/index.js'
import { errorCodeOf, FreezeError, readTextFile, writeError, writeFile } from '../files.js'
import { entriesText, isDate, isObject } from '../json.js'
import { IMAGE_TYPES, isFrozenName, type FrozenFile, type FrozenImage, type FrozenPreview } from './frozen-preview.js'

/** The entry of one preview in the lock file, under the key of its request. */
export interface LockEntry {
  url: string
  /** The last good result; absent for a link that never worked. */
  preview?: FrozenPreview
  /** Why the latest attempt failed; absent when it succeeded. */
  failure?: LinkFailure
}

/** Why something failed: a code, and a sentence of one line. */
export interface Failure {
  /** An error code, what the page showed instead of its content (`error-page`), or `HTTP 404`. */
  code: string
  /** Why, as a sentence. */
  message: string
  /** The page's own HTTP status, if it responded. */
  statusCode?: number
}

interface LinkFailure extends Failure {
  /** ISO 8601: the first failure since the link last worked. */
  since: string
  /** A URL of the Wayback Machine, which leads to the copy nearest in time. */
  archive?: string
}

/** The lock file: entries by the `key` of their `CardRequest`. */
export type Lock = Map<string, LockEntry>

/**
 * The entry after an attempt that failed: the last good result stays, and so does the failure while its code and status are the same.
 *
 * @param now      Milliseconds since 1970.
 * @param archive  Whether to add the URL of an archived copy.
 */
export function failedEntry(
  url: string,
  known: LockEntry | undefined,
  { code, message, statusCode, now, archive }: Failure & { now: number; archive: boolean },
): LockEntry {
  const earlier = known?.failure
  const isSame = earlier?.code === code && earlier.statusCode === statusCode
  const failure: LinkFailure = {
    code,
    message: isSame ? earlier.message : message,
    ...(statusCode !== undefined && { statusCode }),
    since: earlier?.since ?? new Date(now).toISOString(),
  }
  // Nobody else has a copy of what is at a private address.
  const isPrivate = code === 'EFORBIDDENURL'
  const newUrl = isPrivate ? undefined : archiveUrlOf(url, known?.preview?.date ?? failure.since)
  const archiveUrl = archive ? (earlier?.archive ?? newUrl) : undefined
  return {
    url,
    ...(known?.preview && { preview: known.preview }),
    failure: { ...failure, ...(archiveUrl && { archive: archiveUrl }) },
  }
}

/** The Wayback Machine redirects it to the copy nearest to the date. */
const archiveUrlOf = (url: string, date: string) =>
  `https://web.archive.org/web/${date.replace(/\D/g, '').slice(0, 14)}/${url}`

const MAX_BYTES = 64_000_000
const CONFLICT_MARKER = /^(<{7}|={7}|>{7}|\|{7})( |$)/
const LOCK_VERSION = 1

/**
 * Reads a lock file.
 *
 * @returns  An empty lock if there is no file.
 * @throws   {FreezeError} with the line if it is damaged, and what to do.
 */
export async function readLock(path: string): Promise<Lock> {
  const text = await readTextFile(path, MAX_BYTES)
  if (text === undefined) return new Map()
  const conflict = text.split('\n').findIndex((line) => CONFLICT_MARKER.test(line))
  if (conflict >= 0)
    throw new FreezeError(
      `${path} has an unresolved merge conflict on line ${conflict + 1}. Delete the lines with <<<<<<<, ======= and >>>>>>>, ` +
        `keep one line for each preview, and run the command again.`,
    )
  const { version, previews } = parseLockFile(path, text)
  if (version !== LOCK_VERSION)
    throw new FreezeError(
      `${path} is version ${JSON.stringify(version)?.slice(0, 20)}, but this program reads version ${LOCK_VERSION}: update page-preview-server.`,
    )
  if (!isObject(previews)) throw damaged(path, 'has no previews')
  return new Map(
    Object.entries(previews).map(([key, value]) => {
      const entry = parseLockEntry(value)
      if (!entry) throw damaged(path, `is invalid on line ${lineOf(text, JSON.stringify(key))}`)
      return [key, entry]
    }),
  )
}

function parseLockFile(path: string, text: string): Fields {
  try {
    const json: unknown = JSON.parse(text)
    if (isObject(json)) return json
  } catch (cause) {
    throw damaged(path, `is not valid JSON (${(cause as Error).message})`, cause)
  }
  throw damaged(path, 'is not a lock file')
}

const damaged = (path: string, problem: string, cause?: unknown) =>
  new FreezeError(
    `${path} ${problem}. Restore the file from version control, or delete it: previews are then taken from the cache folder or captured again.`,
    { cause },
  )

const lineOf = (text: string, found: string) => text.slice(0, Math.max(0, text.indexOf(found))).split('\n').length

type Fields = Record<string, unknown>

const MAX_TEXT_CHARS = 10_000
const MAX_FILES = 24

/**
 * Reads an entry of a lock or cache file, which is untrusted: takes only known fields, in a fixed order, and only file names that
 * this program writes.
 *
 * @returns  `undefined` for anything else.
 */
export function parseLockEntry(value: unknown): LockEntry | undefined {
  if (!isObject(value)) return undefined
  const { url, preview, failure } = value
  if (!isWebUrl(url)) return undefined
  const parsed = preview === undefined ? undefined : parsePreview(preview)
  const parsedFailure = failure === undefined ? undefined : parseFailure(failure)
  if ((preview !== undefined && !parsed) || (failure !== undefined && !parsedFailure)) return undefined
  return { url, ...(parsed && { preview: parsed }), ...(parsedFailure && { failure: parsedFailure }) }
}

function parseFailure(value: unknown): LinkFailure | undefined {
  if (!isObject(value)) return undefined
  const { code, message, statusCode, since, archive } = value
  if (!isText(code) || !isText(message) || !isDate(since)) return undefined
  return { code, message, ...(isStatus(statusCode) && { statusCode }), since, ...(isWebUrl(archive) && { archive }) }
}

function parsePreview(value: unknown): FrozenPreview | undefined {
  if (!isObject(value) || !isDate(value.date) || !isObject(value.data)) return undefined
  const image = parseImage(value.image)
  const darkImage = parseImage(value.darkImage)
  const icon = parseImage(value.icon)
  return {
    date: value.date,
    ...(isStatus(value.statusCode) && { statusCode: value.statusCode }),
    data: knownPageFields(value.data),
    ...(image && { image: { ...image, isScreenshot: (value.image as Fields).isScreenshot === true } }),
    ...(darkImage && { darkImage }),
    ...(icon && { icon }),
  }
}

function parseImage(value: unknown): FrozenImage | undefined {
  if (!isObject(value) || !isPixels(value.width) || !isPixels(value.height) || !Array.isArray(value.files))
    return undefined
  const files = value.files.slice(0, MAX_FILES).flatMap((file: unknown) => parseFile(file) ?? [])
  if (files.length === 0) return undefined
  return { width: value.width, height: value.height, files }
}

function parseFile(file: unknown): FrozenFile | undefined {
  if (!isObject(file)) return undefined
  const { name, width } = file
  const type = IMAGE_TYPES.find((each) => each === file.type)
  if (typeof name !== 'string' || !isFrozenName(name) || !type || !isPixels(width)) return undefined
  return { name, type, width }
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date', 'url'] as const
const FROZEN_MEDIA_FIELDS = ['image', 'logo', 'audio', 'video', 'screenshot'] as const

/** The fields of a page's result that are known, with valid values. */
export function knownPageFields(data: object): PageData {
  const from = data as Fields
  const texts = TEXT_FIELDS.flatMap((name) => (name in from ? [[name, textOrNull(from[name])]] : []))
  const media = FROZEN_MEDIA_FIELDS.flatMap((name) => (name in from ? [[name, parseMedia(from[name])]] : []))
  return Object.fromEntries([...texts, ...media]) as PageData
}

const NUMBERS = ['size', 'width', 'height', 'duration'] as const
const TEXTS = ['alt', 'size_pretty', 'duration_pretty', 'background_color'] as const

function parseMedia(value: unknown): Media | Screenshot | null {
  if (!isObject(value) || !isText(value.url)) return null
  const numbers = NUMBERS.flatMap((name) => (name in value ? [[name, numberOrNull(value[name])]] : []))
  const texts = TEXTS.flatMap((name) => (name in value ? [[name, textOrNull(value[name])]] : []))
  return { url: value.url, type: textOrNull(value.type), ...Object.fromEntries([...numbers, ...texts]) } as Media
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT_CHARS
const textOrNull = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARS) : null)
const numberOrNull = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const isPixels = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0
const isStatus = (value: unknown): value is number => isPixels(value) && value >= 100 && value <= 999
const isWebUrl = (value: unknown): value is string => isText(value) && /^https?:\/\//i.test(value) && canParseUrl(value)

export const lockText = (lock: Lock): string => entriesText('previews', LOCK_VERSION, lock)

/**
 * Writes a lock file, unless it has this content already.
 *
 * @throws  {FreezeError}
 */
export async function writeLock(path: string, lock: Lock): Promise<void> {
  const text = lockText(lock)
  const current = await readFile(path, 'utf8').catch(() => undefined)
  if (current === text) return
  // A symbolic link stays one.
  const target = await realpath(path).catch(() => path)
  await writeFile(target, text, { isDurable: true })
}

/** Reading and writing a lock file takes milliseconds, so a process that holds it for longer was killed. */
const STALE_MS = 10_000
const POLL_MS = 20

/**
 * Adds entries to the current ones of a lock file: build tools compile pages in several processes, each of which adds its own.
 *
 * @throws  {FreezeError}
 */
export async function addToLock(path: string, entries: Lock): Promise<void> {
  if (entries.size === 0) return
  const release = await acquire(`${path}.saving`)
  try {
    await writeLock(path, new Map([...(await readLock(path)), ...entries]))
  } finally {
    await release()
  }
}

/**
 * Waits until no other process has this folder, which is empty so that version control leaves it out.
 *
 * @throws  {FreezeError} when a file or folder of this name is in the way.
 */
async function acquire(folder: string): Promise<() => Promise<void>> {
  for (;;) {
    const error = await mkdir(folder).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (error === undefined) return () => rmdir(folder).catch(() => undefined)
    // If no folder can be created, writing the file fails with the reason.
    if (errorCodeOf(error) !== 'EEXIST') return async () => undefined
    if (await isStale(folder)) await removeStale(folder)
    await delay(POLL_MS)
  }
}

async function isStale(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}

/** What removing a folder fails with when it is another file, or has content. */
const NO_EMPTY_FOLDER: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR']

/** Removes the folder of a process that was killed, but not that of a process which has replaced it meanwhile. */
async function removeStale(folder: string): Promise<void> {
  const aside = `${folder}.${randomUUID()}`
  let current = folder
  try {
    // Only one process can rename it.
    await rename(folder, aside)
    current = aside
    if (!(await isStale(aside))) current = await putBack(aside, folder)
    if (current === aside) await rmdir(aside)
  } catch (cause) {
    // Another process has removed it.
    if (errorCodeOf(cause) === 'ENOENT') return
    if (current === aside) current = await putBack(aside, folder)
    if (!NO_EMPTY_FOLDER.includes(errorCodeOf(cause))) throw writeError(current, cause)
    throw new FreezeError(`${current} prevents saving, because it is not an empty folder. Remove it.`, { cause })
  }
}

/**
 * Gives a folder its name back, unless another process has created a folder of this name, which renaming would replace.
 *
 * @returns  The path that it has then.
 */
async function putBack(aside: string, folder: string): Promise<string> {
  const isTaken = await lstat(folder).then(
    () => true,
    () => false,
  )
  if (isTaken) return aside
  return rename(aside, folder).then(
    () => folder,
    () => aside,
  )
}
