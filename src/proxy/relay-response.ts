import { canParseUrl } from '../query/can-parse-url.js'
import { forwardedResponseHeaders } from './forwarded-headers.js'
import { serviceError, type ServiceResponse } from './request-service.js'
import type { RewriteOptions, UrlRewriter } from './url-rewriter.js'

export interface RelayOptions extends Partial<RewriteOptions> {
  urls: UrlRewriter
  /** URL of the service. */
  service: string
  /** Whether an HTML document was requested. Default: `false`. */
  acceptsHtml?: boolean
}

/**
 * The service's response as the caller receives it: images unchanged, texts with URLs of the proxy.
 *
 * @throws  {PageError} `EUNREACHABLE` for a response that is not from a preview service, `ETIMEOUT`.
 */
export async function relayResponse(serviceResponse: ServiceResponse, options: RelayOptions): Promise<Response> {
  const { urls, warnings = [], mediaUrl, acceptsHtml = false } = options
  const { response } = serviceResponse
  const { status, ok } = response
  const headers = forwardedResponseHeaders(response.headers)
  const type = headers.get('content-type') ?? ''
  const isJson = type.startsWith('application/json')
  const isHtml = type.startsWith('text/html')
  if (status === 304) return new Response(null, { status, headers })
  if (status >= 300 && status < 400) return relayRedirect(response, headers, options)
  if ((!ok && !isJson) || (isHtml && !acceptsHtml)) throw serviceError(`sent an unexpected response (HTTP ${status})`)
  if (!isJson && !isHtml) return new Response(response.body, { status, headers })

  // Rewriting changes the length.
  headers.delete('content-length')
  const body = await serviceResponse.text()
  if (isHtml || !body) return new Response(urls.rewriteHtml(body), { status, headers })
  try {
    return new Response(urls.rewriteJson(body, { warnings, mediaUrl }), { status, headers })
  } catch (cause) {
    throw serviceError('sent a response that is not valid JSON', cause)
  }
}

/** Relays a redirect to a stored image. Any other redirect would bypass the proxy. */
function relayRedirect(response: Response, headers: Headers, { urls, service }: RelayOptions): Response {
  const { status } = response
  const location = response.headers.get('location') ?? ''
  const rewritten = canParseUrl(location, service) && urls.rewriteRedirect(new URL(location, service).href)
  if (!rewritten) throw serviceError(`redirects to another URL (HTTP ${status})`)
  headers.set('location', rewritten)
  return new Response(null, { status, headers })
}
