import { createReadStream } from 'node:fs'
import { appendFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { escapeUnprintable } from '../../query/help/index.js'
import type { CapturedRecord, CaptureRecord } from './capture-record.js'
import { writeWholeFile } from './write-whole-file.js'

/** Name of the file of results: one JSON object a line. */
const RESULTS_FILE = 'results.ndjson'

/** The results of a folder; one line for each page and set of parameters. */
export interface Results {
  /** The captures of earlier runs that need not be repeated, by key. */
  finished: ReadonlyMap<string, CapturedRecord>
  append(record: CaptureRecord): Promise<void>
}

interface OpenResultsOptions {
  /** The keys of this run: the lines of those that are not finished are removed. */
  keys: ReadonlySet<string>
  /** Whether nothing counts as finished. */
  isForced: boolean
}

export async function openResults(dir: string, { keys, isForced }: OpenResultsOptions): Promise<Results> {
  const path = join(dir, RESULTS_FILE)
  const { records, isWhole } = await readRecords(path)
  const { size } = records
  const finished = new Map<string, CapturedRecord>()
  for (const record of records.values()) {
    if (!keys.has(record.key)) continue
    if (!isForced && record.status === 'captured' && (await isThere(dir, record))) finished.set(record.key, record)
    else records.delete(record.key)
  }
  // Another run may add lines at the same time, which are lost where the file is replaced.
  if (!isWhole || records.size < size) await writeWholeFile(path, [...records.values()].map(lineOf).join(''))
  return { finished, append: (record) => appendFile(path, lineOf(record)) }
}

const lineOf = (record: CaptureRecord) => `${escapeUnprintable(JSON.stringify(record))}\n`

interface ReadRecords {
  records: Map<string, CaptureRecord>
  /** Whether the file has these records and nothing else. */
  isWhole: boolean
}

/** The records of a file by key; a line that was cut off, or is none of ours, is left out. */
async function readRecords(path: string): Promise<ReadRecords> {
  const records = new Map<string, CaptureRecord>()
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return { records, isWhole: false }
  let [lines, bytes] = [0, 0]
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    lines++
    bytes += Buffer.byteLength(line) + 1
    const record = parseRecord(line)
    if (record) records.set(record.key, record)
  }
  // The last line has no line break where a run was killed; the file may have grown meanwhile.
  const isCutOff = bytes < found.size || bytes === found.size + 1
  return { records, isWhole: lines === records.size && !isCutOff }
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
  // The file of results is untrusted, and must not name another folder.
  if (typeof file !== 'string' || /[/\\\0]/.test(file)) return false
  const stats = await stat(join(dir, file)).catch(() => undefined)
  return stats?.isFile() === true && stats.size === size
}
