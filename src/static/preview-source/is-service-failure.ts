import { errorCauses } from '../../query/help/index.js'
import { isPageError } from '../../query/index.js'

/** Whether an error concerns the service, or the access to it, rather than the page that was requested. */
export const isServiceFailure = (error: unknown): boolean =>
  !isPageError(error) || errorCauses[error.code] === 'service'
