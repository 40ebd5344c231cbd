import { setTimeout as delay } from 'node:timers/promises'
import { canParseUrl } from '../../query/written-url.js'
import { queryLimits } from '../../query/help/index.js'
import { PageError } from '../../query/index.js'
import { hostnameOf, isHostname, parseHost } from '../hostnames.js'
import {
  digest,
  hostOfSubject,
  subjectOfImage,
  subjectOfUrl,
  type CacheEntry,
  type PurgeableItem,
  type Subject,
} from './cache-entry.js'
import { parseJson } from './parse-json.js'
import type { EntryStore, LoggedPurge, Purge, PurgeLog, PurgeScope, ResultStore } from './store-parts.js'
import type { ImageName } from './stored-image.js'

/** The purges of results, from all instances that share a store. */
export interface Purges {
  /** Number of the last purge that is known here; it has to be read before the work for an entry begins. */
  lastPurge(): number
  /**
   * Deletes what shows a page or a host; instances on the same store follow within a second.
   *
   * @returns  How many entries and images this instance and the remote stores had.
   * @throws   {PageError} `EBUSY` while a remote store is unreachable; the purge has to be repeated then.
   */
  purge(purge: Purge): Promise<{ entries: number; images: number }>
  /** Called with purges, also of another instance, that were logged since the store was opened. */
  onPurge(listener: (purges: readonly Purge[]) => void): void
}

/** What `openStore` needs of the purges, in addition. */
interface FollowedPurges extends Purges {
  isPurged(item: PurgeableItem): boolean
  /** Deletes an entry that was written just now, although a purge came after the work for it had begun. */
  deletePurged(key: string, entry: CacheEntry): Promise<void>
  /** Ends the reading, and waits for the last read and what it deletes. */
  close(): Promise<void>
}

/** What an operator purges: exactly one of these. */
export interface PurgeTarget {
  /** URL of a page. */
  url?: string | undefined
  /** A host without port; covers its subdomains. */
  host?: string | undefined
  all?: boolean | undefined
}

/** Purges that are recorded: more than happen while a cache entry lives. */
export const MAX_LOGGED_PURGES = 10_000
/** Purges that are read at once. */
export const PURGES_PER_READ = 1_000
/** With more purges at once, everything is read once instead. */
const MAX_SEARCHES = 100
/** After the log could not be read. */
const RETRY_DELAY_MS = 300
const IMAGES_PER_PURGE = 500

/** @throws  {PageError} `EINVALURL`, `EINVALQUERY` */
export function parsePurgeTarget({ url, host, all }: PurgeTarget): Purge {
  if ([url !== undefined, host !== undefined, all === true].filter(Boolean).length !== 1)
    throw new PageError('EINVALQUERY', 'Name what to purge: one of url, host and all.', {
      data: { url: 'one of url, host and all is needed' },
    })
  if (url !== undefined) return { page: subjectOfUrl(parsePage(url)) }
  return host === undefined ? { all: true } : { host: parsePurgedHost(host) }
}

function parsePage(text: string): URL {
  const parsed =
    text.length <= queryLimits.valueChars && /^https?:\/\//i.test(text) && canParseUrl(text) ? new URL(text) : undefined
  if (parsed && isHostname(hostnameOf(parsed))) return parsed
  throw new PageError('EINVALURL', 'The page to purge must be an absolute http or https URL.', {
    data: { url: 'must be an absolute http or https URL' },
  })
}

function parsePurgedHost(text: string): string {
  const host = parseHost(text)
  if (host !== undefined) return host
  throw new PageError('EINVALQUERY', 'The host to purge must be a name or an IP address, without a port.', {
    data: { host: 'must be a name or an IP address, without a port' },
  })
}

/**
 * Describes a purge without the URL of its page, for the log.
 *
 * @returns  `undefined` for a row that names the images of a purge, because the purge itself is described already. `targetHost` has
 *           no port; it is `undefined` when everything is purged.
 */
