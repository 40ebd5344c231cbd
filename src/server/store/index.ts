export { openLocalStore } from './open-local-store.js'
export type { LocalStoreOptions } from './open-local-store.js'
export type { ImageName, KeptAnswer, KeptKey, Store } from './store.js'
