import { isPageError } from '../../query/index.js'
import { isServiceFailure, type SourcePage } from '../preview-source/index.js'
import { compareWithFrozen, type CompareContext } from './compare-with-frozen.js'
import type { SiteLink } from './find-links.js'
import type { LinkFollower } from './follow-link.js'
import { classifyError, classifyPage, type AttemptResult } from './classify-attempt.js'
import { leadsHome } from './leads-home.js'
import type { LinkReport } from './link-report.js'

export interface InspectContext extends CompareContext {
  follower: LinkFollower
}

/** What one attempt found. */
export interface Inspection {
  result: AttemptResult
  changes: Pick<LinkReport, 'newUrl' | 'title' | 'imageDifference'>
}

/**
 * Requests the page of a link once, and compares it with what was frozen.
 *
 * @throws  Errors that do not concern the link: an error of the service; the reason of `signal`.
 */
export async function inspectLink(link: SiteLink, context: InspectContext): Promise<Inspection> {
  const page = await requestPage(link, context)
  if ('outcome' in page) return { result: page, changes: {} }
  const result = classifyPage(page)
  if (result.outcome !== 'works') return { result, changes: {} }
  const followed = page.redirects.length > 0 ? await context.follower.follow(link.url, context.signal) : undefined
  if (followed && leadsHome(link.url, followed.url)) {
    const reason = `It redirects to the home page, ${followed.url}.`
    return { result: { ...result, outcome: 'absent', reason }, changes: {} }
  }
  const newUrl = followed?.isPermanent && followed.url !== link.url ? followed.url : undefined
  return { result, changes: { ...(newUrl && { newUrl }), ...(await compareWithFrozen(link, page, context)) } }
}

async function requestPage(
  { request: { query } }: SiteLink,
  { source, signal }: InspectContext,
): Promise<SourcePage | AttemptResult> {
  try {
    // What a page shows instead of its content is only known where a browser opens it.
    return await source.page({ ...query, screenshot: query.screenshot ?? true, force: true }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isPageError(error) || isServiceFailure(error)) throw error
    return classifyError(error)
  }
}
