import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The credentials of a browser on another machine for the proxy of one page. */
export interface ProxyCredentials {
  username: string
  password: string
}

const PASSWORD_BYTES = 24

/** @returns  A new secret, for one page. */
export const createProxyCredentials = (): ProxyCredentials => ({
  username: 'page-preview',
  password: randomBytes(PASSWORD_BYTES).toString('base64url'),
})

/**
 * Compares in constant time.
 *
 * @param header  `proxy-authorization` of a request.
 */
export function isAuthorized(header: string | undefined, { username, password }: ProxyCredentials): boolean {
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return timingSafeEqual(digest(header ?? ''), digest(expected))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
