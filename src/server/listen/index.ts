export { assertPortsFree } from './assert-ports-free.js'
export type { PortOption } from './assert-ports-free.js'
export { listen } from './listen.js'
export type { Listener } from './listen.js'
