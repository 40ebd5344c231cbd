export { listen } from './listen.js'
export type { Listener, ListenOptions } from './listen.js'
