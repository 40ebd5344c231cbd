import { join } from 'node:path'
import { isPageError } from '../../../query/index.js'
import type { SkippedPart } from '../freeze-result.js'
import { findPreviews, type FindPreviewsOptions, type CardRequest } from '../markup/index.js'
import { findHtmlFiles, type OnSkippedFolder } from './find-html-files.js'
import { readSitePage } from './read-site-page.js'

/** The previews of a site. */
export interface ScannedSite {
  /** How many HTML files there are. */
  files: number
  /** Paths of those with previews, relative to the site. */
  pages: string[]
  /** Each request once, with the pages that contain it. */
  requests: Map<string, { request: CardRequest; pages: string[] }>
  skipped: SkippedPart[]
}

const MAX_PAGES_OF_REQUEST = 10

/**
 * Reads the HTML files of a site one after another, and keeps only the requests of their previews.
 *
 * @param urlOf   The URL of a page, to which its relative links refer.
 * @param signal  Its reason is thrown when it aborts.
 */
export async function scanSite(
  dir: string,
  options: Omit<FindPreviewsOptions, 'baseUrl'>,
  { urlOf, signal }: { urlOf: (page: string) => string | undefined; signal: AbortSignal | undefined },
): Promise<ScannedSite> {
  const site: ScannedSite = { files: 0, pages: [], requests: new Map(), skipped: [] }
  const onSkipped: OnSkippedFolder = (folder, reason) => site.skipped.push({ page: `${folder}/`, reason })
  for await (const page of findHtmlFiles(dir, onSkipped)) {
    signal?.throwIfAborted()
    site.files++
    try {
      const { bytes } = await readSitePage(join(dir, page))
      const found = findPreviews(bytes, { ...options, baseUrl: urlOf(page) })
      // A page with invalid previews is included too, because writing it reports them.
      if (found.length || bytes.includes('page-preview')) site.pages.push(page)
      for (const { request } of found) addRequest(site, request, page)
    } catch (error) {
      // An invalid selector is not the fault of the page.
      if (isPageError(error) && error.code === 'EINVALQUERY') throw error
      site.skipped.push({ page, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return site
}

function addRequest({ requests }: ScannedSite, request: CardRequest, page: string): void {
  const key = `${request.layout} ${request.key}`
  const found = requests.get(key) ?? { request, pages: [] }
  if (found.pages.length < MAX_PAGES_OF_REQUEST && !found.pages.includes(page)) found.pages.push(page)
  requests.set(key, found)
}
