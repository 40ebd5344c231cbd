import prettyBytes from 'pretty-bytes'
import { fields, isPageError } from '../../query/index.js'
import { formatTable, helpRows, printable, UsageError, type CommandEnvironment } from '../../server/commands/index.js'
import {
  DEFAULT_CACHE,
  DEFAULT_LOCK,
  freeze,
  watchFolder,
  type FailedLink,
  type FreezeOptions,
  type FreezeResult,
  type PreviewEvent,
} from '../freeze/index.js'
import { openPreviewSource } from '../preview-source/index.js'
import {
  APPEARANCE_FLAGS,
  readAppearanceFlags,
  readParameterFlags,
  readSourceOptions,
  SOURCE_FLAG_ROWS,
  SOURCE_FLAGS,
  type SourceOptions,
} from './flags.js'
import { createProgress, stopSignal, warningLog, type Progress } from './run-output.js'

/**
 * Writes the previews of a static site into its pages.
 *
 * @returns  0; or 1 when the service or its browser could not be used, and with `--strict` when a link failed.
 * @throws   {UsageError}; Error with a sentence when the site or the lock file cannot be used.
 */
export async function runFreeze(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const command = await readFreezeCommand(args, environment.env)
  const stop = stopSignal(environment, 'What is finished is kept; run the same command again to go on.')
  const source = openPreviewSource({ ...command.source, log: warningLog(environment.stderr) })
  const run = (options: FreezeCommand['options']) =>
    freezeOnce({ ...options, source, signal: stop.signal }, command, environment)
  try {
    if (!command.isWatching) return await run(command.options)
    return await runOnChanges(command, run, { environment, signal: stop.signal })
  } finally {
    await source.close()
    stop.release()
  }
}

async function freezeOnce(
  options: FreezeCommand['options'],
  { isStrict, isJson, source }: FreezeCommand,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  let progress: Progress | undefined
  try {
    const result = await freeze({
      ...options,
      concurrency: source.concurrency,
      onFound: (total) => (progress = createProgress({ total, output: stderr })),
      onPreview: (event) => progress?.add(lineOf(event), outcomeOf(event)),
    })
    progress?.end()
    stdout.write(isJson ? `${JSON.stringify(result, null, 2)}\n` : freezeSummary(result))
    stderr.write(freezeWarnings(result, { dir: options.dir }))
    return result.serviceFailure || (isStrict && result.failures.length > 0) ? 1 : 0
  } catch (error) {
    // The selector of --auto or --hover.
    if (isPageError(error)) throw new UsageError(error.message, { cause: error })
    throw error
  } finally {
    progress?.end()
  }
}

