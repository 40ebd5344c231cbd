import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isPageError } from '../../query/index.js'
import { formatTable, helpRows, printable, UsageError, type CommandEnvironment } from '../../server/commands/index.js'
import { createImages } from '../../server/images/index.js'
import {
  checkLinks,
  createLinkFollower,
  findLinks,
  LINK_STATUSES,
  readHistory,
  writeHistory,
  type LinkHistory,
  type LinkReport,
} from '../check/index.js'
import { DEFAULT_CACHE, DEFAULT_LOCK, FreezeError, openPreviewCache, readLock } from '../freeze/index.js'
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
import { createProgress, stopSignal, warningLog } from './run-output.js'

/** Largest size of a frozen image. */
const MAX_IMAGE_BYTES = 40_000_000

/**
 * Checks the links of a static site that have previews.
 *
 * @returns  0, or 1 when a link is gone.
 * @throws   {UsageError}; Error with a sentence when the site or one of its files cannot be read.
 */
export async function runCheck(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const command = await readCheckCommand(args, environment.env)
  const { stdout, stderr } = environment
  await assertFolder(command.dir)
  const stop = stopSignal(environment, 'Nothing was recorded.')
  try {
    const history = await readHistory(command.state)
    const { links, files, skipped } = await linksOf(command, stop.signal)
    if (files === 0) throw new FreezeError(`There is no HTML file below ${command.dir}: is it the folder of the site?`)
    for (const { page, reason } of skipped) stderr.write(`${printable(page)} was left out: ${printable(reason)}\n`)
    const checked = await check(links, history, { command, stderr, signal: stop.signal })
    await writeHistory(command.state, checked.history)
    const { reports } = checked
    if (command.isJson) stdout.write(`${JSON.stringify({ links: reports, skipped }, null, 2)}\n`)
    else stdout.write(linksTable(reports))
    stderr.write(linksSummary(reports))
    return reports.some(({ status }) => status === 'gone') ? 1 : 0
  } finally {
    stop.release()
  }
}

async function assertFolder(dir: string): Promise<void> {
  if (!(await stat(dir).catch(() => undefined))?.isDirectory())
    throw new UsageError(`There is no folder ${dir}: build the site first, then check it.`)
}

