import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  defineCommand,
  formatTable,
  optionFlag,
  printable,
  UsageError,
  wholeNumber,
  type CommandEnvironment,
  type Values,
} from '../../command-line/index.js'
import { canRetry, DAY_MS, durationMs } from '../../query/help/index.js'
import { isPageError, type PageChange } from '../../query/index.js'
import { openGuardedRequests } from '../../server/static-tools.js'
import {
  checkLinks,
  createRoundComparison,
  findLinks,
  LINK_STATUSES,
  NetworkError,
  readHistory,
  startRounds,
  withHistory,
  writeHistory,
  type LinkEvent,
  type LinkReport,
} from '../check/index.js'
import { FreezeError } from '../files.js'
import { ASSETS_FOLDER, openPreviewCache, readLock } from '../freeze/index.js'
import type { PreviewSource } from '../preview-source.js'
import {
  appearanceOptions,
  previewDefaults,
  siteOptions,
  sourceOptions,
  usageErrorOfSelector,
  withPreviewSource,
} from './preview-options.js'
import { createProgress } from './progress.js'

/** The file of failing links, next to the lock file. */
const STATE_FILE = 'page-preview.check.json'

const checkOptions = {
  lock: { ...siteOptions.lock, help: 'lock file that freeze has written' },
  cache: { ...siteOptions.cache, help: 'cache folder of freeze, for images that the site does not have' },
  state: {
    placeholder: 'FILE',
    help: `failing links of earlier checks; by default ${STATE_FILE} in the folder of the lock file`,
  },
  goneAfter: {
    placeholder: 'N',
    default: 2,
    parse: wholeNumber({ min: 1, max: 100 }),
    help: 'failed checks in a row until a link counts as gone',
  },
  retryPause: {
    placeholder: 'SECONDS',
    default: 5,
    parse: wholeNumber({ max: 3_600 }),
    help: 'pause before failing links are tried again',
  },
  watch: {
    placeholder: 'INTERVAL',
    parse: parseInterval,
    help: 'check again at this interval, from 1m to 31d, and print what is new',
  },
  auto: { ...siteOptions.auto, help: 'links that freeze makes into cards' },
  hover: { ...siteOptions.hover, help: 'links that freeze gives hover previews' },
  baseUrl: siteOptions.baseUrl,
  ...appearanceOptions,
  json: { help: 'print all links as JSON; with --watch, a line for each round' },
  ...sourceOptions,
} as const

const MINUTE_MS = 60_000

function parseInterval(text: string): number {
  const intervalMs = durationMs(text)
  // Milliseconds without a unit are probably a mistake.
  if (intervalMs >= MINUTE_MS && intervalMs <= 31 * DAY_MS && !/\d$/.test(text)) return intervalMs
  throw new Error(`must be a time from 1m to 31d, such as 1h, not "${text}"`)
}

/** Checks the links of a static site that have previews. The exit code is 1 if a link is gone. */
export const checkCommand = defineCommand({
  description: `Checks the links of a static site that have previews: finds links that fail, show an error page with status 200, or redirect
to the home page or a new address. Compares titles and images with the lock file of freeze.`,
  usage: [
    ['page-preview-server check DIR [--parameter[=value] …]'],
    ['page-preview-server check DIR --watch=1h', 'check again every hour'],
  ],
  details: `A link that fails is tried again after a pause. A link that fails in several checks in a row is gone, and the exit code is 1. If
no server responds that the page does not exist, the link is gone after a day at the earliest. Failing links are recorded in the
file of --state: keep this file between checks, in version control or in the cache of the CI.

With --watch, each round reads the site again, and prints what is new since the round before: links that began to fail, are gone,
work again or have moved, and what has changed on their pages. Ctrl-C ends it; the exit code is 1 if a link is gone then.`,
  options: checkOptions,
  parameters: 'without url',
  notes: 'Parameters apply to previews that do not set their own, as with freeze.',

  async run({ values, parameters, operands: [dir, ...others] }, environment) {
    if (!dir || others.length > 0)
      throw new UsageError('Pass the folder of the built site: page-preview-server check DIR')
    const { watch, lock, state = join(dirname(lock), STATE_FILE) } = values
    const defaults = previewDefaults(parameters, values)
    await assertFolder(dir)
    return withPreviewSource(values, environment, 'Nothing was recorded.', (source, signal) => {
      const check = { ...values, dir, state, defaults, source, signal, environment }
      return watch === undefined ? checkOnce(check) : watchSite(check, watch)
    })
  },
})

