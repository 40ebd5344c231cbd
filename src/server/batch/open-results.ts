import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { printableJson } from '../terminal/index.js'
import type { CapturedRecord, CaptureRecord } from './capture-record.js'
import { writeWholeFile } from './write-whole-file.js'

/** Name of the file of results: one JSON object a line. */
const RESULTS_FILE = 'results.ndjson'

/** The results of a folder; one line for each page and set of parameters. */
export interface Results {
  /** The captures of earlier runs that need not be repeated, by key. */
  finished: ReadonlyMap<string, CapturedRecord>
  append(record: CaptureRecord): Promise<void>
  close(): Promise<void>
}

interface OpenResultsOptions {
  /** The keys of this run: the lines of those that are not finished are removed. */
  keys: ReadonlySet<string>
  /** Whether nothing counts as finished. */
  isForced: boolean
}

export async function openResults(dir: string, { keys, isForced }: OpenResultsOptions): Promise<Results> {
  const path = join(dir, RESULTS_FILE)
  const records = await readRecords(path)
  const finished = new Map<string, CapturedRecord>()
  for (const record of records.values()) {
    if (!keys.has(record.key)) continue
    if (!isForced && record.status === 'captured' && (await isThere(dir, record))) finished.set(record.key, record)
    else records.delete(record.key)
  }
  await writeWholeFile(path, [...records.values()].map(lineOf).join(''))
  const file = await open(path, 'a')
  return {
    finished,
    append: (record) => file.appendFile(lineOf(record)),
    close: () => file.close(),
  }
}

const lineOf = (record: CaptureRecord) => `${printableJson(record)}\n`

/** The records of a file by key; a line that was cut off, or is none of ours, is left out. */
async function readRecords(path: string): Promise<Map<string, CaptureRecord>> {
  const records = new Map<string, CaptureRecord>()
  if (!(await stat(path).catch(() => undefined))) return records
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const record = parseRecord(line)
    if (record) records.set(record.key, record)
  }
  return records
}

function parseRecord(line: string): CaptureRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<CaptureRecord> | null
    const isRecord = typeof record?.key === 'string' && typeof record.url === 'string'
    return isRecord && /^(captured|failed)$/.test(String(record.status)) ? (record as CaptureRecord) : undefined
  } catch {
    return undefined
  }
}

async function isThere(dir: string, { file, size }: CapturedRecord): Promise<boolean> {
  if (file === null) return true
  // The file of results may come from anybody, and names no other folder.
  if (typeof file !== 'string' || /[/\\\0]/.test(file)) return false
  const stats = await stat(join(dir, file)).catch(() => undefined)
  return stats?.isFile() === true && stats.size === size
}
