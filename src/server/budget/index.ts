export { createByteBudget, noMemoryError, UNRESERVED_BYTES } from './byte-budget.js'
export type { ByteBudget, ReservedMemory } from './byte-budget.js'
export { captureLimits, createCaptureBudget } from './capture-budget.js'
export type { CaptureBudget } from './capture-budget.js'
export {
  clientNetworks,
  identifyClient,
  createClientIdentifier,
  createOwnerHash,
  queueNetworks,
} from './client-networks.js'
export { createCounts } from './create-counts.js'
export { createDailyLimit } from './daily-limit.js'
export type { DailyLimit, QuotaState, Refund, Work } from './daily-limit.js'
export { BACKGROUND, createFairQueue, waiterName, waitersOf } from './fair-queue.js'
export type { FairQueue, FairQueueOptions, Slot, TaskOptions, Waiter, Waiters, WaitersListener } from './fair-queue.js'