interface SiteCheck extends Values<typeof checkOptions> {
  dir: string
  state: string
  defaults: Record<string, unknown>
  source: PreviewSource
  signal: AbortSignal
  environment: CommandEnvironment
}

async function checkOnce(check: SiteCheck): Promise<number> {
  const { stdout, stderr } = check.environment
  const { reports, skipped } = await checkSite(check)
  stdout.write(check.json ? `${JSON.stringify({ links: reports, skipped }, null, 2)}\n` : linksTable(reports))
  stderr.write(linksSummary(reports))
  return exitCodeOf(reports)
}

const exitCodeOf = (reports: readonly LinkReport[]) => (reports.some(({ status }) => status === 'gone') ? 1 : 0)

/**
 * Reads the site, checks its links, and records those that fail.
 *
 * @param isQuiet  Whether only a terminal shows the progress, without the links that fail.
 */
async function checkSite(check: SiteCheck, { isQuiet = false } = {}) {
  const { dir, state, auto, hover, baseUrl, defaults, source, signal } = check
  const { stderr } = check.environment
  const history = await readHistory(state)
  const lock = await readLock(check.lock)
  const { links, files, skipped } = await findLinks({ dir, auto, hover, baseUrl, defaults, lock, signal }).catch(
    (error: unknown) => {
      throw usageErrorOfSelector(error)
    },
  )
  if (files === 0)
    throw new FreezeError(`There is no HTML file below ${dir}. Pass the folder that the site is built into.`)
  if (!isQuiet)
    for (const { page, reason } of skipped) stderr.write(`${printable(page)} was left out: ${printable(reason)}\n`)
  const requests = await openGuardedRequests(check.allowTarget)
  const progress = isQuiet && !stderr.isTTY ? undefined : createProgress({ total: links.length, output: stderr })
  try {
    const checked = await checkLinks(links, {
      source,
      requests,
      history,
      signal,
      goneAfter: check.goneAfter,
      retryPauseMs: check.retryPause * 1_000,
      concurrency: check.concurrency,
      readImage: imageReader(dir, check.cache),
      onReport: (report) => progress?.add(linkLine(report), isQuiet || report.status === 'ok' ? 'done' : 'failed'),
    })
    progress?.end()
    await writeHistory(state, checked.history)
    return { reports: checked.reports, skipped }
  } finally {
    progress?.end()
    await requests.close()
  }
}

/** Checks the site in rounds until it is stopped; what is wrong in one round may be right in the next. */
async function watchSite(check: SiteCheck, intervalMs: number): Promise<number> {
  const { json, signal, environment } = check
  const { stdout, stderr } = environment
  const source = withHistory(check.source, () => {
    // Over the progress bar, which is drawn again with the next page.
    stderr.eraseLine()
    stderr.write(NO_HISTORY)
  })
  const comparison = createRoundComparison()
  const writeJson = (line: object) => stdout.write(`${JSON.stringify(line)}\n`)
  let [round, finished] = [0, 0]
  let latest = { summary: 'Nothing was recorded.\n', exitCode: 0 }
  for await (const startedAt of startRounds({ intervalMs, signal })) {
    const isFirst = finished === 0
    const start = { round: ++round, startedAt: new Date(startedAt).toISOString() }
    stderr.eraseLine()
    try {
      const { reports, skipped } = await checkSite({ ...check, source }, { isQuiet: !isFirst })
      finished++
      const events = comparison.next(reports)
      latest = { summary: linksSummary(reports), exitCode: exitCodeOf(reports) }
      if (json) writeJson({ ...start, links: reports, skipped, events })
      else stdout.write(isFirst ? linksTable(reports) : eventsText(events, Date.now()))
      if (isFirst) stderr.write(latest.summary)
    } catch (error) {
      if (signal.aborted) break
      if (isFirst && !mayPass(error)) throw error
      const message = error instanceof Error ? error.message : String(error)
      stderr.write(`page-preview-server: The round of ${timeOf(startedAt)} failed: ${printable(message)}\n`)
      if (json) writeJson({ ...start, error: message })
    }
    if (stderr.isTTY) stderr.write(`Next round at ${timeOf(startedAt + intervalMs)}; stop with Ctrl+C.`)
  }
  stderr.eraseLine()
  stderr.write(`Stopped after ${finished === 1 ? '1 round' : `${finished} rounds`}. ${latest.summary}`)
  return latest.exitCode
}

