import type { CardRequest } from '../markup/index.js'
import type { LinkFailure, LockEntry } from './lock-entry.js'

interface FailedAttempt {
  code: string
  message: string
  /** Milliseconds since 1970. */
  now: number
  /** Whether to add the URL of an archived copy. */
  archive: boolean
}

/** The entry after an attempt that failed: the last good result stays, and so does the failure while its code is the same. */
export function failedEntry(
  request: CardRequest,
  known: LockEntry | undefined,
  { code, message, now, archive }: FailedAttempt,
): LockEntry {
  const { url } = request.query
  const earlier = known?.failure
  const { since, ...reason } = earlier?.code === code ? earlier : { code, message, since: earlier?.since }
  const failure: LinkFailure = { ...reason, since: since ?? new Date(now).toISOString() }
  // Nobody else has a copy of what is at a private address.
  const isArchived = archive && code !== 'EFORBIDDENURL'
  const archiveUrl =
    earlier?.archive ?? (isArchived ? archiveUrlOf(url, known?.preview?.date ?? failure.since) : undefined)
  return {
    url,
    ...(known?.preview && { preview: known.preview }),
    failure: { ...failure, ...(archiveUrl && { archive: archiveUrl }) },
  }
}

/** The Wayback Machine redirects it to the copy nearest to the date. */
const archiveUrlOf = (url: string, date: string) =>
  `https://web.archive.org/web/${date.replace(/\D/g, '').slice(0, 14)}/${url}`
