import prettyBytes from 'pretty-bytes'
import {
  choice,
  defineCommand,
  formatTable,
  httpUrl,
  optionFlag,
  printable,
  UsageError,
  type CommandEnvironment,
  type Values,
} from '../../command-line/index.js'
import { durationMs } from '../../query/help/index.js'
import { fields } from '../../query/index.js'
import {
  describeLostPick,
  DEFAULT_IMAGE_TYPES,
  freeze,
  linkFailures,
  watchFolder,
  type FailedLink,
  type FreezeOptions,
  type FreezeResult,
  type PreviewEvent,
} from '../freeze/index.js'
import {
  appearanceOptions,
  previewDefaults,
  siteOptions,
  sourceOptions,
  usageErrorOfSelector,
  withPreviewSource,
} from './preview-options.js'
import { createProgress, failureCode, type Progress } from './progress.js'

const freezeOptions = {
  auto: siteOptions.auto,
  hover: siteOptions.hover,
  ...appearanceOptions,
  imageTypes: {
    placeholder: 'LIST',
    default: DEFAULT_IMAGE_TYPES.join(','),
    parse: parseImageTypes,
    help: 'types of new image files in addition to the original type: webp, avif, jpg, png',
  },
  inlineStyles: { help: 'write the stylesheet into each page' },
  baseUrl: siteOptions.baseUrl,
  assetsUrl: {
    placeholder: 'URL',
    help: 'URL of DIR/page-preview; by default relative to each page, or to its base URL',
  },
  lock: siteOptions.lock,
  cache: siteOptions.cache,
  maxAge: { placeholder: '30d', parse: parseMaxAge, help: 'recapture previews older than this' },
  refresh: {
    isRepeatable: true,
    placeholder: 'URL',
    parse: (urls: readonly string[]) => urls.map(httpUrl()),
    help: 'recapture this link (repeatable)',
  },
  offline: { help: 'use only the lock file and the cache' },
  frozen: { help: 'like --offline, but fail if a preview or an image is missing' },
  failed: {
    placeholder: 'link|card',
    default: 'card',
    parse: choice('link', 'card'),
    help: 'what a page leaves that could never be previewed: the link of its author, or a card without an image',
  },
  archive: { help: 'add a URL of the Wayback Machine to links that fail' },
  prune: { help: 'remove images from the cache folder that no page uses any more' },
  strict: { help: 'exit with 1 when a link fails; by default its last good card is kept' },
  watch: { help: 'run again when files below DIR change' },
  json: { help: 'print the summary as JSON' },
  ...sourceOptions,
} as const

/**
 * Writes the previews of a static site into its pages. The exit code is 1 if the service or its browser could not be used, and
 * with `--strict` if a link failed.
 */
export const freezeCommand = defineCommand({
  description: 'Writes the previews of a static site into its pages, as cards that need no service and no script.',
  usage: [
    ['page-preview-server freeze DIR [--parameter[=value] …]'],
    ["page-preview-server freeze dist --auto 'main p > a[href^=http]:only-child' --screenshot"],
  ],
  details: `DIR is the folder that the site is built into. The command finds <page-preview> and <a data-page-preview>. The lock file and the
cache folder store what was captured: with both, the next run needs no network and writes the same bytes.`,
  options: freezeOptions,
  parameters: 'without url',
  notes:
    'The parameters of page-preview --help apply to previews that do not set them: --screenshot, --device "iPhone 6".',

  async run({ values, parameters, operands: [dir, ...others] }, environment) {
    if (!dir || others.length > 0)
      throw new UsageError(
        'Pass the folder that the site is built into, and no other operand: page-preview-server freeze DIR',
      )
    checkTogether(values)
    const defaults = previewDefaults(parameters, values)
    const advice = 'Finished previews are kept. Run the same command again to continue.'
    return withPreviewSource(values, environment, advice, async (source, signal) => {
      const options = { ...values, dir, defaults, source, signal }
      const run = (options: FreezeOptions) => freezeOnce(options, values, environment)
      return values.watch ? await runOnChanges(options, run, { environment, signal }) : await run(options)
    })
  },
})

type FreezeValues = Values<typeof freezeOptions>

const flag = (name: keyof FreezeValues) => optionFlag(name)

function checkTogether({ offline, frozen, refresh, maxAge, watch, json }: FreezeValues): void {
  const offlineOption = offline ? 'offline' : frozen ? 'frozen' : undefined
  const onlineOption = refresh ? 'refresh' : maxAge === undefined ? undefined : 'maxAge'
  if (offlineOption && onlineOption)
    throw new UsageError(`${flag(onlineOption)} needs the network, which ${flag(offlineOption)} does not use.`)
  if (watch && json) throw new UsageError(`${flag('watch')} does not end, so there is no summary for ${flag('json')}.`)
}

function parseImageTypes(text: string) {
  const offered = fields['variant.type'].values
  return text.split(',').map((name) => {
    const type = offered.find((each) => each === name.trim())
    if (type) return type
    throw new Error(`must be a list of ${offered.join(', ')}, not "${text}"`)
  })
}