export function describePurge(
  purge: Purge,
): { scope: 'page' | 'host' | 'all'; targetHost: string | undefined } | undefined {
  if ('page' in purge) return { scope: 'page', targetHost: hostOfSubject(purge.page) }
  if ('host' in purge) return { scope: 'host', targetHost: purge.host }
  return 'all' in purge ? { scope: 'all', targetHost: undefined } : undefined
}

/** A row of the log; none when it is damaged. */
export function parsePurge(sequence: number, json: string): LoggedPurge[] {
  const purge = parseJson(json)
  return typeof purge === 'object' && purge !== null ? [{ sequence, purge: purge as Purge }] : []
}

/**
 * Follows the purges of a store. Every instance reads the log of purges when one was added, and again after it has written an
 * entry. An entry whose work began before a purge of its page or host counts as missing. The instance that purges deletes what is
 * shared, and then logs the names of the images; every instance deletes its own copies of them.
 *
 * @param onError  Receives errors of background work.
 */
export async function startPurges(
  { purgeLog, ...results }: ResultStore & { purgeLog: PurgeLog },
  onError: (error: unknown) => void,
): Promise<FollowedPurges> {
  const tombstones = createTombstones()
  const listeners: ((purges: readonly Purge[]) => void)[] = []
  let last = 0
  /** Purges whose copies on this machine are not deleted yet. */
  let applied: Purge[] = []
  const closing = new AbortController()
  let reading = Promise.resolve()
  let deleting = Promise.resolve()

  const isPurged = (item: PurgeableItem): boolean => tombstones.isPurged(item)

  /** Reads everything that was logged before the call. Never rejects. */
  const refresh = () =>
    (reading = reading.then(readNew).catch((error: unknown) => (closing.signal.aborted ? undefined : onError(error))))

  async function readNew(): Promise<void> {
    const log = await purgeLog.readPurges(last)
    if (log.last < last) {
      // The log was lost with the cache, and begins again.
      tombstones.clear()
      last = 0
      if (log.last > 0) await readNew()
      return
    }
    if (log.purges.length === 0) {
      // Damaged rows are skipped.
      last = log.last
      return
    }
    for (const logged of log.purges) tombstones.add(logged)
    last = log.purges.at(-1)!.sequence
    apply(log.purges.map(({ purge }) => purge))
    if (log.purges.length === PURGES_PER_READ) await readNew()
  }

  function apply(purges: readonly Purge[]): void {
    for (const listener of listeners) listener(purges)
    const deleted = purges.flatMap((purge) => ('images' in purge ? [purge.images] : []))
    applied.push(...purges.filter((purge) => !('images' in purge)))
    if (deleted.length === 0) return
    const done = applied.length > MAX_SEARCHES ? [{ all: true as const }] : applied
    applied = []
    deleting = deleting.then(() => deleteCopies(deleted.flat(), done)).catch(onError)
  }

  /** The shared copies have been deleted by then, so the entries of this machine are not needed to find them. */
  async function deleteCopies(images: ImageName[], done: readonly Purge[]): Promise<void> {
    // Their names are those of their bytes: what looks the same now has the image of what was purged then.
    // The entry of a local copy says nothing about its page.
    const isCurrent = (entry: CacheEntry) => entry.lastPurge !== undefined && !isPurged(entry)
    const inUse = new Set(await results.entries.findNamedImages(images, isCurrent))
    const outdated = images.filter((name) => !inUse.has(name))
    await results.images.deleteImages(outdated, { isShared: false })
    for (const purge of done) await deleteItems(results, purge, isPurged, { isShared: false })
  }

  async function follow({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await purgeLog.waitForPurge(last, signal).catch(() => delay(RETRY_DELAY_MS, undefined, { signal, ref: false }))
      await refresh()
    }
  }

  await refresh()
  // Only the end of the waiting rejects.
  follow(closing).catch(() => undefined)
  return {
    lastPurge: () => last,
    onPurge: (listener) => void listeners.push(listener),
    async purge(purge) {
      await purgeLog.addPurge(purge)
      await refresh()
      const { ids, images } = await deleteItems(results, purge, matchPurge(purge), { isShared: true })
      for (let start = 0; start === 0 || start < images.length; start += IMAGES_PER_PURGE)
        await purgeLog.addPurge({ images: images.slice(start, start + IMAGES_PER_PURGE) })
      await refresh()
      return { entries: ids.length, images: images.length }
    },
    isPurged,
    async deletePurged(key, entry) {
      if (entry.lastPurge === undefined) return
      await refresh()
      if (!isPurged(entry)) return
      await results.images.deleteImages(entry.images, { isShared: true })
      await results.entries.deleteEntries([digest(key)], { isShared: true })
    },
    async close() {
      closing.abort()
      await reading
      await deleting
    },
  }
}

