import { serve } from '@hono/node-server'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireBearerAuth,
  type McpServer,
} from '@modelcontextprotocol/server'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'

interface ListenOptions {
  /** 0 chooses a free port. */
  port: number
  host: string
  /** Names in `Host` headers that are accepted besides those of loopback. */
  allowHosts: readonly string[]
  /** Demanded of every request if it is set. */
  token: string | undefined
  onError: (error: Error) => void
}

const PATH = '/mcp'
/** A call has a few arguments of at most 8 kB. */
const MAX_BODY_BYTES = 262_144
const MAX_CONNECTIONS = 200
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const DAY_S = 86_400

/**
 * Serves MCP over streamable HTTP at `/mcp`. A web page that a browser on this machine shows cannot use it: its requests have a foreign
 * `Origin`, and if its name leads to this machine (DNS rebinding) a foreign `Host`.
 *
 * @returns  The URL, once it accepts connections.
 * @throws   {Error} when the port cannot be used.
 */
export async function listen(
  createServer: () => McpServer,
  { port, host, allowHosts, token, onError }: ListenOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const handler = createMcpHandler(createServer, { maxRequestBodySize: MAX_BODY_BYTES, onerror: onError })
  const hosts = [...localhostAllowedHostnames(), ...allowHosts]
  const origins = [...localhostAllowedOrigins(), ...allowHosts]
  const authorize = token === undefined ? undefined : requireToken(token)
  const respond = async (request: Request): Promise<Response> => {
    const refusal = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins)
    if (refusal) return refusal
    const authorization = await authorize?.(request)
    if (authorization instanceof Response) return authorization
    if (new URL(request.url).pathname !== PATH) return new Response(null, { status: 404 })
    return handler.fetch(request)
  }
  const { server, boundPort } = await new Promise<{ server: Server; boundPort: number }>((resolve, reject) => {
    const serverOptions = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }
    const server = serve({ fetch: respond, port, hostname: host, serverOptions }, (address) =>
      resolve({ server, boundPort: address.port }),
    ) as Server
    server.maxConnections = MAX_CONNECTIONS
    server.once('error', reject)
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${PATH}`,
    async close() {
      await handler.close()
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Compared in constant time. */
function requireToken(token: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(token)
  return requireBearerAuth({
    verifier: {
      async verifyAccessToken(sent) {
        if (!timingSafeEqual(digest(sent), expected))
          throw new OAuthError(
            OAuthErrorCode.InvalidToken,
            'The token is not the one that this server was started with.',
          )
        return { token: sent, clientId: 'page-preview', scopes: [], expiresAt: Math.floor(Date.now() / 1_000) + DAY_S }
      },
    },
  })
}
