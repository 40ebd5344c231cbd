import { setTimeout as delay } from 'node:timers/promises'
import type { PageChange, PageHistory, PageVersion } from '../../query/index.js'
import type { PageBlock } from '../browser/index.js'
import type { Images } from '../images/index.js'
import type { CacheEntry, ImageName, Store } from '../store/index.js'
import { DAY_MS } from '../utc-day.js'
import { compareCaptures, type ComparedCapture, type Difference } from './compare-captures.js'
import {
  confirmChanges,
  findNoise,
  FIRST_CLOCK_AHEAD_MS,
  IncomparableError,
  type CompareImages,
  type TakeTwin,
} from './confirm-changes.js'
import { addNoise, isNoise } from './page-noise.js'

/** The versions of pages that differ visibly, of the requests with `history`. */
export interface Histories {
  /** `undefined` if none is stored under the key. */
  read(key: string): Promise<StoredHistory | undefined>
  /**
   * Compares a new capture with the newest version of its page, and stores it if the page has changed.
   *
   * @param key  Of the result.
   * @throws     {IncomparableError} if it cannot be compared now, and nothing is stored; what `takeTwin` throws, errors of the store, and
   *             the reason of `signal`.
   */
  add(
    key: string,
    capture: NewCapture,
    options: { takeTwin: TakeTwin; client: string; signal: AbortSignal; marks: Marks },
  ): Promise<StoredHistory>
}

/** A capture whose screenshot is in the store. */
export interface NewCapture extends ComparedCapture {
  name: ImageName
  /** Milliseconds since 1970. */
  capturedAt: number
  /** Title of the page. */
  title: string | null
}

/** What the history of a page has in common with the result; see `CacheEntry`. */
type Marks = Pick<CacheEntry, 'owner' | 'allowances' | 'lastPurge' | 'subjects'>

/** A history whose screenshots are named as in the store; their URLs are built for each request. */
export interface StoredHistory extends Omit<PageHistory, 'versions'> {
  versions: StoredVersion[]
}

interface StoredVersion extends Omit<PageVersion, 'screenshot'> {
  screenshot: { image: ImageName; width: number; height: number }
}

/** The history of a page as its entry has it. */
interface HistoryRecord extends StoredHistory {
  /** Of the first capture of the newest version. */
  blocks: readonly PageBlock[]
}

const MAX_VERSIONS = 20
const MAX_CHANGES = 50
const MAX_TEXT_CHARS = 100
const LIFETIME_MS = 31 * DAY_MS
/** Captures that follow each other at once may show the same advert. */
const PAUSE_MS = 1_000

const keyOf = (key: string) => `history ${key}`

/** @param options.pauseMs  Before each twin. */
export function createHistories(
  { entries, images: files }: Pick<Store, 'entries' | 'images'>,
  images: Pick<Images, 'compareBlocks'>,
  { pauseMs = PAUSE_MS }: { pauseMs?: number } = {},
): Histories {
  const readRecord = async (key: string) => (await entries.readEntry<HistoryRecord>(keyOf(key)))?.body

  /** The newest version as it was captured first; `undefined` if its screenshot is lost. */
  async function readNewest({ versions, blocks }: HistoryRecord): Promise<ComparedCapture | undefined> {
    const { screenshot, area } = versions[0]!
    const { image: name, width, height } = screenshot
    const image = await files.readImage(name)
    return image && { image, width, height, area, blocks }
  }

  return {
    async read(key) {
      const record = await readRecord(key)
      return record && historyOf(record)
    },
    async add(key, capture, { client, signal, marks, ...options }) {
      const takeTwin: TakeTwin = async (clockAheadMs) => {
        await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
        return options.takeTwin(clockAheadMs)
      }
      const compareImages: CompareImages = (before, now) => (pairs) =>
        images.compareBlocks(before.image, now.image, pairs, { client, signal })
      const record = await readRecord(key)
      const newest = record && (await readNewest(record))
      const next =
        record && newest
          ? await nextRecord(record, newest, capture, takeTwin, compareImages)
          : await firstRecord(capture, takeTwin, compareImages)
      const { capturedAt } = capture
      await entries.writeEntry(keyOf(key), {
        ...marks,
        createdAt: capturedAt,
        expiresAt: capturedAt + LIFETIME_MS,
        images: [...new Set(next.versions.map(({ screenshot }) => screenshot.image))],
        body: next,
      })
      return historyOf(next)
    },
  }
}

const historyOf = ({ versions, ignored }: HistoryRecord): StoredHistory => ({ versions, ignored })

async function firstRecord(
  capture: NewCapture,
  takeTwin: TakeTwin,
  compareImages: CompareImages,
): Promise<HistoryRecord> {
  const ignored = await takeTwin(FIRST_CLOCK_AHEAD_MS)
    .then((twin) => findNoise(capture, twin, compareImages))
    .catch((error: unknown) => {
      // Noise is found with the next difference too.
      if (error instanceof IncomparableError) return []
      throw error
    })
  const { blocks } = capture
  return { versions: [versionOf(capture, [])], ignored: addNoise([], ignored), blocks }
}

async function nextRecord(
  record: HistoryRecord,
  newest: ComparedCapture,
  capture: NewCapture,
  takeTwin: TakeTwin,
  compareImages: CompareImages,
): Promise<HistoryRecord> {
  const known = new Set(record.ignored)
  const { differences } = await compareCaptures(newest, capture, compareImages(newest, capture))
  const open = differences.filter((difference) => !isNoise(difference, known))
  const { changes, noise } = await confirmChanges(open, capture, takeTwin, compareImages)
  const ignored = addNoise(record.ignored, noise)
  const [latest, ...earlier] = record.versions
  if (changes.length === 0) {
    const until = new Date(capture.capturedAt).toISOString()
    return { ...record, versions: [{ ...latest!, until }, ...earlier], ignored }
  }
  const { blocks } = capture
  const versions = [versionOf(capture, changes.slice(0, MAX_CHANGES).map(changeOf)), ...record.versions]
  return { versions: versions.slice(0, MAX_VERSIONS), ignored, blocks }
}

function versionOf({ capturedAt, title, name, width, height, area }: NewCapture, changes: PageChange[]): StoredVersion {
  const time = new Date(capturedAt).toISOString()
  return { since: time, until: time, title, screenshot: { image: name, width, height }, area, changes }
}

function changeOf({ before, now }: Difference): PageChange {
  const { element, x, y, width, height } = now ?? before
  return {
    kind: now ? (before ? 'changed' : 'added') : 'removed',
    element,
    text: startOf(now),
    textBefore: startOf(before),
    x: Math.round(x),
    y: Math.round(y),
    width: Math.round(width),
    height: Math.round(height),
  }
}

const startOf = (block: PageBlock | undefined) => block?.text.slice(0, MAX_TEXT_CHARS) || null
