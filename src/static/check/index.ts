export { checkLinks, findLinks, LINK_STATUSES } from './check-links.js'
export type { LinkReport } from './check-links.js'
export { readHistory, writeHistory } from './link-history.js'