/** Runs until it is stopped; what is wrong with one build may be right in the next. */
async function runOnChanges(
  { options }: FreezeCommand,
  run: (options: FreezeCommand['options']) => Promise<number>,
  { environment: { stderr }, signal }: { environment: CommandEnvironment; signal: AbortSignal },
): Promise<number> {
  await run(options)
  stderr.write(`Watching ${options.dir}; stop with Ctrl+C.\n`)
  for await (const _ of watchFolder(options.dir, signal)) {
    try {
      await run({ ...options, refresh: [] })
    } catch (error) {
      if (signal.aborted) break
      stderr.write(`page-preview-server: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  return 0
}

const outcomeOf = ({ outcome }: PreviewEvent) =>
  outcome === 'cached' ? 'skipped' : outcome === 'failed' ? 'failed' : 'done'

function lineOf({ url, outcome, failure }: PreviewEvent): string {
  return failure ? `failed ${url}: ${failure.message} (${failure.code})` : `${outcome} ${url}`
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
function freezeWarnings(result: FreezeResult, { dir }: { dir: string }): string {
  const { failures, omittedImages, skipped, warnings, serviceFailure, previews, pages } = result
  const lines: string[] = []
  if (serviceFailure) {
    lines.push(
      `page-preview-server: The service cannot be used: ${printable(serviceFailure.message)} (${serviceFailure.code})`,
    )
    lines.push('Cards of earlier runs stay; run it again when the service is available.')
  }
  // Failures of the service are reported once, not for each link.
  const ofLinks = failures.filter(({ code }) => code !== serviceFailure?.code)
  lines.push(...limited(ofLinks, describeLink))
  lines.push(
    ...limited(
      omittedImages,
      ({ url, field, message }) => `${printable(url)}: without its ${field}: ${printable(message)}`,
    ),
  )
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
      `No page below ${dir} has a preview. Add <page-preview url="…"> or <a data-page-preview> to one, or select links with --auto 'p > a:only-child'.`,
    )
  return lines.map((line) => `${line}\n`).join('')
}

function describeLink({ url, code, message, hasPreview, pages }: FailedLink): string {
  const card = hasPreview ? 'its last good card stays' : 'its card has no image'
  const more = pages.length > 1 ? ` and ${pages.length - 1} more` : ''
  return `failed: ${printable(url)}: ${printable(message)} (${code}); ${card} in ${printable(pages[0] ?? '')}${more}`
}

function limited<Item>(items: readonly Item[], describe: (item: Item) => string): string[] {
  const listed = items.slice(0, MAX_LISTED).map(describe)
  return items.length > MAX_LISTED ? [...listed, `and ${items.length - MAX_LISTED} more; --json lists all`] : listed
}

/** The parsed arguments of `freeze`. */
interface FreezeCommand {
  options: FreezeOptions & { lock: string; cache: string }
  source: SourceOptions
  isStrict: boolean
  isJson: boolean
  isWatching: boolean
}

const FLAGS = {
  ...SOURCE_FLAGS,
  ...APPEARANCE_FLAGS,
  lock: { type: 'string' },
  cache: { type: 'string' },
  auto: { type: 'string' },
  hover: { type: 'string' },
  'inline-styles': { type: 'boolean' },
  'image-types': { type: 'string' },
  'base-url': { type: 'string' },
  'assets-url': { type: 'string' },
  'max-age': { type: 'string' },
  refresh: { type: 'string' },
  offline: { type: 'boolean' },
  frozen: { type: 'boolean' },
  strict: { type: 'boolean' },
  archive: { type: 'boolean' },
  prune: { type: 'boolean' },
  json: { type: 'boolean' },
  watch: { type: 'boolean' },
} as const

const EXAMPLE = 'page-preview-server freeze DIR'
const IMAGE_TYPES = fields['variant.type'].values
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @throws {UsageError} */
export async function readFreezeCommand(
  args: readonly string[],
  env: CommandEnvironment['env'],
): Promise<FreezeCommand> {
  const { valuesOf, isSet, parameters, operands } = readParameterFlags(args, FLAGS)
  const [dir, ...others] = operands
  const last = (flag: keyof typeof FLAGS) => valuesOf(flag).at(-1)
  if (!dir || others.length > 0)
    throw new UsageError(`Pass the folder that the site is built into, and no other operand: ${EXAMPLE}`)
  const command: FreezeCommand = {
    options: {
      dir,
      lock: last('lock') ?? DEFAULT_LOCK,
      cache: last('cache') ?? DEFAULT_CACHE,
      auto: last('auto'),
      hover: last('hover'),
      defaults: { ...parameters, ...readAppearanceFlags(last) },
      inlineStyles: isSet('inline-styles'),
      imageTypes: readImageTypes(last('image-types')),
      baseUrl: readUrl('--base-url', last('base-url')),
      assetsUrl: last('assets-url'),
      maxAge: readMaxAge(last('max-age')),
      refresh: valuesOf('refresh').map((url) => readUrl('--refresh', url)!),
      offline: isSet('offline'),
      frozen: isSet('frozen'),
      archive: isSet('archive'),
      prune: isSet('prune'),
    },
    source: await readSourceOptions(valuesOf, env),
    isStrict: isSet('strict'),
    isJson: isSet('json'),
    isWatching: isSet('watch'),
  }
  checkTogether(command)
  return command
}

function checkTogether({ options: { offline, frozen, refresh, maxAge }, isWatching, isJson }: FreezeCommand): void {
  const isOffline = offline ? '--offline' : frozen && '--frozen'
  if (isOffline && refresh?.length)
    throw new UsageError(`--refresh needs the network, which ${isOffline} does not use.`)
  if (isOffline && maxAge !== undefined)
    throw new UsageError(`--max-age needs the network, which ${isOffline} does not use.`)
  if (isWatching && isJson) throw new UsageError('--watch does not end, so there is no summary for --json.')
}

function readImageTypes(list: string | undefined) {
  if (list === undefined) return undefined
  return list.split(',').map((name) => {
    const type = IMAGE_TYPES.find((offered) => offered === name.trim())
    if (type) return type
    throw new UsageError(`--image-types must be a list of ${IMAGE_TYPES.join(', ')}, not "${list}".`)
  })
}

function readUrl(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) return text
  throw new UsageError(`${flag} must be an absolute http(s) URL, not "${text}".`)
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count && unit) return Number(count) * UNIT_MS[unit]!
  throw new UsageError(`--max-age must be a time like 30d, 12h or 90m, not "${text}".`)
}

export function freezeHelp(): string {
  return `Writes the previews of a static site into its pages, as cards that need no service and no script.

  page-preview-server freeze DIR [--parameter[=value] …]
  page-preview-server freeze dist --auto 'main p > a[href^=http]:only-child' --screenshot

DIR is the folder that the site is built into. The command finds <page-preview> and <a data-page-preview>. The lock file and the
cache folder store what was captured: with both, the next run needs no network and writes the same bytes.

${helpRows([
  ['--auto SELECTOR', 'plain links that become cards'],
  ['--hover SELECTOR', 'plain links that get a hover preview'],
  ['--layout card|row|image|inline', 'of previews that set none; default card'],
  ['--theme auto|light|dark', 'of previews that set none; default auto'],
  ['--color-schemes light,dark', 'capture screenshots in both, and show each visitor the matching one'],
  ['--image-types LIST', 'of webp, avif, jpg, png, in addition to the original type; default webp'],
  ['--inline-styles', 'write the stylesheet into each page'],
  ['--base-url URL', 'URL of the site, for relative links'],
  ['--assets-url URL', 'URL of DIR/page-preview; by default relative to each page'],
  ['--lock FILE', `default ${DEFAULT_LOCK}; belongs in version control`],
  ['--cache DIR', `default ${DEFAULT_CACHE}; for a cache of CI, or version control`],
  ['--max-age 30d', 'capture again what is older'],
  ['--refresh URL', 'capture this link again (repeatable)'],
  ['--offline', 'use only the lock file and the cache'],
  ['--frozen', 'the same, and fail when something is missing from them'],
  ['--archive', 'add a URL of the Wayback Machine to links that fail'],
  ['--prune', 'remove images from the cache folder that no page uses any more'],
  ['--strict', 'exit with 1 when a link fails; by default its last good card stays'],
  ['--watch', 'run again when files below DIR change'],
  ['--json', 'print the summary as JSON'],
  ...SOURCE_FLAG_ROWS,
])}

Parameters, as page-preview --help lists them, apply to previews that do not set them: --screenshot, --device "iPhone 6".
`
}
