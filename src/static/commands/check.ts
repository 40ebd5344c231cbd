import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineCommand, formatTable, printable, UsageError, wholeNumber } from '../../command-line/index.js'
import { openGuardedRequests } from '../../server/static-tools.js'
import { checkLinks, findLinks, LINK_STATUSES, readHistory, writeHistory, type LinkReport } from '../check/index.js'
import { FreezeError } from '../files.js'
import { openPreviewCache, readLock } from '../freeze/index.js'
import { MAX_IMAGE_BYTES } from '../preview-source.js'
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

/** Checks the links of a static site that have previews. The exit code is 1 if a link is gone. */
export const checkCommand = defineCommand({
  description: `Checks the links of a static site that have previews: finds links that fail, show an error page with status 200, or redirect
to the home page or a new address. Compares titles and images with the lock file of freeze.`,
  usage: [['page-preview-server check DIR [--parameter[=value] …]']],
  details: `A link that fails is tried again after a pause. A link that fails in several checks in a row is gone, and the exit code is 1. If
no server responds that the page does not exist, the link is gone after a day at the earliest. Failing links are recorded in the
file of --state: keep this file between checks, in version control or in the cache of the CI.`,
  options: {
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
    auto: { ...siteOptions.auto, help: 'links that freeze makes into cards' },
    hover: { ...siteOptions.hover, help: 'links that freeze gives hover previews' },
    baseUrl: siteOptions.baseUrl,
    ...appearanceOptions,
    json: { help: 'print all links as JSON' },
    ...sourceOptions,
  },
  parameters: 'without url',
  notes: 'Parameters apply to previews that do not set their own, as with freeze.',

  async run({ values, parameters, operands: [dir, ...others] }, environment) {
    if (!dir || others.length > 0)
      throw new UsageError('Pass the folder of the built site: page-preview-server check DIR')
    const { lock, cache, state = join(dirname(lock), STATE_FILE), auto, hover, baseUrl, json } = values
    const { allowTarget, concurrency, goneAfter, retryPause } = values
    const site = { dir, auto, hover, baseUrl, defaults: previewDefaults(parameters, values) }
    await assertFolder(dir)
    return withPreviewSource(values, environment, 'Nothing was recorded.', async (source, signal) => {
      const { stdout, stderr } = environment
      const history = await readHistory(state)
      const { links, files, skipped } = await findLinks({ ...site, lock: await readLock(lock), signal }).catch(
        (error: unknown) => {
          throw usageErrorOfSelector(error)
        },
      )
      if (files === 0)
        throw new FreezeError(`There is no HTML file below ${dir}. Pass the folder that the site is built into.`)
      for (const { page, reason } of skipped) stderr.write(`${printable(page)} was left out: ${printable(reason)}\n`)
      const requests = await openGuardedRequests(allowTarget)
      const progress = createProgress({ total: links.length, output: stderr })
      try {
        const checked = await checkLinks(links, {
          source,
          requests,
          history,
          signal,
          goneAfter,
          retryPauseMs: retryPause * 1_000,
          concurrency,
          readImage: imageReader(dir, cache),
          onReport: (report) => progress.add(linkLine(report), report.status === 'ok' ? 'done' : 'failed'),
        })
        progress.end()
        await writeHistory(state, checked.history)
        const { reports } = checked
        stdout.write(json ? `${JSON.stringify({ links: reports, skipped }, null, 2)}\n` : linksTable(reports))
        stderr.write(linksSummary(reports))
        return reports.some(({ status }) => status === 'gone') ? 1 : 0
      } finally {
        progress.end()
        await requests.close()
      }
    })
  },
})

async function assertFolder(dir: string): Promise<void> {
  if (!(await stat(dir).catch(() => undefined))?.isDirectory())
    throw new UsageError(`There is no folder ${dir}: build the site first, then check it.`)
}

/** Frozen images are in the site, or in the cache when the site was built again. */
function imageReader(dir: string, cache: string) {
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
