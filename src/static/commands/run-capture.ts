import { type CommandEnvironment, printable } from '../../server/commands/index.js'
import prettyBytes from 'pretty-bytes'
import { captureUrls, createFileFetcher, readUrls, type BatchSummary, type CaptureRecord } from '../capture/index.js'
import { openPreviewSource } from '../preview-source/index.js'
import { createProgress } from './create-progress.js'
import { readCaptureCommand, type CaptureCommand } from './read-capture-command.js'
import { stopSignal } from './stop-signal.js'
import { warningLog } from './warning-log.js'

/** Failures that the summary lists; all are in the file of results. */
const MAX_LISTED = 20

/**
 * Captures a list of pages into a folder.
 *
 * @returns  0, or 1 when a page could not be captured.
 * @throws   {UsageError}; Error with a sentence when the list cannot be read or the folder cannot be written.
 */
export async function runCapture(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const command = await readCaptureCommand(args, environment.env)
  const { stdout, stderr } = environment
  const stop = stopSignal(environment, 'What was captured stays; run the same command again to go on.')
  try {
    const urls = await listUrls(command, environment, stop.signal)
    const summary = await captureAll(urls, { command, stderr, signal: stop.signal })
    if (command.isJson) stdout.write(`${JSON.stringify({ ...summary, out: command.out }, null, 2)}\n`)
    stderr.write(summaryText(summary, command.out))
    return summary.failed > 0 ? 1 : 0
  } finally {
    stop.release()
  }
}

async function listUrls(
  { from, source }: CaptureCommand,
  { stdin = process.stdin }: CommandEnvironment,
  signal: AbortSignal,
): Promise<string[]> {
  const fetcher = createFileFetcher(source.allowTargets)
  try {
    return await readUrls(from, { stdin, fetchFile: fetcher.fetch, signal })
  } finally {
    await fetcher.close()
  }
}

async function captureAll(
  urls: readonly string[],
  { command, stderr, signal }: { command: CaptureCommand; stderr: CommandEnvironment['stderr']; signal: AbortSignal },
): Promise<BatchSummary> {
  const { request, out, isForced } = command
  const { concurrency } = command.source
  const source = openPreviewSource({ ...command.source, log: warningLog(stderr) })
  const progress = createProgress({ total: urls.length, output: stderr })
  try {
    return await captureUrls(urls, {
      source,
      request,
      outDir: out,
      concurrency,
      isForced,
      signal,
      onResult: (record, isSkipped) => progress.add(lineOf(record, isSkipped), outcomeOf(record, isSkipped)),
    })
  } finally {
    progress.end()
    await source.close()
  }
}

const outcomeOf = ({ status }: CaptureRecord, isSkipped: boolean) =>
  isSkipped ? 'skipped' : status === 'captured' ? 'done' : 'failed'

function lineOf(record: CaptureRecord, isSkipped: boolean): string {
  if (record.status === 'failed') return `failed ${record.url}: ${record.message} (${record.code})`
  return `${isSkipped ? 'skipped' : 'captured'} ${record.url}${record.file ? ` to ${record.file}` : ''}`
}

function summaryText({ total, captured, skipped, failed, bytes, failures }: BatchSummary, out: string): string {
  const counts = [
    `${captured} captured (${prettyBytes(bytes)})`,
    skipped > 0 && `${skipped} captured before`,
    failed > 0 && `${failed} failed`,
  ]
  const listed = failures
    .slice(0, MAX_LISTED)
    .map(({ url, code, message }) => `  ${printable(url)}: ${printable(message)} (${code})\n`)
  if (failures.length > MAX_LISTED) listed.push(`  and ${failures.length - MAX_LISTED} more\n`)
  const pages = `${total} ${total === 1 ? 'page' : 'pages'}`
  return `${pages}: ${counts.filter(Boolean).join(', ')}. Results are in ${out}/results.ndjson.\n${listed.join('')}`
}
