const MAX_SLUG_CHARS = 80

/**
 * A file name from which people recognize the page. It consists of lower-case letters, digits, dots and dashes, and differs
 * for each key.
 *
 * @param key   Hexadecimal, of the page and what changes its image.
 * @param type  Without dot.
 */
export function fileName(url: string, { key, type }: { key: string; type: string }): string {
  const slug = url
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/[?#].*/s, '')
    .replace(/[^a-z\d.]+/g, '-')
    .replace(/[-.]{2,}/g, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^[.-]/, '')
    .replace(/[.-]$/, '')
  return `${slug || 'page'}-${key.slice(0, 10)}.${type}`
}
