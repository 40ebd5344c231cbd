import type { PageState } from '../../query/index.js'
import { isBlank } from './blank.js'
import { isBotCheck } from './bot-check.js'
import { isConsent, redirectsToConsentWall } from './consent.js'
import { isErrorPage } from './error-page.js'
import { isLogin } from './login.js'
import { observeHtml } from './observe-html.js'
import type { PageObservation } from './page-observation.js'

/** The order matters: a bot check may paint nothing, and an error may be below a wall. */
const RULES: readonly (readonly [state: PageState, applies: (observation: PageObservation) => boolean])[] = [
  ['bot-check', isBotCheck],
  ['error-page', isErrorPage],
  ['blank', isBlank],
  ['login', isLogin],
  ['consent', isConsent],
]

/** What a page shows instead of its content; `undefined`: its content. */
export const judgePage = (observation: PageObservation): PageState | undefined =>
  RULES.find(([, applies]) => applies(observation))?.[0]

/** A response to the request for a page. */
export interface FetchedDocument {
  requestedUrl: string
  /** After redirects. */
  url: string
  statusCode: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Media type without parameters. */
  contentType: string
  /** Decoded; `undefined` if the response is not HTML. */
  html: string | undefined
}

/** An image is content whatever the status is. */
const MEDIA_TYPE = /^(?:image|audio|video)\//

/**
 * What a document shows instead of its content, as far as its response alone leaves no doubt: `bot-check`, `error-page`, `login` or
 * `consent`. What scripts may replace is not judged.
 */
export function judgeDocument({ html, ...page }: FetchedDocument): PageState | undefined {
  if (redirectsToConsentWall(page.requestedUrl, page.url)) return 'consent'
  const document = observeHtml(html ?? '', page.contentType)
  const state = judgePage({ ...page, document, isWhole: true, hidesBanners: true })
  if (html !== undefined || state === 'bot-check') return state
  return page.statusCode >= 400 && !MEDIA_TYPE.test(page.contentType) ? 'error-page' : undefined
}
