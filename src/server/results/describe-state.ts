import type { PageState } from '../../query/index.js'

const SHOWN: Readonly<Record<PageState, string>> = {
  'bot-check': 'a bot check',
  blank: 'a blank screen',
  'error-page': 'an error message',
  consent: 'a consent wall',
  login: 'a login form',
}

/** Everything that a page can show instead of its content. */
export const pageStates = Object.keys(SHOWN) as PageState[]

/** The end of a sentence that begins with the page: `shows a bot check instead of its content`. */
export const describeState = (state: PageState): string => `shows ${SHOWN[state]} instead of its content`
