import type { PageState } from '../../query/index.js'
import { isBlank } from './blank.js'
import { isBotCheck } from './bot-check.js'
import { isConsent } from './consent.js'
import { isErrorPage } from './error-page.js'
import { isLogin } from './login.js'
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
