export { PageOptions } from './page-options.js'
export { elementProperties, isParameter, readAttributes } from './read-attributes.js'
export { resolveOptions } from './resolve-options.js'
