export { listen } from './listen.js'
export type { Listener } from './listen.js'
