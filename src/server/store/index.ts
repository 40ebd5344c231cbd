export { parseApiKey, usageDays } from './api-keys.js'
export type { ApiKeyLimits, ApiKeyRecord, ApiKeyStore } from './api-keys.js'
export { parseBucketUrl } from './bucket/open-bucket.js'
export { digest, hostOfSubject, isFromFuture, subjectOfImage, subjectOfUrl } from './cache-entry.js'
export type { CacheEntry, Subject } from './cache-entry.js'
export { dataFiles, ensureDataDir } from './data-dir.js'
export { isDiskFull, openDatabaseFile } from './local/database-file.js'
export type { DatabaseFile } from './local/database-file.js'
export type { Dependencies } from './dependencies.js'
export { isRedisUrl, openApiKeys, openStore } from './open-store.js'
export type { Store } from './open-store.js'
export { describePurge, parsePurgeTarget } from './purges.js'
export {
  connectRedis,
  createRedisClient,
  parseRedisUrl,
  reconnectDelayMs,
  redisKey,
  rejectAfter,
} from './redis/redis-connection.js'
export type { RedisConfig, RedisConnection } from './redis/redis-connection.js'
export type { EntryStore, ImageStore, RequestCounters, StoreHealth } from './store-parts.js'
export type { ImageName, StoredImage } from './stored-image.js'
