// Loaded only for failed and stale previews.
export { failureMessage } from '../messages/failure-message.js'
export { formatAge } from '../messages/format-age.js'
export { RetryButton } from './retry-button.js'
