/**
 * An address as people write it, without white space around it, and with `https://` if it has no scheme: `example.com/about`. A request to
 * the service always carries the scheme.
 */
export function completeUrl(written: string | URL): string {
  // Without types it may be missing, as the link of a post is, or a `URL`.
  const text = String(written || '').trim()
  return /^[^\s:/?#@.]+(\.[^\s:/?#@.]+)+([:/?#]|$)/.test(text) ? `https://${text}` : text
}
