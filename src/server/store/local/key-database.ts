import { openEnvironment, type EnvironmentOptions } from './open-environment.js'

/** The tables that are not a cache: API keys, their usage and request counters. Values are JSON. */
export type KeyDatabase = ReturnType<typeof openKeyDatabase>

/** Name of the table, key and JSON of a row. */
export type KeyDatabaseRow = readonly [table: string, key: unknown, json: string]

export function openKeyDatabase(options: EnvironmentOptions) {
  const { root, ...environment } = openEnvironment(options)
  const counts = root.openDB<string, [day: string, client: string]>({ name: 'counts', encoding: 'string' })
  const apiKeys = root.openDB<string, string>({ name: 'keys', encoding: 'string' })
  const usage = root.openDB<string, [id: string, day: string]>({ name: 'usage', encoding: 'string' })
  return {
    ...environment,
    counts,
    apiKeys,
    usage,

    rows: (): KeyDatabaseRow[] => [
      ...[...apiKeys.getRange()].map(({ key, value }) => ['keys', key, value] as const),
      ...[...counts.getRange()].map(({ key, value }) => ['counts', key, value] as const),
      ...[...usage.getRange()].map(({ key, value }) => ['usage', key, value] as const),
    ],

    /** Adds rows of a database that was lost; those that exist stay. */
    addRows(rows: readonly KeyDatabaseRow[]): void {
      environment.transaction(() => {
        for (const [table, key, json] of rows) {
          if (table === 'keys' && typeof key === 'string' && !apiKeys.doesExist(key)) apiKeys.putSync(key, json)
          if (table === 'usage' && isCounterKey(key) && !usage.doesExist(key)) usage.putSync(key, json)
          if (table === 'counts' && isCounterKey(key) && !counts.doesExist(key)) counts.putSync(key, json)
        }
      })
    },
  }
}

const isCounterKey = (key: unknown): key is [string, string] =>
  Array.isArray(key) && key.length === 2 && key.every((part) => typeof part === 'string')
