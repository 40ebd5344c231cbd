import { PageError } from '../../query/index.js'
import { createSingleFlight } from '../jobs/index.js'
import { digest, hostOfSubject, subjectOfUrl, type Store, type Subject } from '../store/index.js'
import { DAY_MS } from '../utc-day.js'
import type { ProofFinder } from './find-proof.js'

/** The pages that their owners have removed, for as long as they show the nonce of it. */
export interface RemovedPages {
  /** Removes a page, which shows the nonce now, from all instances on the store. */
  remove(page: URL, nonce: string): Promise<void>
  /**
   * Checks that a page is not removed. A page that was removed is looked at again once an hour, if it is requested.
   *
   * @throws  {PageError} `EREMOVED`, and as `ProofFinder` does.
   */
  assertShown(url: string, caller: { client: string; signal: AbortSignal }): Promise<void>
  /** The same for what a page has led to, without looking at it again. */
  assertNoneRemoved(subjects: readonly Subject[]): Promise<void>
}

interface Removal {
  nonce: string
  /** Milliseconds since 1970: when the page is looked at again. */
  checkAt: number
}

/** A page is not shown again because a cache has forgotten it; what is requested stays. */
const LIFETIME_MS = 3_650 * DAY_MS
const CHECK_INTERVAL_MS = 3_600_000
/** If the page does not respond. */
const RETRY_DELAY_MS = 300_000
const MAX_CHECK_MS = 30_000

const keyOf = (subject: Subject) => `removal ${subject}`

export function createRemovedPages(
  { entries, locks }: Pick<Store, 'entries' | 'locks'>,
  { finder, clock }: { finder: ProofFinder; clock: () => number },
): RemovedPages {
  const checks = createSingleFlight<boolean>()

  const readRemoval = async (subject: Subject) => (await entries.readEntry<Removal>(keyOf(subject)))?.body

  async function writeRemoval(subject: Subject, removal: Removal): Promise<void> {
    const createdAt = clock()
    await entries.writeEntry(keyOf(subject), {
      createdAt,
      expiresAt: createdAt + LIFETIME_MS,
      images: [],
      body: removal,
    })
  }

  /** Whether the page still shows the nonce. One instance looks. */
  async function stands(
    page: URL,
    { nonce }: Removal,
    caller: { client: string; signal: AbortSignal },
  ): Promise<boolean> {
    const subject = subjectOfUrl(page)
    const key = keyOf(subject)
    if (!(await locks.claim(key, MAX_CHECK_MS))) return true
    try {
      const proof = await finder.find(page, nonce, caller)
      if (proof === 'absent') {
        await entries.deleteEntries([digest(key)], { isShared: true })
        return false
      }
      await writeRemoval(subject, {
        nonce,
        checkAt: clock() + (proof === 'unknown' ? RETRY_DELAY_MS : CHECK_INTERVAL_MS),
      })
      return true
    } finally {
      await locks.unclaim(key)
    }
  }

  return {
    remove: (page, nonce) => writeRemoval(subjectOfUrl(page), { nonce, checkAt: clock() + CHECK_INTERVAL_MS }),
    async assertShown(url, { client, signal }) {
      const subject = subjectOfUrl(url)
      const removal = await readRemoval(subject)
      if (!removal) return
      const page = new URL(url)
      page.hash = ''
      const check = (signal: AbortSignal) => stands(page, removal, { client, signal })
      const isRemoved = clock() < removal.checkAt || (await checks.run(subject, check, { signal }))
      if (isRemoved) throw removedError(page.host)
    },
    async assertNoneRemoved(subjects) {
      const removals = await Promise.all(subjects.map(readRemoval))
      const removed = removals.findIndex(Boolean)
      if (removed >= 0) throw removedError(hostOfSubject(subjects[removed]!))
    },
  }
}

const removedError = (host: string) =>
  new PageError(
    'EREMOVED',
    `The owner of this page of ${host} has removed its preview. Link to the page without one.`,
    {
      data: { url: 'removed by its owner' },
    },
  )
