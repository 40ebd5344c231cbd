import { lockKeyOf, scanSite, type SiteOptions, type Lock, type LockEntry, type CardRequest } from '../freeze/index.js'

/** A link of a site that has a preview. */
export interface SiteLink {
  url: string
  request: CardRequest
  /** What was frozen of it. */
  entry: LockEntry | undefined
  /** Relative to the site; at most 10. */
  pages: string[]
}

const MAX_PAGES = 10

/**
 * The links of a site that have previews, each URL once, in the order of the pages; of several previews of one URL, the first that
 * was frozen with an image is compared.
 *
 * @returns  The links, and the pages that could not be read.
 * @throws   {PageError} `EINVALQUERY` for an invalid selector; the reason of `signal`.
 */
export async function findLinks({ lock, ...site }: SiteOptions & { lock: Lock }) {
  const { requests, files, skipped } = await scanSite(site)
  // For a check without the defaults that the site was frozen with.
  const entriesByUrl = new Map([...lock.values()].map((entry) => [entry.url, entry]))
  const links = new Map<string, SiteLink>()
  for (const { request, pages } of requests.values()) {
    const { url } = request.query
    const entry = lock.get(lockKeyOf(request)) ?? entriesByUrl.get(url)
    const known = links.get(url)
    const isBetter = !known?.entry?.preview?.image && entry?.preview
    links.set(url, {
      url,
      request: known && !isBetter ? known.request : request,
      entry: known && !isBetter ? known.entry : entry,
      pages: [...new Set([...(known?.pages ?? []), ...pages])].slice(0, MAX_PAGES),
    })
  }
  return { links: [...links.values()], files, skipped }
}
