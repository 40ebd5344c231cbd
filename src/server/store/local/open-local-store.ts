import { createDrainGate } from '../drain-gate.js'
import type { Store } from '../store.js'
import { emitWarning } from './emit-warning.js'
import type { LocalStoreOptions } from './local-store-options.js'
import type { Parts } from './open-parts.js'
import { createReplaceableParts } from './replaceable-parts.js'

const MAINTENANCE_INTERVAL_MS = 60_000
const FOLDER_CHECK_INTERVAL_MS = 1_000

/**
 * Opens the store of one machine: entries in an lmdb database, counters and keys in another, images as files beside them. It
 * first sets damaged databases aside and repairs what a killed process left inconsistent. When a write resolves, the data is
 * on the disk.
 *
 * @throws  Error with a sentence for the operator when other users can read or change the folder.
 */
export async function openLocalStore(options: LocalStoreOptions): Promise<Store> {
  const { dataDir, onError = emitWarning } = options
  const gate = createDrainGate(`The store in ${dataDir}`)
  const inBackground = (work: () => Promise<void>) => void gate.run(work).catch(onError)
  const parts = await createReplaceableParts(options, {
    onManyAccesses: () => inBackground(() => parts.current().maintenance.flushAccesses()),
  })
  const run = <Result>(work: (current: Parts) => Promise<Result>) => gate.run(() => parts.run(work))
  const timer = setInterval(
    () => inBackground(() => parts.run(({ maintenance }) => maintenance.run())),
    MAINTENANCE_INTERVAL_MS,
  )
  timer.unref()
  const folderCheck = setInterval(() => inBackground(() => parts.checkFolder()), FOLDER_CHECK_INTERVAL_MS)
  folderCheck.unref()

  return {
    readEntry: <Body>(key: string) => run(({ entries }) => entries.readEntry<Body>(key)),
    writeEntry: (key, entry) => run(({ entries }) => entries.writeEntry(key, entry)),
    extendEntry: (key, life) => run(({ entries }) => entries.extendEntry(key, life)),
    writeImage: (...image) => run(({ images }) => images.writeImage(...image)),
    readImage: (name) => run(({ images }) => images.readImage(name)),
    openImage: (name) => run(({ images }) => images.openImage(name)),
    countRequest: (...request) => run(({ counters }) => counters.countRequest(...request)),
    readCount: (client, day) => run(({ counters }) => counters.readCount(client, day)),
    writeKey: (key) => run(({ keys }) => keys.writeKey(key)),
    readKey: (id) => run(({ keys }) => keys.readKey(id)),
    listKeys: () => run(({ keys }) => keys.listKeys()),
    countUsage: (...use) => run(({ usage }) => usage.countUsage(...use)),
    readUsage: (id, days) => run(({ usage }) => usage.readUsage(id, days)),
    addPurge: (purge) => run(({ purges }) => purges.addPurge(purge)),
    readPurges: (after) => run(({ purges }) => purges.readPurges(after)),
    findItems: (matches, scope) => run(({ purges }) => purges.findItems(matches, scope)),
    deleteEntries: (ids, scope) => run(({ purges }) => purges.deleteEntries(ids, scope)),
    deleteImages: (names, scope) => run(({ purges }) => purges.deleteImages(names, scope)),
    usedBytes: () => run(async ({ lruIndex }) => lruIndex.totalBytes()),
    async withLock(_, work) {
      gate.assertOpen()
      return work()
    },
    claim: async () => true,
    unclaim: async () => undefined,
    isWritable: () =>
      run(async ({ database }) => database.assertWritable()).then(
        () => true,
        () => false,
      ),
    isReady: async () => gate.isOpen() && isReadable(parts.current().lruIndex),
    dependencies: () => ({}),
    pendingUploads: () => new Set(),
    checkDependencies: async () => undefined,
    close() {
      clearInterval(timer)
      clearInterval(folderCheck)
      return gate.close(() => parts.close())
    },
  }
}

function isReadable(lruIndex: { totalBytes(): number }): boolean {
  try {
    lruIndex.totalBytes()
    return true
  } catch {
    return false
  }
}
