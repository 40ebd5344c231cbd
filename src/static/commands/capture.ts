import type { Readable } from 'node:stream'
import prettyBytes from 'pretty-bytes'
import { defineCommand, printable, UsageError } from '../../command-line/index.js'
import { openGuardedRequests } from '../../server/static-tools.js'
import { captureUrls, type BatchSummary, type CaptureRecord, type CaptureRequest } from '../capture-urls.js'
import { readUrls } from '../read-urls.js'
import { queryOf, sourceOptions, withPreviewSource } from './preview-options.js'
import { createProgress, failureCode } from './progress.js'

const EXAMPLE = 'page-preview-server capture --from urls.txt --out DIR'

/**
 * Captures a list of pages into a folder. The exit code is 1 if a page could not be captured, also because it did not show its
 * content.
 */
export const captureCommand = defineCommand({
  description: 'Captures a list of pages into a folder: an image of each, and a line of JSON in DIR/results.ndjson.',
  usage: [
    ['page-preview-server capture --from urls.txt --out DIR [--parameter[=value] …]'],
    ['page-preview-server capture --from https://example.com/sitemap.xml --out DIR --full-page'],
  ],
  details: `Pages that an earlier run captured into DIR are skipped, so the same command continues where it stopped. With --endpoint and
--api-key, the pages are a job of the running service, which Ctrl-C cancels; what it captured is in its cache for the next run.`,
  options: {
    from: {
      placeholder: 'FILE|URL|-',
      help: 'list with one URL per line (# starts a comment), sitemap or sitemap index, gzipped or not; - reads stdin',
    },
    out: { placeholder: 'DIR', short: 'o', help: 'folder of the images and of results.ndjson' },
    noImages: { help: 'write results only' },
    force: { help: 'recapture pages that an earlier run has captured' },
    json: { help: 'print the summary as JSON' },
    ...sourceOptions,
  },
  parameters: 'without url',
  notes: `The parameters are listed in page-preview --help: --element main, --device "iPhone 6", --screenshot.type=webp. --embed=image
writes the page's own image instead of a screenshot, and --embed=logo writes its logo.`,

  async run({ values, parameters, operands }, environment) {
    const { from, out, force: isForced, json, allowTarget, concurrency } = values
    if (operands.length > 0)
      throw new UsageError(
        `"${operands[0]}" is not a flag; pass the URLs in a file, or on stdin with --from -: ${EXAMPLE}`,
      )
    if (!from) throw new UsageError(`--from is missing. Pass a list of URLs, a sitemap, or - for stdin: ${EXAMPLE}`)
    if (!out) throw new UsageError(`--out is missing. Pass the folder for images and results: ${EXAMPLE}`)
    const [unused] = parameters.find(([name]) => /^(ttl|stale[-_]?ttl|filter)$/i.test(name)) ?? []
    if (unused)
      throw new UsageError(
        `--${unused} has no effect on what is captured; --force captures pages again: ${EXAMPLE} --force`,
      )
    const request = captureRequest(queryOf(parameters), { isForced, hasImages: !values.noImages })
    const advice = 'Captured pages are kept. Run the same command again to continue.'
    return withPreviewSource(values, environment, advice, async (source, signal) => {
      const { stdin = process.stdin, stdout, stderr } = environment
      const urls = await listUrls(from, { allowTarget, stdin, signal })
      const progress = createProgress({ total: urls.length, output: stderr })
      const onResult = (record: CaptureRecord, isSkipped: boolean) =>
        progress.add(lineOf(record, isSkipped), outcomeOf(record, isSkipped))
      const options = { source, request, outDir: out, concurrency, isForced, signal, onResult }
      const summary = await captureUrls(urls, options).finally(() => progress.end())
      if (json) stdout.write(`${JSON.stringify({ ...summary, out }, null, 2)}\n`)
      stderr.write(summaryText(summary, out))
      return summary.failed > 0 ? 1 : 0
    })
  },
})

/** A screenshot is written unless `--embed` names another image. */
function captureRequest(
  { embed, variant = {}, ...parameters }: ReturnType<typeof queryOf>,
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

async function listUrls(
  from: string,
  { allowTarget, stdin, signal }: { allowTarget: string[]; stdin: Readable; signal: AbortSignal },
): Promise<string[]> {
  const requests = await openGuardedRequests(allowTarget)
  try {
    return await readUrls(from, { stdin, requests, signal })
  } finally {
    await requests.close()
  }
}

const outcomeOf = ({ status }: CaptureRecord, isSkipped: boolean) =>
  isSkipped ? 'skipped' : status === 'captured' ? 'done' : 'failed'

function lineOf(record: CaptureRecord, isSkipped: boolean): string {
  if (record.status === 'failed') return `failed ${record.url}: ${record.message} (${failureCode(record)})`
  return `${isSkipped ? 'skipped' : 'captured'} ${record.url}${record.file ? ` to ${record.file}` : ''}`
}

/** Failures that the summary lists; all are in the file of results. */
const MAX_LISTED = 20

function summaryText({ total, captured, skipped, failed, bytes, failures }: BatchSummary, out: string): string {
  const counts = [
    `${captured} captured (${prettyBytes(bytes)})`,
    skipped > 0 && `${skipped} captured by an earlier run`,
    failed > 0 && `${failed} failed`,
  ]
  const listed = failures
    .slice(0, MAX_LISTED)
    .map((failure) => `  ${printable(failure.url)}: ${printable(failure.message)} (${failureCode(failure)})\n`)
  if (failures.length > MAX_LISTED) listed.push(`  and ${failures.length - MAX_LISTED} more\n`)
  const pages = `${total} ${total === 1 ? 'page' : 'pages'}`
  return `${pages}: ${counts.filter(Boolean).join(', ')}. Results are in ${out}/results.ndjson.\n${listed.join('')}`
}
