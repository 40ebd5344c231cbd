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
