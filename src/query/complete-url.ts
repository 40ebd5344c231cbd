/**
 * Adds `https://` to an address that people wrote without a scheme: `example.com/about`. Anything else is returned unchanged; a
 * request to the service always carries the scheme.
 */
export const completeUrl = (text: string): string =>
  /^[^\s:/?#@.]+(\.[^\s:/?#@.]+)+([:/?#]|$)/.test(text) ? `https://${text}` : text
