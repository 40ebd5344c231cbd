/** How to connect to Redis. */
export interface RedisConfig {
  host: string
  port: number
  /** Number of the database. */
  db: number
  username: string | undefined
  password: string | undefined
  isEncrypted: boolean
  /** For messages: the URL without user name and password. */
  displayUrl: string
}

const DEFAULT_PORT = 6379

/**
 * Parses `redis://[user[:password]@]host[:6379][/db]`; `rediss:` for TLS.
 *
 * @throws  {Error} whose message continues a sentence about the option, and contains no secret.
 */
export function parseRedisUrl(text: string): RedisConfig {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname)
    throw new Error('must be a URL like redis://host:6379, or rediss://host:6379 for TLS')
  if (!/^\/?\d{0,5}$/.test(url.pathname) || url.search || url.hash)
    throw new Error('may end with the number of a database, like redis://host:6379/2, and with nothing else')
  const port = Number(url.port || DEFAULT_PORT)
  const db = Number(url.pathname.slice(1))
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    db,
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    isEncrypted: url.protocol === 'rediss:',
    displayUrl: `${url.protocol}//${url.hostname}:${port}${db ? `/${db}` : ''}`,
  }
}
