import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'

/** A content coding that the service compresses with. */
export type ContentEncoding = 'br' | 'gzip'

const MAX_HEADERS = 200
/** No client sends a longer one, which would take memory, and V8 hashes very long strings by their length alone. */
const MAX_HEADER_CHARS = 256

/** Clients send few different headers, so each is parsed once and not with every cached response. */
const negotiated = new LRUCache<string, { encoding: ContentEncoding | undefined }>({ max: MAX_HEADERS })

/**
 * Selects the content coding with the highest weight in an `accept-encoding` header; Brotli where both weigh the same.
 *
 * @returns  `undefined`: the body is sent uncompressed, as with a header of more than 256 characters.
 * @see      https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
export function negotiateEncoding(acceptEncoding: string | null | undefined): ContentEncoding | undefined {
  if (!acceptEncoding || acceptEncoding.length > MAX_HEADER_CHARS) return undefined
  const cached = negotiated.get(acceptEncoding)
  if (cached) return cached.encoding
  const encoding = selectEncoding(acceptEncoding)
  negotiated.set(acceptEncoding, { encoding })
  return encoding
}

function selectEncoding(acceptEncoding: string): ContentEncoding | undefined {
  const weights = new Map(parseAccept(acceptEncoding).map(({ type, q }) => [type.toLowerCase(), q]))
  const weightOf = (encoding: ContentEncoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 ? best : undefined
}
