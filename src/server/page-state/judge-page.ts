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

/** An image is content whatever the status is. */
const MEDIA_TYPE = /^(?:image|audio|video)\//

/**
 * What a document shows instead of its content, as far as its response alone leaves no doubt: `bot-check`, `error-page`, `login` or
 * `consent`. What scripts may replace is not judged.
 *
 * @param contentType  Media type without parameters.
 * @param html         Decoded; `undefined` if the response is not HTML.
 */
export function judgeDocument({
  html,
  contentType,
  ...page
}: Pick<PageObservation, 'requestedUrl' | 'url' | 'statusCode' | 'headers'> & {
  contentType: string
  html: string | undefined
}): PageState | undefined {
  if (redirectsToConsentWall(page.requestedUrl, page.url)) return 'consent'
  const document = observeHtml(html ?? '', contentType)
  const state = judgePage({ ...page, document, isWhole: true, hidesBanners: true })
  if (html !== undefined || state === 'bot-check') return state
  return page.statusCode >= 400 && !MEDIA_TYPE.test(contentType) ? 'error-page' : undefined
}