const NO_HISTORY = `page-preview-server: The service does not say what changes on pages, so only titles and images are compared. Use the pro host of a current service, by ${optionFlag('endpoint')} with ${optionFlag('apiKey')}.
`

/** Whether the first round may have failed for a reason that passes, unlike a wrong key or a folder without pages. */
const mayPass = (error: unknown) => error instanceof NetworkError || (isPageError(error) && canRetry(error, Infinity))

/** In UTC, without milliseconds. */
const timeOf = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`

async function assertFolder(dir: string): Promise<void> {
  if (!(await stat(dir).catch(() => undefined))?.isDirectory())
    throw new UsageError(`There is no folder ${dir}: build the site first, then check it.`)
}

/** Frozen images are in the site, or in the cache when the site was built again. */
function imageReader(dir: string, cache: string) {
  const images = openPreviewCache(cache, join(dir, ASSETS_FOLDER))
  return async (name: string) => (await images.readWrittenImage(name)) ?? images.readImage(name)
}

const MAX_URL_CHARS = 120

/** One link on a line. */
const linkLine = (report: LinkReport): string =>
  report.status === 'ok' ? `ok ${report.url}` : `${report.status} ${report.url}: ${detailsOf(report)}`

/** The links that need attention, most urgent first; empty if there are none. */
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

/** Changes of a page that are printed; `--json` has all. */
const MAX_CHANGES = 5
const MAX_LINE_CHARS = 2_000

/** What is new since the round before, each on a line with the time. */
const eventsText = (events: readonly LinkEvent[], now: number): string =>
  events
    .flatMap(eventLines)
    .map((line) => `${timeOf(now)} ${printable(line, MAX_LINE_CHARS)}\n`)
    .join('')

function eventLines(event: LinkEvent): string[] {
  const url = printable(event.url, MAX_LINE_CHARS / 2)
  switch (event.kind) {
    case 'works':
      return [`works again ${url}`]
    case 'title':
    case 'image':
      return [`changed ${url}: ${detailsOf(event)}`]
    case 'page': {
      const lines = event.changes.slice(0, MAX_CHANGES).map((change) => `${change.kind} ${url}: ${describe(change)}`)
      const more = event.changes.length - lines.length
      return more > 0 ? [...lines, `changed ${url}: and ${more} more`] : lines
    }
    default:
      return [`${event.kind} ${url}: ${detailsOf({ ...event, status: event.kind })}`]
  }
}

/** The element, its text, and its box: left, top, width and height in CSS pixels. */
function describe({ kind, element, text, textBefore, x, y, width, height }: PageChange): string {
  const [before, now] = [quoted(textBefore), quoted(text)]
  const texts = {
    added: now,
    removed: before,
    changed: before && now && before !== now ? `${before} is now ${now}` : `${now || before} looks different`,
  }
  const [left, top, boxWidth, boxHeight] = [x, y, width, height].map(Math.round)
  return `${element} ${texts[kind]} (${left}, ${top}, ${boxWidth} × ${boxHeight})`.replace(/ +/g, ' ')
}

const MAX_TEXT_CHARS = 80

const quoted = (text: string | null) => (text === null ? '' : `"${printable(text, MAX_TEXT_CHARS)}"`)

function detailsOf({
  status,
  reason,
  since,
  checks,
  newUrl,
  title,
  imageDifference,
}: Partial<Omit<LinkReport, 'status'>> & { status?: string }): string {
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