/** The purges of pages and hosts, by which entries that are older or were begun before are recognised. */
export function createTombstones() {
  const pages = new Map<Subject, number>()
  const hosts = new Map<string, number>()
  /** Everything that was begun before this purge is purged. */
  let floor = 0

  function remember<Key>(sequences: Map<Key, number>, key: Key, sequence: number) {
    sequences.delete(key)
    sequences.set(key, sequence)
    if (sequences.size <= MAX_LOGGED_PURGES) return
    const [oldest, sequenceOfOldest] = sequences.entries().next().value!
    sequences.delete(oldest)
    floor = Math.max(floor, sequenceOfOldest)
  }

  function lastPurgeOf(subject: Subject): number {
    let last = pages.get(subject) ?? 0
    for (let host = hostOfSubject(subject); host; host = host.includes('.') ? host.slice(host.indexOf('.') + 1) : '')
      last = Math.max(last, hosts.get(host) ?? 0)
    return last
  }

  return {
    add({ sequence, purge }: LoggedPurge): void {
      if ('all' in purge) floor = Math.max(floor, sequence)
      else if ('host' in purge) remember(hosts, purge.host, sequence)
      else if ('page' in purge) remember(pages, purge.page, sequence)
    },
    clear(): void {
      pages.clear()
      hosts.clear()
      floor = 0
    },
    /** Items whose `lastPurge` is unknown are not purged. */
    isPurged({ subjects = [], lastPurge }: PurgeableItem): boolean {
      if (lastPurge === undefined) return false
      return lastPurge < floor || subjects.some((subject) => lastPurge < lastPurgeOf(subject))
    },
  }
}

/**
 * Deletes images and entries with the variants of the images.
 *
 * @returns  What was deleted.
 */
async function deleteItems(
  { entries, images }: ResultStore,
  purge: Purge,
  matches: (item: PurgeableItem) => boolean,
  scope: PurgeScope,
): ReturnType<EntryStore['findItems']> {
  const found = await entries.findItems(purge, matches, scope)
  await images.deleteImages(found.images, scope)
  // A variant that is converted from now on finds out that its original is gone.
  const ofImages = { images: found.images }
  const variants = found.images.length
    ? await entries.findItems(ofImages, matchPurge(ofImages), scope)
    : { ids: [], images: [] }
  await images.deleteImages(variants.images, scope)
  const ids = [...new Set([...found.ids, ...variants.ids])]
  await entries.deleteEntries(ids, scope)
  return { ids, images: [...new Set([...found.images, ...variants.images])] }
}

/** A host covers its subdomains. */
function matchPurge(purge: Purge): (item: PurgeableItem) => boolean {
  if ('all' in purge) return () => true
  if ('page' in purge) return ({ subjects }) => subjects?.includes(purge.page) ?? false
  if ('host' in purge) {
    const isOfHost = (subject: Subject) => `.${hostOfSubject(subject)}`.endsWith(`.${purge.host}`)
    return ({ subjects }) => subjects?.some(isOfHost) ?? false
  }
  const images = new Set(purge.images.map(subjectOfImage))
  return ({ subjects }) => subjects?.some((subject) => images.has(subject)) ?? false
}
