import type { CDPSession } from 'puppeteer-core'
import type { ProxyCredentials } from '../network/index.js'

/**
 * Sends the credentials of the page's proxy when the proxy requires them; Chromium takes none from its command line, and caches
 * these for all requests of the context. Needs `Fetch.enable` with `handleAuthRequests`, for the document at least.
 */
export function authenticateWithProxy(session: CDPSession, credentials: ProxyCredentials): void {
  const attempted = new Set<string>()
  session.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
    // The proxy removes challenges that targets send in its name. Credentials that it has refused once it refuses again.
    const isExpected = source === 'Proxy' && !attempted.has(requestId)
    attempted.add(requestId)
    const authChallengeResponse = isExpected
      ? ({ response: 'ProvideCredentials', ...credentials } as const)
      : ({ response: 'CancelAuth' } as const)
    // Fails only when the request or the page is gone.
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  })
}
