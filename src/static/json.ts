// What this program reads from JSON, and writes: lock files, records of link checks, responses of services.

/** @returns  `undefined` for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a date as `toISOString` writes it. */
export const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** The text of a file of entries: sorted, with one entry per line, so that changes of different ones merge in version control. */
export function entriesText(name: string, version: number, entries: ReadonlyMap<string, unknown>): string {
  const lines = [...entries]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`)
  const object = lines.length > 0 ? `{\n${lines.join(',\n')}\n  }` : '{}'
  return `{\n  "version": ${version},\n  "${name}": ${object}\n}\n`
}
