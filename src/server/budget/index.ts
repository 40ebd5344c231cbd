export { charges } from './charges.js'
export type { Work } from './charges.js'
export { createDailyLimit } from './daily-limit.js'
export type { DailyLimit, QuotaState } from './daily-limit.js'
