/**
 * An address as people write it, without white space around it, and with `https://` if it has no scheme: `example.com/about`. A request to
 * the service always carries the scheme.
 */
export function completeUrl(written: string | URL): string {
  // Without types it may be missing, as the link of a post is, or a `URL`.
  const text = String(written || '').trim()
  return /^[^\s:/?#@.]+(\.[^\s:/?#@.]+)+([:/?#]|$)/.test(text) ? `https://${text}` : text
}

/**
 * Whether a text is a URL, on its own or relative to `base`: `URL.canParse`, which on Node 22 refuses hosts such as `bücher.example`
 * as soon as it has been called a few thousand times.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return Boolean(new URL(text, base))
  } catch {
    return false
  }
}
