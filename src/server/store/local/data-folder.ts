import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../node-errors.js'
import { dataFiles, ensureDataDir } from '../data-dir.js'
import { createCacheTables } from './cache-database.js'
import { createVerifiedImages, openImageFiles } from './image-files.js'
import { openDatabases, setCacheAside } from './open-databases.js'
import { isDamage, isDiskFull } from './open-environment.js'

export interface LocalStoreOptions {
  /** Created when missing; several processes may open the same folder at once. */
  dataDir: string
  /** Limit for cache entries and images together. */
  maxBytes: number
  /** Free disk space that is left untouched: with less of it, writes fail with `ENOSPC`. Default: 64 MB. */
  reserveBytes?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Receives errors of background work, which reach no caller. Default: a warning of the process. */
  onError?: (error: unknown) => void
  /** Receives a sentence for the operator when something was damaged or removed. Default: a warning of the process. */
  onDamaged?: (message: string) => void
}

/** What a local store works with while its folder exists. */
export type OpenFolder = Awaited<ReturnType<typeof openFolderOnce>>

/**
 * Opens the data folder of a local store, and opens it again when it was removed while the service runs.
 *
 * @param onManyAccesses  Called when many accesses wait to be written.
 */
export async function openDataFolder(options: Required<LocalStoreOptions>, onManyAccesses: () => void) {
  const { dataDir, onDamaged, onError } = options
  const { database, signingSecret } = dataFiles(dataDir)
  const readFileId = () => stat(database).then(({ ino }) => ino, unlessMissing)
  let current = await openFolder(options, onManyAccesses)
  let fileId = await readFileId()
  // Without it, URLs that were signed by stored keys are refused.
  const secret = await readFile(signingSecret).catch(unlessMissing)
  let replacing: Promise<void> | undefined
  // Operations may still use the databases of a removed folder, so these are closed at the end.
  const replaced: OpenFolder[] = []

  async function replace(previous: OpenFolder): Promise<void> {
    if (current !== previous) return
    // The files of open databases can be read even after they were removed.
    const rows = previous.keyDatabase.rows()
    const next = await openFolder(options, onManyAccesses)
    try {
      next.keyDatabase.addRows(rows)
      if (secret) await writeFile(signingSecret, secret, { flag: 'wx', mode: 0o600 }).catch(unlessExists)
    } catch (error) {
      // It is tried again, and nothing may stay open each time.
      await next.close()
      throw error
    }
    replaced.push(previous)
    current = next
    fileId = await readFileId()
    onDamaged(
      `The data folder ${dataDir} was removed and has been created again. All cached results and images are lost; the ` +
        `API keys, their signing secret and the request counters (${rows.length} rows) were written again.`,
    )
  }

  const replaceOnce = (used: OpenFolder) => (replacing ??= replace(used).finally(() => (replacing = undefined)))

  return {
    current: () => current,
    /** Runs an operation, and once more after the folder was created again. */
    async run<Result>(work: (folder: OpenFolder) => Promise<Result>): Promise<Result> {
      const used = current
      try {
        return await work(used)
      } catch (error) {
        if (!isMissing(error)) throw error
        await replaceOnce(used)
        return work(current)
      }
    },
    /**
     * Opens the folder again when it was removed, which reads do not notice: open databases can be read even after their files
     * were removed.
     */
    async checkFolder(): Promise<void> {
      const used = current
      if ((await readFileId()) !== fileId) await replaceOnce(used)
    },
    /** Flushes and closes everything. */
    async close(): Promise<void> {
      try {
        await current.eviction.flushAccesses()
      } catch (error) {
        // It costs only the order of eviction: on a damaged page, too, everything else is closed.
        if (!isDiskFull(error)) onError(error)
      } finally {
        for (const folder of [current, ...replaced]) await folder.close()
      }
    },
  }
}

const isMissing = (error: unknown) => hasErrorCode(error, 'ENOENT')

const unlessMissing = (error: unknown) => {
  if (!isMissing(error)) throw error
  return undefined
}

/** Another process has created it in the meantime. */
const unlessExists = (error: unknown) => {
  if (!hasErrorCode(error, 'EEXIST')) throw error
}

/** Opens the folder, and creates it when it is missing. */
async function openFolder(...settings: Parameters<typeof openDataFolder>): Promise<OpenFolder> {
  try {
    return await openFolderOnce(...settings)
  } catch (error) {
    if (!isDamage(error)) throw error
    // Some damage shows only when rows are deleted, which the check of the database does not try.
    const [{ dataDir, clock, onDamaged }] = settings
    onDamaged(await setCacheAside(dataDir, { reason: error.message, now: clock() }))
    return openFolderOnce(...settings)
  }
}

async function openFolderOnce(options: Required<LocalStoreOptions>, onManyAccesses: () => void) {
  const { dataDir, maxBytes, clock } = options
  await ensureDataDir(dataDir)
  const files = await openImageFiles(join(dataDir, 'images'))
  const { database, keyDatabase } = await openDatabases(options)
  const tables = createCacheTables({ database, files, maxBytes, clock }, onManyAccesses)
  const close = async () => void (await Promise.all([database.close(), keyDatabase.close()]))
  try {
    await repairImages({ database, files, entryTable: tables.entryTable })
    await tables.eviction.evict()
  } catch (error) {
    // On a full disk, what is stored can still be read.
    if (!isDiskFull(error)) {
      await close()
      throw error
    }
  }
  return {
    ...tables,
    database,
    keyDatabase,
    files,
    verifiedImages: createVerifiedImages(files),
    maxBytes,
    clock,
    close,
  }
}

/**
 * Makes image files and their rows consistent after a process was killed or files were lost: removes files without a row,
 * and rows without a file together with the entries that name them.
 *
 * Other processes may use the store at the same time, so each mismatch is checked again inside the transaction that
 * removes it.
 */
async function repairImages({
  database,
  files,
  entryTable,
}: Pick<OpenFolder, 'database' | 'files' | 'entryTable'>): Promise<void> {
  const fileNames = await files.list()
  const rowNames = new Set(database.images.getKeys())

  await database.changeEach(
    [...fileNames].filter((name) => !rowNames.has(name)),
    (name) => {
      if (!database.images.doesExist(name)) files.remove(name)
    },
  )
  await database.changeEach(
    [...rowNames].filter((name) => !fileNames.has(name)),
    (name) => {
      const size = database.images.get(name)?.size
      if (size !== undefined && !files.has(name, size)) entryTable.deleteLostImage(name)
    },
  )
  await files.removeAbandonedTemporaries()
}
