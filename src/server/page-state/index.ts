export { redirectsToConsentWall } from './consent.js'
export { isBotCheckDocument, OWN_METADATA } from './is-bot-check-document.js'
export { judgePage } from './judge-page.js'
export type { ObservedDocument, PageObservation } from './page-observation.js'
