import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, rmdir, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { hasErrorCode } from '../../server/node-errors.js'
import { FreezeError, writeFile } from './freeze-error.js'
import { parseLockEntry, type Lock } from './lock-entry.js'
import type { CardRequest } from './markup/index.js'

/** The key of a request in the lock file; images as wide as their column need files that cards do not. */
export const lockKeyOf = ({ key, layout }: Pick<CardRequest, 'key' | 'layout'>): string =>
  withoutHeaders(layout === 'image' ? `${key}&layout=image` : key)

const HEADER = 'headers.'

/** The lock file is public, and headers may be credentials, so it contains hashes of their values. */
function withoutHeaders(key: string): string {
  if (!key.includes(HEADER)) return key
  const parameters = new URLSearchParams(key)
  for (const [name, value] of parameters)
    if (name.startsWith(HEADER)) parameters.set(name, createHash('sha256').update(value).digest('hex').slice(0, 16))
  return String(parameters)
}

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
  const text = await readText(path)
  if (text === undefined) return new Map()
  const conflict = text.split('\n').findIndex((line) => CONFLICT_MARKER.test(line))
  if (conflict >= 0)
    throw new FreezeError(
      `${path} has an unresolved merge conflict on line ${conflict + 1}. Delete the lines with <<<<<<<, ======= and >>>>>>>, ` +
        `keep one line for each preview, and run it again.`,
    )
  const { version, previews } = parseFile(path, text)
  if (version !== LOCK_VERSION)
    throw new FreezeError(
      `${path} has version ${JSON.stringify(version)?.slice(0, 20)}, and this program reads version ${LOCK_VERSION}: update page-preview-server.`,
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

async function readText(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    // A pipe or a device has no end.
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1e6} MB`)
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  } catch (cause) {
    if (hasErrorCode(cause, 'ENOENT')) return undefined
    throw new FreezeError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    })
  }
}

function parseFile(path: string, text: string): Record<string, unknown> {
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
    `${path} ${problem}. Restore it from version control; or delete it, and previews are taken from the cache folder or captured again.`,
    { cause },
  )

const lineOf = (text: string, found: string) => text.slice(0, Math.max(0, text.indexOf(found))).split('\n').length

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a lock file: sorted, with one entry per line, so that changes of different previews merge in version control. */
export function lockText(lock: Lock): string {
  const lines = [...lock]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`)
  const previews = lines.length ? `{\n${lines.join(',\n')}\n  }` : '{}'
  return `{\n  "version": ${LOCK_VERSION},\n  "previews": ${previews}\n}\n`
}

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

/** Waits until no other process has this folder, which is empty so that version control leaves it out. */
async function acquire(folder: string): Promise<() => Promise<void>> {
  const remove = () => rmdir(folder).catch(() => undefined)
  for (;;) {
    const error = await mkdir(folder).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (error === undefined) return remove
    // Where no folder can be created, writing the file fails with the reason.
    if (!hasErrorCode(error, 'EEXIST')) return async () => undefined
    if (await isStale(folder)) await remove()
    else await delay(POLL_MS)
  }
}

async function isStale(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}
