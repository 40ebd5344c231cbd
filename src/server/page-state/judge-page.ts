import type { PageState } from '../../query/index.js'
import { isBlank } from './blank.js'
import { isBotCheck } from './bot-check.js'
import { isConsent, redirectsToConsentWall } from './consent.js'
import { isErrorPage } from './error-page.js'
import { explainObservation } from './explain-observation.js'
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

/** A document as it was fetched. */
export interface JudgedDocument extends Pick<PageObservation, 'requestedUrl' | 'url' | 'statusCode' | 'headers'> {
  /** Media type without parameters. */
  contentType: string
  /** Decoded; `undefined` if the response is not HTML. */
  html: string | undefined
}

/**
 * What a document shows instead of its content, as far as its response alone leaves no doubt: `bot-check`, `error-page`, `login` or
 * `consent`. What scripts may replace is not judged.
 */
export function judgeDocument({ html, contentType, ...page }: JudgedDocument): PageState | undefined {
  if (redirectsToConsentWall(page.requestedUrl, page.url)) return 'consent'
  const state = judgePage(observationOf({ html, contentType, ...page }))
  if (html !== undefined || state === 'bot-check') return state
  return page.statusCode >= 400 && !MEDIA_TYPE.test(contentType) ? 'error-page' : undefined
}

/** By what a document was judged, as a sentence. */
export const explainDocument = (judged: JudgedDocument): string => explainObservation(observationOf(judged))

const observationOf = ({ html, contentType, ...page }: JudgedDocument): PageObservation => ({
  ...page,
  document: observeHtml(html ?? '', contentType),
  isWhole: true,
  hidesBanners: true,
})
