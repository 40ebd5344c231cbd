import { PageError, type PageState } from '../../src/query/index.js'

/** A page that cannot be previewed, as a service responds for it. */
export interface FailedPage {
  name: string
  /** The page's own status; absent for a page that did not respond in time. */
  statusCode?: number
  state?: PageState
  error?: PageError
}

/** Every tool says the same of each of them. */
export const FAILED_PAGES: readonly FailedPage[] = [
  { name: 'was not found', statusCode: 404, state: 'error-page' },
  { name: 'is gone', statusCode: 410, state: 'error-page' },
  { name: 'has an error of its server', statusCode: 500, state: 'error-page' },
  { name: 'shows an error with status 200', statusCode: 200, state: 'error-page' },
  { name: 'shows a bot check', statusCode: 403, state: 'bot-check' },
  { name: 'shows a login form', statusCode: 200, state: 'login' },
  { name: 'shows a consent wall', statusCode: 200, state: 'consent' },
  { name: 'does not respond in time', error: new PageError('ETIMEOUT', 'The page took longer than 28 seconds.') },
]
