export { elementProperties } from './element-properties.js'
export { SharedOptions } from './shared-options.js'
export { resolveOptions } from './resolve-options.js'
