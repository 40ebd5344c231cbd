import { parseAccept } from 'hono/utils/accept'

/** No browser sends a longer one. */
const MAX_HEADER_CHARS = 1_024

/**
 * Selects WebP where a client names it in its `accept` header. AVIF is delivered only when `variant.type` requests it, because
 * it takes several times as long to encode.
 *
 * @returns  `undefined`: the image keeps its own type.
 */
export function negotiateImageType(accept: string | null): 'webp' | undefined {
  if (!accept || accept.length > MAX_HEADER_CHARS) return undefined
  return parseAccept(accept).some(({ type, q }) => type.toLowerCase() === 'image/webp' && q > 0) ? 'webp' : undefined
}
