import type { Protocol } from 'puppeteer-core'
import type { HostList } from '../../query/help/index.js'
import type { PageQuery } from '../../query/index.js'

type PausedRequest = Protocol.Fetch.RequestPausedEvent

/**
 * Whether a request would lead a restricted visit to another host: a navigation of the main frame, or a redirect of a style sheet
 * in `styles`. What the page itself loads may be anywhere.
 */
export function leadsToOtherHost(
  frameId: string,
  { styles = [] }: PageQuery,
  allowedHosts: HostList,
): (paused: PausedRequest) => boolean {
  const styleUrls = new Set([styles].flat().flatMap(withoutFragment))
  const styleRequests = new Set<string | undefined>()
  return ({ request: { url }, resourceType, frameId: frame, networkId }) => {
    const isPage = resourceType === 'Document' && frame === frameId
    if (resourceType === 'Stylesheet' && networkId && styleUrls.has(url)) styleRequests.add(networkId)
    return (isPage || styleRequests.has(networkId)) && /^https?:/.test(url) && !allowedHosts.allows(url)
  }
}

/** As DevTools events report a URL. */
function withoutFragment(style: string): string[] {
  if (!/^https?:/i.test(style.trim()) || !URL.canParse(style.trim())) return []
  const url = new URL(style.trim())
  url.hash = ''
  return [url.href]
}
