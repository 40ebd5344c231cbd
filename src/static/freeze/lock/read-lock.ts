import { readFile, stat } from 'node:fs/promises'
import { hasErrorCode } from '../../../server/node-errors/index.js'
import { FreezeError } from '../freeze-error.js'
import type { Lock } from './lock-entry.js'
import { parseLockEntry } from './parse-lock-entry.js'

const MAX_BYTES = 64_000_000
const CONFLICT_MARKER = /^(<{7}|={7}|>{7}|\|{7})( |$)/
export const LOCK_VERSION = 1

/**
 * Reads a lock file.
 *
 * @returns  An empty lock where there is no file.
 * @throws   {FreezeError} with the line where it is damaged, and what to do.
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
