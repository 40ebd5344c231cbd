export { findKey, findKeyById } from './find-key.js'
export { isSignedBy } from './is-signed-by.js'
export { openKeys } from './open-keys.js'
export type { ApiKeyInfo, Keys } from './open-keys.js'
