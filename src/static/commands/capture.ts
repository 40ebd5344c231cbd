import prettyBytes from 'pretty-bytes'
import { helpRows, printable, UsageError, type CommandEnvironment } from '../../server/commands/index.js'
import {
  captureUrls,
  createFileFetcher,
  readUrls,
  type BatchSummary,
  type CaptureRecord,
  type CaptureRequest,
} from '../capture/index.js'
import { openPreviewSource } from '../preview-source/index.js'
import { readParameterFlags, readSourceOptions, SOURCE_FLAG_ROWS, SOURCE_FLAGS, type SourceOptions } from './flags.js'
import { createProgress, stopSignal, warningLog } from './run-output.js'

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

/** The parsed arguments of `capture`. */
interface CaptureCommand {
  /** Path or URL of a list or sitemap, or `-`. */
  from: string
  out: string
  request: CaptureRequest
  source: SourceOptions
  isForced: boolean
  isJson: boolean
}

const FLAGS = {
  ...SOURCE_FLAGS,
  from: { type: 'string' },
  out: { type: 'string', short: 'o' },
  'no-images': { type: 'boolean' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const EXAMPLE = 'page-preview-server capture --from urls.txt --out DIR'

/** @throws {UsageError} */
export async function readCaptureCommand(
  args: readonly string[],
  env: CommandEnvironment['env'],
): Promise<CaptureCommand> {
  const { valuesOf, isSet, parameters, operands } = readParameterFlags(args, FLAGS)
  const from = valuesOf('from').at(-1)
  const out = valuesOf('out').at(-1)
  if (operands.length > 0)
    throw new UsageError(
      `"${operands[0]}" is not a flag; pass the URLs in a file, or on stdin with --from -: ${EXAMPLE}`,
    )
  if (!from) throw new UsageError(`--from is missing: a list of URLs, a sitemap, or - for stdin: ${EXAMPLE}`)
  if (!out) throw new UsageError(`--out is missing: the folder for images and results: ${EXAMPLE}`)
  const isForced = isSet('force')
  return {
    from,
    out,
    request: readRequest(parameters, { isForced, hasImages: !isSet('no-images') }),
    source: await readSourceOptions(valuesOf, env),
    isForced,
    isJson: isSet('json'),
  }
}

/** A screenshot is written unless `--embed` names another image. */
function readRequest(
  { embed, variant = {}, ...parameters }: ReturnType<typeof readParameterFlags>['parameters'],
  { isForced, hasImages }: { isForced: boolean; hasImages: boolean },
): CaptureRequest {
  const name = typeof embed === 'string' ? embed.replace(/\.url$/, '') : 'screenshot'
  if (name !== 'screenshot' && name !== 'image' && name !== 'logo')
    throw new UsageError(`--embed must be screenshot, image or logo here, not "${name}".`)
  const field = hasImages ? name : undefined
  return {
    parameters: {
      ...parameters,
      ...(field === 'screenshot' && { screenshot: parameters.screenshot ?? true }),
      ...(isForced && { force: true }),
    },
    field,
    variant,
  }
}

export function captureHelp(): string {
  return `Captures a list of pages into a folder: an image of each, and a line of JSON in DIR/results.ndjson.

  page-preview-server capture --from urls.txt --out DIR [--parameter[=value] …]
  page-preview-server capture --from https://example.com/sitemap.xml --out DIR --full-page

What an earlier run has captured into DIR is skipped, so the same command continues where it was stopped.

${helpRows([
  [
    '--from FILE|URL|-',
    'one URL per line, # starts a comment; or a sitemap or sitemap index, also with gzip; - is stdin',
  ],
  ['--out DIR', 'folder of the images and of results.ndjson'],
  ['--no-images', 'write results only'],
  ['--force', 'capture again what has been captured'],
  ['--json', 'print the summary as JSON'],
  ...SOURCE_FLAG_ROWS,
])}

Parameters, as page-preview --help lists them: --element main, --device "iPhone 6", --screenshot.type=webp. --embed=image or
--embed=logo writes that image of the page instead of a screenshot.
`
}
