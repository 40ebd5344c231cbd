import { unreachable, type Asking } from './ask-service.js'
import type { OwnAddresses, WholeAnswer } from './own-addresses.js'
import { answeredHeaders } from './passed-headers.js'

export interface PassOptions extends Partial<WholeAnswer> {
  addresses: OwnAddresses
  /** Address of the service. */
  service: string
  /** Whether a document was asked for; default false. */
  mayBeHtml?: boolean
}

/**
 * The service's answer as the caller gets it: pictures as they come, texts with the proxy's own addresses.
 *
 * @throws  {PageError} `EUNREACHABLE` for what is no answer of a service, `ETIMEOUT`.
 */
export async function passOn(asking: Asking, options: PassOptions): Promise<Response> {
  const { addresses, warnings = [], mediaUrl, mayBeHtml = false } = options
  const { response } = asking
  const { status, ok } = response
  const headers = answeredHeaders(response.headers)
  const type = headers.get('content-type') ?? ''
  const isJson = type.startsWith('application/json')
  const isHtml = type.startsWith('text/html')
  if (status === 304) return new Response(null, { status, headers })
  if (status >= 300 && status < 400) return redirect(response, headers, options)
  if ((!ok && !isJson) || (isHtml && !mayBeHtml)) throw unreachable(`gave an answer that is none (HTTP ${status})`)
  if (!isJson && !isHtml) return new Response(response.body, { status, headers })

  // What is changed has another length.
  headers.delete('content-length')
  const body = await asking.text()
  if (isHtml || !body) return new Response(addresses.inHtml(body), { status, headers })
  try {
    return new Response(addresses.inJson(body, { warnings, mediaUrl }), { status, headers })
  } catch (cause) {
    throw unreachable('gave an answer that cannot be read', cause)
  }
}

/** Only to a kept picture: anywhere else would be past the proxy. */
function redirect(
  { status, headers: said }: Response,
  headers: Headers,
  { addresses, service }: PassOptions,
): Response {
  const location = said.get('location') ?? ''
  const own = URL.canParse(location, service) && addresses.ofPicture(new URL(location, service).href)
  if (!own) throw unreachable(`leads elsewhere (HTTP ${status})`)
  headers.set('location', own)
  return new Response(null, { status, headers })
}
