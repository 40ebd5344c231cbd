/** Names a key in Redis. The connection puts its prefix in front, which keeps it apart from keys of other services. */
export const redisKey = (...parts: string[]): string => parts.join(':')
