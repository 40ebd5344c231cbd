export type { AllowOptions } from './access-rules.js'
export { createProxy } from './create-proxy.js'
export type { PreviewProxy } from './create-proxy.js'
export type { ProxyOptions } from './proxy-options.js'
