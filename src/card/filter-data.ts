import type { PageData } from '../query/index.js'

// Its own file because bundlers split at modules: `PageScreenshot` loads it later.

/**
 * Keeps only the fields that a `filter` parameter names, a comma-separated list of dotted paths such as `title,image.url`;
 * a path that has no value is left out.
 */
export function filterData(data: PageData, filter: string): PageData {
  const filtered: Record<string, unknown> = {}
  for (const path of filter.split(',')) copyPath(data, filtered, path.split('.'))
  return filtered
}

function copyPath(source: object, target: Record<string, unknown>, [name = '', ...rest]: string[]): void {
  const value: unknown = Object.hasOwn(source, name) ? source[name as never] : undefined
  if (value === undefined) return
  if (!rest.length) {
    target[name] = value
    return
  }
  if (typeof value !== 'object' || value === null) return
  const nested = { ...(target[name] as object | undefined) }
  copyPath(value, nested, rest)
  if (Object.keys(nested).length) target[name] = nested
}
