export { assertPortsFree } from './ports.js'
export type { PortOption } from './ports.js'
export { listen } from './listen.js'
export type { Listener } from './listen.js'
