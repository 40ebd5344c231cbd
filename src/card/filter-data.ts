import type { PageData } from '../query/index.js'

/** Keeps only the dotted paths of a comma list. */
export function filterData(data: PageData, filter: string): PageData {
  return pick({ ...data }, filter.split(','))
}

function pick(from: Record<string, unknown>, paths: string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    const value = from[name]
    if (!rest.length || typeof value !== 'object' || !value) kept[name] = value
    else kept[name] = { ...(kept[name] as object), ...pick({ ...value }, [rest.join('.')]) }
  }
  return kept
}
