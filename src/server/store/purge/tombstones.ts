import { hostOfSubject, type Subject } from '../subject.js'
import { MAX_LOGGED_PURGES, type LoggedPurge, type PurgeableItem } from './purge.js'

export type Tombstones = ReturnType<typeof createTombstones>

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
