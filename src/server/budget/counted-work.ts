/** Work that a request may start, as it is counted in the budget of its client. */
export type Work = keyof typeof countedWork

interface CountedWork {
  /** Additional work that does not count towards the daily limit, as a share of it. */
  freeShare: number
  /** When it counts, for the documentation. */
  when: string
}

/** What counts towards the daily limit of a client of the free host, each as one. */
export const countedWork = {
  page: {
    freeShare: 0,
    when: 'a page is read, rendered or captured, because no result is cached, or with `force`',
  },
  media: { freeShare: 0, when: 'the `image`, `logo`, `audio` or `video` of a page is fetched to embed it' },
  variant: { freeShare: 0, when: 'a variant of an image is converted for the first time' },
  revalidation: { freeShare: 0.2, when: 'a stale result is captured again in the background' },
} as const satisfies Record<string, CountedWork>

/** What does not count, for the documentation. */
export const uncountedCases = {
  cached: 'a result, an image or a variant is cached, fresh or stale',
  joined: 'a request joins the same work of another client',
  failed: 'a failure is cached',
  busy: 'the service has no time or no browser for the page (`EBUSY`; `EBRWSRTIMEOUT` before the page was opened)',
  pro: 'a request has an API key or is signed: it counts for the key instead',
} as const
