export type { Allowance } from './allowance.js'
export { createProxy } from './create-proxy.js'
export type { ProxyOptions } from './create-proxy.js'