async function linksOf(command: CheckCommand, signal: AbortSignal) {
  try {
    return await findLinks({ ...command, lock: await readLock(command.lock), signal })
  } catch (error) {
    // The selector of --auto or --hover.
    if (isPageError(error)) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

async function check(
  links: Parameters<typeof checkLinks>[0],
  history: LinkHistory,
  { command, stderr, signal }: { command: CheckCommand; stderr: CommandEnvironment['stderr']; signal: AbortSignal },
) {
  const { goneAfter, retryPauseMs } = command
  const source = openPreviewSource({ ...command.source, log: warningLog(stderr) })
  const images = createImages()
  const follower = createLinkFollower(command.source.allowTargets)
  const progress = createProgress({ total: links.length, output: stderr })
  try {
    return await checkLinks(links, {
      source,
      images,
      follower,
      history,
      signal,
      goneAfter,
      retryPauseMs,
      concurrency: command.source.concurrency,
      readImage: imageReader(command),
      onReport: (report) => progress.add(linkLine(report), report.status === 'ok' ? 'done' : 'failed'),
    })
  } finally {
    progress.end()
    await Promise.all([source.close(), images.close(), follower.close()])
  }
}

/** Frozen images are in the site, or in the cache when the site was built again. */
function imageReader({ dir, cache }: CheckCommand) {
  const inCache = openPreviewCache(cache)
  return async (name: string) => (await readSmallFile(join(dir, 'page-preview', name))) ?? inCache.readImage(name)
}

async function readSmallFile(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    const found = await file.stat()
    return found.isFile() && found.size <= MAX_IMAGE_BYTES ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}

const MAX_URL_CHARS = 120

/** One link on a line. */
const linkLine = (report: LinkReport): string =>
  report.status === 'ok' ? `ok ${report.url}` : `${report.status} ${report.url}: ${detailsOf(report)}`

/** The links that need attention, most urgent first; empty where there are none. */
function linksTable(reports: readonly LinkReport[]): string {
  const rows = LINK_STATUSES.filter((status) => status !== 'ok').flatMap((status) =>
    reports
      .filter((report) => report.status === status)
      .map((report) => [status, printable(report.url, MAX_URL_CHARS), printable(detailsOf(report)), pagesOf(report)]),
  )
  if (rows.length === 0) return ''
  return `${formatTable([['status', 'link', 'what was found', 'pages'], ...rows]).join('\n')}\n`
}

/** How many links there are of each status. */
function linksSummary(reports: readonly LinkReport[]): string {
  const counts = LINK_STATUSES.map((status) => ({
    status,
    count: reports.filter((report) => report.status === status).length,
  })).filter(({ count }) => count > 0)
  const links = reports.length === 1 ? '1 link' : `${reports.length} links`
  return `${links}${counts.length > 0 ? ': ' : ' with previews'}${counts.map(({ status, count }) => `${count} ${status}`).join(', ')}.\n`
}

function detailsOf({ status, reason, since, checks, newUrl, title, imageDifference }: LinkReport): string {
  return [
    reason,
    since &&
      `${status === 'gone' ? 'Gone' : 'Failing'} since ${since.slice(0, 10)}, ${checks} ${checks === 1 ? 'check' : 'checks'}.`,
    newUrl && `It has moved to ${newUrl}.`,
    title && `Its title is now "${title.now}", and was "${title.before}".`,
    imageDifference !== undefined && `Its image differs by ${Math.round(imageDifference * 100)} %.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function pagesOf({ pages: [first = '', ...others] }: LinkReport): string {
  return printable(first) + (others.length > 0 ? ` and ${others.length} more` : '')
}

/** The parsed arguments of `check`. */
interface CheckCommand {
  /** Folder of the site. */
  dir: string
  lock: string
  cache: string
  /** File of failing links. */
  state: string
  auto: string | undefined
  hover: string | undefined
  baseUrl: string | undefined
  /** Parameters and options of previews that do not set their own. */
  defaults: Record<string, unknown>
  goneAfter: number
  retryPauseMs: number
  source: SourceOptions
  isJson: boolean
}

const FLAGS = {
  ...SOURCE_FLAGS,
  ...APPEARANCE_FLAGS,
  lock: { type: 'string' },
  cache: { type: 'string' },
  state: { type: 'string' },
  auto: { type: 'string' },
  hover: { type: 'string' },
  'base-url': { type: 'string' },
  'gone-after': { type: 'string' },
  'retry-pause': { type: 'string' },
  json: { type: 'boolean' },
} as const

/** The file of failing links, next to the lock file. */
const STATE_FILE = 'page-preview.check.json'
const DEFAULT_GONE_AFTER = 2
const DEFAULT_RETRY_PAUSE_S = 5
const MAX_CHECKS = 100
const MAX_PAUSE_S = 3_600

/** @throws {UsageError} */
export async function readCheckCommand(args: readonly string[], env: CommandEnvironment['env']): Promise<CheckCommand> {
  const { valuesOf, isSet, parameters, operands } = readParameterFlags(args, FLAGS)
  const last = (flag: keyof typeof FLAGS) => valuesOf(flag).at(-1)
  const [dir, ...others] = operands
  if (!dir || others.length > 0)
    throw new UsageError('Pass the folder of the built site: page-preview-server check DIR')
  const lock = last('lock') ?? DEFAULT_LOCK
  return {
    dir,
    lock,
    cache: last('cache') ?? DEFAULT_CACHE,
    state: last('state') ?? join(dirname(lock), STATE_FILE),
    auto: last('auto'),
    hover: last('hover'),
    baseUrl: readBaseUrl(last('base-url')),
    defaults: { ...parameters, ...readAppearanceFlags(last) },
    goneAfter: readNumber('gone-after', last('gone-after'), { fallback: DEFAULT_GONE_AFTER, min: 1, max: MAX_CHECKS }),
    retryPauseMs:
      readNumber('retry-pause', last('retry-pause'), { fallback: DEFAULT_RETRY_PAUSE_S, min: 0, max: MAX_PAUSE_S }) *
      1_000,
    source: await readSourceOptions(valuesOf, env),
    isJson: isSet('json'),
  }
}

function readBaseUrl(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url
  throw new UsageError(`--base-url must be the absolute URL of the site, not "${url}".`)
}

function readNumber(
  flag: string,
  text: string | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (text === undefined) return fallback
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, not "${text}".`)
}

export function checkHelp(): string {
  return `Checks the links of a static site that have previews: their status, error pages served with 200, redirects to the home
page and to new addresses, and against the lock file of freeze their titles and images.

  page-preview-server check DIR [--parameter[=value] …]

A link that fails is tried again after a pause. Only one that failed in several checks is gone, and the exit code is then 1; if
its server did not say that the page does not exist, a day must have passed too. Failing links are recorded in --state: keep the
file between checks, in version control or in the cache of the CI.

${helpRows([
  ['--lock FILE', `what freeze has written; default ${DEFAULT_LOCK}`],
  ['--cache DIR', `images of freeze that the site does not have; default ${DEFAULT_CACHE}`],
  ['--state FILE', `failing links of earlier checks; default ${STATE_FILE} in the folder of the lock file`],
  ['--gone-after N', `checks in a row after which a failing link is gone; default ${DEFAULT_GONE_AFTER}`],
  ['--retry-pause SECONDS', `before failing links are tried again; default ${DEFAULT_RETRY_PAUSE_S}`],
  ['--auto SELECTOR', 'links that freeze makes into cards'],
  ['--hover SELECTOR', 'links that freeze gives hover previews'],
  ['--base-url URL', 'of the site, to which relative links refer'],
  ['--layout, --theme, --color-schemes', 'as with freeze'],
  ['--json', 'print all links as JSON'],
  ...SOURCE_FLAG_ROWS,
])}

Parameters are those of previews that do not set their own, as with freeze.
`
}
