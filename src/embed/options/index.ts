export { PageOptions } from './page-options.js'
export { elementProperties, isParameter } from './read-attributes.js'
export { resolveOptions } from './resolve-options.js'
