import { type CommandEnvironment, printable, UsageError } from '../../server/commands/index.js'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isPageError } from '../../query/index.js'
import { FreezeError, openPreviewCache, readLock } from '../freeze/index.js'
import { createImages } from '../../server/images/index.js'
import { checkLinks, createLinkFollower, findLinks, readHistory, writeHistory } from '../check/index.js'
import { openPreviewSource } from '../preview-source/index.js'
import { createProgress } from './create-progress.js'
import { linkLine, linksSummary, linksTable } from './check-table.js'
import { readCheckCommand, type CheckCommand } from './read-check-command.js'
import { stopSignal } from './stop-signal.js'
import { warningLog } from './warning-log.js'

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
    const checked = await check(links, { command, history, stderr, signal: stop.signal })
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

type Links = Parameters<typeof checkLinks>[0]

async function check(
  links: Links,
  options: Pick<Parameters<typeof checkLinks>[1], 'history' | 'signal'> & {
    command: CheckCommand
    stderr: CommandEnvironment['stderr']
  },
) {
  const { command, stderr, history, signal } = options
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
