export { elementProperties } from './element-properties.js'
export { PageOptions } from './page-options.js'
export { resolveOptions } from './resolve-options.js'
