import type { Database } from './database.js'
import type { ImageFiles } from './image-files.js'
import type { Entry, Ledger } from './ledger.js'
import { ImageNotKeptError, type ImageName, type KeptAnswer } from './store.js'
import type { Touches } from './touches.js'

/** What the rows around an entry take on the disk, measured. */
const ROWS_BYTES = 1_024
/** As long an image waits for the answer that will name it. */
const UNNAMED_IMAGE_MS = 600_000

interface ShelfOptions {
  database: Database
  files: ImageFiles
  ledger: Ledger
  touches: Touches
  maxBytes: number
  clock: () => number
}

/** Answers and their images, and what goes when. Every method belongs inside a transaction. */
export type Shelf = ReturnType<typeof createShelf>

export function createShelf({ database, files, ledger, touches, maxBytes, clock }: ShelfOptions) {
  const { answers, images, holders } = database

  /** Notes an image whose file is in place, or that it is wanted again. */
  function putImage(name: ImageName, size: number) {
    const record = images.get(name)
    const now = clock()
    const keptUntil = Math.max(record?.keptUntil ?? 0, now + UNNAMED_IMAGE_MS)
    images.putSync(name, { size, keptUntil, usedAt: now })
    if (!record) ledger.weigh(size + ROWS_BYTES)
    if (!isHeld(name)) ledger.enter(`image:${name}`, now, keptUntil)
  }

  function putAnswer(id: string, answer: KeptAnswer) {
    const before = answers.get(id)
    answers.putSync(id, { ...answer, size: 0 })
    const size = (answers.getBinary(id)?.length ?? 0) + ROWS_BYTES
    if (size > maxBytes)
      throw new RangeError(`An answer of ${size} bytes is more than the ${maxBytes} that may be kept`)
    answers.putSync(id, { ...answer, size })
    ledger.weigh(size - (before?.size ?? 0))
    for (const name of answer.images) hold(name, id, answer.expiresAt)
    for (const name of before?.images ?? []) {
      if (!answer.images.includes(name)) release(name, id, ({ keptUntil }) => keptUntil > clock())
    }
    ledger.enter(`answer:${id}`, clock(), answer.expiresAt)
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
    const due = ledger.firstDue(clock())
    if (due) {
      removeEntry(due, ({ keptUntil }) => keptUntil > clock())
      return true
    }
    if (ledger.totalBytes() <= maxBytes) return false
    const oldest = ledger.leastRecentlyUsed()
    if (!oldest) return false
    if (useAfterAll(oldest)) return true
    const answerUsedAt = ledger.usedAt(oldest) ?? 0
    removeEntry(oldest, ({ keptUntil, usedAt }) => keptUntil > clock() && usedAt > answerUsedAt)
    return true
  }

  function use(entry: Entry, at: number) {
    ledger.use(entry, at)
    const name = imageOf(entry)
    const record = name && images.get(name)
    if (name && record) images.putSync(name, { ...record, usedAt: Math.max(record.usedAt, at) })
  }

  function useAfterAll(entry: Entry): boolean {
    const at = touches.take(entry)
    if (at === undefined || at <= (ledger.usedAt(entry) ?? at)) return false
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
    ledger.weigh(-answer.size)
    for (const name of answer.images) release(name, id, isImageKept)
    ledger.leave(`answer:${id}`)
  }

  function hold(name: ImageName, id: string, until: number) {
    const record = images.get(name)
    if (!record) throw new ImageNotKeptError(name)
    holders.putSync([name, id], true)
    images.putSync(name, { ...record, keptUntil: Math.max(record.keptUntil, until) })
    ledger.leave(`image:${name}`)
  }

  function release(name: ImageName, id: string, isKept: (image: { keptUntil: number; usedAt: number }) => boolean) {
    holders.removeSync([name, id])
    const record = images.get(name)
    if (!record || isHeld(name)) return
    use(`image:${name}`, touches.take(`image:${name}`) ?? 0)
    const usedAt = images.get(name)?.usedAt ?? 0
    if (!isKept({ keptUntil: record.keptUntil, usedAt })) dropImage(name)
    else ledger.enter(`image:${name}`, Math.max(usedAt, ledger.usedAt(`answer:${id}`) ?? 0), record.keptUntil)
  }

  function dropImage(name: ImageName) {
    const record = images.get(name)
    if (!record) return
    images.removeSync(name)
    ledger.weigh(-record.size - ROWS_BYTES)
    ledger.leave(`image:${name}`)
    files.remove(name)
  }

  const isHeld = (name: ImageName) => holders.getKeysCount({ start: [name], end: [name, '\uffff'], limit: 1 }) > 0

  return { putImage, putAnswer, loseImage, removeSome, use }
}

const imageOf = (entry: Entry): ImageName | undefined =>
  entry.startsWith('image:') ? (entry.slice('image:'.length) as ImageName) : undefined
