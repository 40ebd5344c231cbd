import { createReadStream } from 'node:fs'
import { appendFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { escapeUnprintable } from '../../command-line/index.js'
import type { PageState } from '../../query/index.js'
import { writeFileAtomically } from '../write-file.js'

interface RecordStart {
  /** The URL as it was listed. */
  url: string
  /** Hexadecimal; differs for each page and for each set of parameters that changes the result. */
  key: string
  /** ISO 8601, UTC. */
  date: string
}

/** A page that was captured. */
interface CapturedRecord extends RecordStart {
  status: 'captured'
  /** Name in the folder of the results; `null` when no image was requested. */
  file: string | null
  type: string | null
  /** Pixels. */
  width: number | null
  height: number | null
  /** Bytes. */
  size: number | null
  /** The page's own HTTP status. */
  statusCode: number
  title: string | null
  description: string | null
  warnings?: string[]
}

/** A page that could not be captured. */
export interface FailedRecord extends RecordStart {
  status: 'failed'
  code: string
  message: string
  /** What the page showed instead of its content. */
  state?: PageState
}

/** One line of `results.ndjson`. */
export type CaptureRecord = CapturedRecord | FailedRecord

/** Name of the file of results: one JSON object a line. */
const RESULTS_FILE = 'results.ndjson'

/** The results of a folder; one line for each page and set of parameters. */
export interface Results {
  /** The captures of earlier runs that need not be repeated, by key. */
  finished: ReadonlyMap<string, CapturedRecord>
  append(record: CaptureRecord): Promise<void>
}

/**
 * Opens the results of a folder.
 *
 * @param keys      The keys of this run: the lines of those that are not finished are removed.
 * @param isForced  Whether nothing counts as finished.
 */
export async function openResults(
  dir: string,
  { keys, isForced }: { keys: ReadonlySet<string>; isForced: boolean },
): Promise<Results> {
  const path = join(dir, RESULTS_FILE)
  const { records, isWhole } = await readRecords(path)
  const { size } = records
  const finished = new Map<string, CapturedRecord>()
  for (const record of records.values()) {
    if (!keys.has(record.key)) continue
    if (!isForced && record.status === 'captured' && (await isThere(dir, record))) finished.set(record.key, record)
    else records.delete(record.key)
  }
  // Another run may add lines at the same time, which are lost if the file is replaced.
  if (!isWhole || records.size < size)
    await writeFileAtomically(path, [...records.values()].map(lineOf).join(''), { isDurable: true })
  return { finished, append: (record) => appendFile(path, lineOf(record)) }
}

const lineOf = (record: CaptureRecord) => `${escapeUnprintable(JSON.stringify(record))}\n`

/** The records of a file by key, and whether it has nothing else; a line that was cut off, or is none of ours, is left out. */
async function readRecords(path: string): Promise<{ records: Map<string, CaptureRecord>; isWhole: boolean }> {
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
  // The last line has no line break if a run was killed; the file may have grown meanwhile.
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