function parseMaxAge(text: string): number {
  const maxAgeMs = durationMs(text)
  // Milliseconds without a unit are probably a mistake.
  if (maxAgeMs >= 0 && !/\d$/.test(text)) return maxAgeMs
  throw new Error(`must be a time like 30d, 12h or 90m, not "${text}"`)
}

async function freezeOnce(
  options: FreezeOptions,
  { json, strict }: FreezeValues,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  let progress: Progress | undefined
  try {
    const result = await freeze({
      ...options,
      onFound: (total) => (progress = createProgress({ total, output: stderr })),
      onPreview: (event) => progress?.add(lineOf(event), outcomeOf(event)),
    })
    progress?.end()
    stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : freezeSummary(result))
    stderr.write(freezeWarnings(result, options))
    return result.serviceFailure || (strict && result.failures.length > 0) ? 1 : 0
  } catch (error) {
    throw usageErrorOfSelector(error)
  } finally {
    progress?.end()
  }
}

/** Runs until it is stopped; what is wrong with one build may be right in the next. */
async function runOnChanges(
  options: FreezeOptions,
  run: (options: FreezeOptions) => Promise<number>,
  { environment: { stderr }, signal }: { environment: CommandEnvironment; signal: AbortSignal },
): Promise<number> {
  const end = new AbortController()
  // A build may still write files during the first run.
  const changes = watchFolder(options.dir, AbortSignal.any([signal, end.signal]))
  try {
    await run(options)
    stderr.write(`Watching ${options.dir}; stop with Ctrl+C.\n`)
    for await (const _ of changes) {
      try {
        await run({ ...options, refresh: [] })
      } catch (error) {
        if (signal.aborted) break
        stderr.write(`page-preview-server: ${error instanceof Error ? error.message : String(error)}\n`)
      }
    }
    return 0
  } finally {
    end.abort()
  }
}

const outcomeOf = ({ outcome }: PreviewEvent) =>
  outcome === 'cached' ? 'skipped' : outcome === 'failed' ? 'failed' : 'done'

function lineOf({ url, outcome, failure }: PreviewEvent): string {
  return failure ? `failed ${url}: ${failure.message} (${failureCode(failure)})` : `${outcome} ${url}`
}

const MAX_LISTED = 50

/** A table of what a run has done. */
function freezeSummary({ pages, changedPages, previews, bytesAdded }: FreezeResult): string {
  const { new: added, cached, refreshed, failed } = previews
  const cells = { new: added, 'from cache': cached, refreshed, failed, pages, 'pages changed': changedPages }
  const rows = [
    [...Object.keys(cells), 'bytes added'],
    [...Object.values(cells).map(String), prettyBytes(bytesAdded, { signed: bytesAdded < 0 })],
  ]
  return `${formatTable(rows).join('\n')}\n`
}

/** Warnings for its user: failed links with their reason, pages that were left unchanged, and advice. */
function freezeWarnings(result: FreezeResult, { dir, failed }: FreezeOptions): string {
  const { omittedImages, lostPicks, skipped, warnings, serviceFailure, previews, pages } = result
  const lines: string[] = []
  if (serviceFailure) {
    lines.push(
      `page-preview-server: The service cannot be used: ${printable(serviceFailure.message)} (${serviceFailure.code})`,
    )
    lines.push('Existing cards are kept. Run freeze again when the service is available.')
  }
  lines.push(...limited(linkFailures(result), (link) => describeLink(link, failed)))
  lines.push(
    ...limited(
      omittedImages,
      ({ url, field, message }) => `${printable(url)}: the card has no ${field}: ${printable(message)}`,
    ),
  )
  lines.push(...limited(lostPicks, ({ url, field }) => `${printable(url)}: ${describeLostPick(field)}`))
  lines.push(
    ...limited(
      skipped,
      ({ page, line, reason }) =>
        `left as it is: ${printable(page)}${line ? ` line ${line}` : ''}: ${printable(reason)}`,
    ),
  )
  lines.push(
    ...limited(warnings, ({ page, line, message }) => `${printable(page)} line ${line}: ${printable(message)}`),
  )
  const total = previews.new + previews.cached + previews.refreshed + previews.failed
  if (total === 0 && pages === 0)
    lines.push(
      `No page below ${dir} has a preview. Add <page-preview url="…"> or <a data-page-preview> to a page, or select links with --auto 'p > a:only-child'.`,
    )
  return lines.map((line) => `${line}\n`).join('')
}

function describeLink(link: FailedLink, failed: FreezeOptions['failed']): string {
  const { url, message, hasPreview, pages } = link
  const card = hasPreview
    ? 'its last good card is kept'
    : failed === 'link'
      ? 'it has no card, but its link'
      : 'its card has no image'
  const more = pages.length > 1 ? ` and ${pages.length - 1} more` : ''
  return `failed: ${printable(url)}: ${printable(message)} (${failureCode(link)}); ${card} in ${printable(pages[0] ?? '')}${more}`
}

function limited<Item>(items: readonly Item[], describe: (item: Item) => string): string[] {
  const listed = items.slice(0, MAX_LISTED).map(describe)
  return items.length > MAX_LISTED ? [...listed, `and ${items.length - MAX_LISTED} more; --json lists all`] : listed
}
