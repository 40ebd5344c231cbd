import type { PageError, PageState } from '../../query/index.js'
import type { SourcePage } from '../preview-source/index.js'

/**
 * The outcome of one attempt. `absent`: the server responds that the page does not exist. `unreachable`: there was no meaningful
 * response, which may be temporary. `unclear`: visitors may still see the page.
 */
export interface AttemptResult {
  outcome: 'works' | 'absent' | 'unreachable' | 'unclear'
  reason?: string
  statusCode?: number
  code?: string
  state?: PageState
}

const ABSENT_STATUSES: readonly number[] = [404, 410]
/** Visitors may still see the page. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: 'It requires a login (HTTP 401).',
  403: 'Its server refuses to show it to a program (HTTP 403).',
  407: 'It requires a login (HTTP 407).',
  429: 'Its server has had too many requests (HTTP 429).',
  451: 'It is not shown here for legal reasons (HTTP 451).',
}
const SHOWN: Readonly<Record<Exclude<PageState, 'error-page'>, string>> = {
  'bot-check': 'It shows a bot check.',
  blank: 'It shows nothing.',
  consent: 'It shows a consent wall.',
  login: 'It shows a login form.',
}
/** `EINVALURL` of a valid URL: its host name does not resolve. */
const UNREACHABLE: readonly string[] = ['EINVALURL', 'EUNREACHABLE', 'ETIMEOUT', 'EBRWSRTIMEOUT', 'EMAXREDIRECTS']

/** Classifies a page that responded. */
export function classifyPage({ statusCode, data: { state } }: Pick<SourcePage, 'statusCode' | 'data'>): AttemptResult {
  const found = { statusCode, ...(state && { state }) }
  if (ABSENT_STATUSES.includes(statusCode))
    return { ...found, outcome: 'absent', reason: `Its server responds that it does not exist (HTTP ${statusCode}).` }
  const refusal = REFUSALS[statusCode]
  if (refusal) return { ...found, outcome: 'unclear', reason: refusal }
  if (statusCode >= 500)
    return { ...found, outcome: 'unreachable', reason: `Its server has an error (HTTP ${statusCode}).` }
  if (state === 'error-page')
    return { ...found, outcome: 'absent', reason: `It shows an error message, with HTTP ${statusCode}.` }
  if (state) return { ...found, outcome: 'unclear', reason: SHOWN[state] }
  if (statusCode >= 400)
    return { ...found, outcome: 'absent', reason: `Its server refuses the request (HTTP ${statusCode}).` }
  return { ...found, outcome: 'works' }
}

/** Classifies an attempt without a result. */
export const classifyError = ({
  code,
  message,
  data,
}: Pick<PageError, 'code' | 'message' | 'data'>): AttemptResult => ({
  outcome: UNREACHABLE.includes(code) ? 'unreachable' : 'unclear',
  code,
  reason: data.url ? `It cannot be read: ${data.url}.` : message,
})
