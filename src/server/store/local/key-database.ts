import { parseApiKey, firstUsageDay, type ApiKeyStore } from '../api-keys.js'
import { digest } from '../cache-entry.js'
import { parseJson } from '../parse-json.js'
import type { RequestCounters } from '../store-parts.js'
import { openEnvironment, ROWS_PER_TRANSACTION, type EnvironmentOptions } from './open-environment.js'

/** The tables that are not a cache: API keys, their usage and request counters. Values are JSON. */
export type KeyDatabase = ReturnType<typeof openKeyDatabase>

/** Name of the table, key and JSON of a row. */
export type KeyDatabaseRow = readonly [table: string, key: unknown, json: string]

/** Runs an operation on the open databases; see `DataFolder`. */
type RunWithKeys = <Result>(work: (folder: { keyDatabase: KeyDatabase }) => Promise<Result>) => Promise<Result>

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

    /** Adds rows of a database that was lost; existing rows stay. */
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

/** The API keys of a local store. */
export const createLocalApiKeys = (run: RunWithKeys): ApiKeyStore => ({
  writeKey: (key) =>
    run(async ({ keyDatabase: { apiKeys, addData, transaction } }) => {
      const write = () => apiKeys.putSync(digest(key.id), JSON.stringify(key))
      // Revoking must be possible on a full disk too, so it may use the reserved space.
      if (key.revokedAt === undefined) await addData(write)
      else transaction(write)
    }),

  readKey: (id) =>
    run(async ({ keyDatabase: { apiKeys, refresh } }) => {
      refresh()
      return parseApiKey(apiKeys.get(digest(id)) ?? '')
    }),

  listKeys: () =>
    run(async ({ keyDatabase: { apiKeys, refresh } }) => {
      refresh()
      return [...apiKeys.getRange()]
        .flatMap(({ value }) => parseApiKey(value) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt)
    }),

  countUsage: (id, day, count = 1) =>
    run(({ keyDatabase: { usage, addData } }) =>
      addData(() => {
        const expired = [...usage.getKeys({ start: [id, ''], end: [id, firstUsageDay(day)] })]
        for (const row of expired) usage.removeSync(row)
        const sum = parseCount(usage.get([id, day])) + count
        usage.putSync([id, day], JSON.stringify(sum))
        return sum
      }),
    ),

  readUsage: (id, days) =>
    run(async ({ keyDatabase: { usage, refresh } }) => {
      refresh()
      return days.map((day) => parseCount(usage.get([id, day])))
    }),
})

/** The request counters of a local store. */
export const createLocalCounters = (run: RunWithKeys): RequestCounters => ({
  countRequest: (client, day, count = 1) =>
    run(({ keyDatabase: { counts, addData } }) =>
      addData(() => {
        const expired = [...counts.getKeys({ start: [''], end: [day], limit: ROWS_PER_TRANSACTION })]
        for (const row of expired) counts.removeSync(row)
        const sum = parseCount(counts.get([day, client])) + count
        counts.putSync([day, client], JSON.stringify(sum))
        return sum
      }),
    ),

  readCount: (client, day) => run(async ({ keyDatabase: { counts } }) => parseCount(counts.get([day, client]))),
})

/** A damaged counter counts as missing. */
function parseCount(json = ''): number {
  const sum = parseJson(json)
  return typeof sum === 'number' && Number.isSafeInteger(sum) ? sum : 0
}
