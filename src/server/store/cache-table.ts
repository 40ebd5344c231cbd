import type { Database } from './database.js'
import type { ImageFiles } from './image-files.js'
import type { Entry, LruIndex } from './lru-index.js'
import { MissingImageError, type ImageName, type CacheEntry } from './store.js'
import type { PendingAccesses } from './pending-accesses.js'

/** What the rows around an entry take on the disk, measured. */
const ROWS_BYTES = 1_024
/** As long an image waits for the answer that will name it. */
const UNNAMED_IMAGE_MS = 600_000

interface ShelfOptions {
  database: Database
  files: ImageFiles
  lruIndex: LruIndex
  pendingAccesses: PendingAccesses
  maxBytes: number
  clock: () => number
}

/** Answers and their images, and what goes when. Every method belongs inside a transaction. */
export type CacheTable = ReturnType<typeof createCacheTable>

export function createCacheTable({ database, files, lruIndex, pendingAccesses, maxBytes, clock }: ShelfOptions) {
  const { answers, images, holders } = database

  /** Notes an image whose file is in place, or that it is wanted again. */
  function putImage(name: ImageName, size: number) {
    const record = images.get(name)
    const now = clock()
    const keptUntil = Math.max(record?.keptUntil ?? 0, now + UNNAMED_IMAGE_MS)
    images.putSync(name, { size, keptUntil, usedAt: now })
    if (!record) lruIndex.weigh(size + ROWS_BYTES)
    if (!isHeld(name)) lruIndex.enter(`image:${name}`, now, keptUntil)
  }

  function putAnswer(id: string, answer: CacheEntry) {
    const before = answers.get(id)
    answers.putSync(id, { ...answer, size: 0 })
    const size = (answers.getBinary(id)?.length ?? 0) + ROWS_BYTES
    if (size > maxBytes)
      throw new RangeError(`An answer of ${size} bytes is more than the ${maxBytes} that may be kept`)
    answers.putSync(id, { ...answer, size })
    lruIndex.weigh(size - (before?.size ?? 0))
    for (const name of answer.images) hold(name, id, answer.expiresAt)
    for (const name of before?.images ?? []) {
      if (!answer.images.includes(name)) release(name, id, ({ keptUntil }) => keptUntil > clock())
    }
    lruIndex.enter(`answer:${id}`, clock(), answer.expiresAt)
  }

  /** Forgets an image whose file is not there, and the answers that name it. */
  function loseImage(name: ImageName) {
    const naming = [...holders.getKeys({ start: [name], end: [name, '\uffff'] })]
    for (const [, id] of naming) removeAnswer(id, ({ keptUntil }) => keptUntil > clock())
    dropImage(name)
  }

  /** Removes what has expired and, while there is too much, what was not used for longest. Says whether there may be more. */
  function removeSome(count: number): boolean {
    for (let removed = 0; removed < count; removed++) if (!removeNext()) return false
    return true
  }

  function removeNext(): boolean {
    const due = lruIndex.firstDue(clock())
    if (due) {
      removeEntry(due, ({ keptUntil }) => keptUntil > clock())
      return true
    }
    if (lruIndex.totalBytes() <= maxBytes) return false
    const oldest = lruIndex.leastRecentlyUsed()
    if (!oldest) return false
    if (useAfterAll(oldest)) return true
    const answerUsedAt = lruIndex.usedAt(oldest) ?? 0
    removeEntry(oldest, ({ keptUntil, usedAt }) => keptUntil > clock() && usedAt > answerUsedAt)
    return true
  }

  function use(entry: Entry, at: number) {
    lruIndex.use(entry, at)
    const name = imageOf(entry)
    const record = name && images.get(name)
    if (name && record) images.putSync(name, { ...record, usedAt: Math.max(record.usedAt, at) })
  }

  function useAfterAll(entry: Entry): boolean {
    const at = pendingAccesses.take(entry)
    if (at === undefined || at <= (lruIndex.usedAt(entry) ?? at)) return false
    use(entry, at)
    return true
  }

  function removeEntry(entry: Entry, isImageKept: (image: { keptUntil: number; usedAt: number }) => boolean) {
    const name = imageOf(entry)
    if (name) dropImage(name)
    else removeAnswer(entry.slice('answer:'.length), isImageKept)
  }

  function removeAnswer(id: string, isImageKept: (image: { keptUntil: number; usedAt: number }) => boolean) {
    const answer = answers.get(id)
    if (!answer) return
    answers.removeSync(id)
    lruIndex.weigh(-answer.size)
    for (const name of answer.images) release(name, id, isImageKept)
    lruIndex.leave(`answer:${id}`)
  }

  function hold(name: ImageName, id: string, until: number) {
    const record = images.get(name)
    if (!record) throw new MissingImageError(name)
    holders.putSync([name, id], true)
    images.putSync(name, { ...record, keptUntil: Math.max(record.keptUntil, until) })
    lruIndex.leave(`image:${name}`)
  }

  function release(name: ImageName, id: string, isKept: (image: { keptUntil: number; usedAt: number }) => boolean) {
    holders.removeSync([name, id])
    const record = images.get(name)
    if (!record || isHeld(name)) return
    use(`image:${name}`, pendingAccesses.take(`image:${name}`) ?? 0)
    const usedAt = images.get(name)?.usedAt ?? 0
    if (!isKept({ keptUntil: record.keptUntil, usedAt })) dropImage(name)
    else lruIndex.enter(`image:${name}`, Math.max(usedAt, lruIndex.usedAt(`answer:${id}`) ?? 0), record.keptUntil)
  }

  function dropImage(name: ImageName) {
    const record = images.get(name)
    if (!record) return
    images.removeSync(name)
    lruIndex.weigh(-record.size - ROWS_BYTES)
    lruIndex.leave(`image:${name}`)
    files.remove(name)
  }

  const isHeld = (name: ImageName) => holders.getKeysCount({ start: [name], end: [name, '\uffff'], limit: 1 }) > 0

  return { putImage, putAnswer, loseImage, removeSome, use }
}

const imageOf = (entry: Entry): ImageName | undefined =>
  entry.startsWith('image:') ? (entry.slice('image:'.length) as ImageName) : undefined
