/** Names a key in Redis. The prefix keeps it apart from keys of other programs in the same database. */
export const redisKey = (...parts: string[]): string => ['page-preview', ...parts].join(':')
