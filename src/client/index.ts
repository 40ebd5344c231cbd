export { createClient } from './create-client.js'
export type { Client, ClientOptions, PageOptions } from './create-client.js'
export type { CacheFacts, PageResult, RateLimit } from './page-result.js'
