const MAX_DEPTH = 3

/**
 * The parts of a plain object as pairs of dotted name and text, `screenshot.fullPage` and `true`; what is `undefined` or `null`
 * is not there. Objects in objects beyond the depth that words have are left out, and so a circle ends.
 */
export function flatten(value: unknown, name = ''): [name: string, text: string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || value instanceof URL || value instanceof URLSearchParams)
    return [[name, (value as string | URL).toString()]]
  if (name.split('.')[MAX_DEPTH]) return []
  return Object.entries(value).flatMap(([key, part]) => flatten(part, name ? `${name}.${key}` : key))
}
