import type { PageData } from '../query/index.js'

/** Keeps only the fields that a `filter` parameter names: a comma-separated list of dotted paths such as `title,image.url`. */
export function filterData(data: PageData, filter: string): PageData {
  return pickPaths({ ...data }, filter.split(','))
}

function pickPaths(source: Record<string, unknown>, paths: string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    const value = source[name]
    const isWholeField = !rest.length || typeof value !== 'object' || !value
    picked[name] = isWholeField ? value : { ...(picked[name] as object), ...pickPaths({ ...value }, [rest.join('.')]) }
  }
  return picked
}
