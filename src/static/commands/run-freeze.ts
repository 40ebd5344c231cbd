import { type CommandEnvironment, UsageError } from '../../server/commands/index.js'
import { isPageError } from '../../query/index.js'
import { freeze, watchFolder, type PreviewEvent } from '../freeze/index.js'
import { openPreviewSource } from '../preview-source/index.js'
import { createProgress, type Progress } from './create-progress.js'
import { freezeSummary, freezeWarnings } from './freeze-summary.js'
import { readFreezeCommand, type FreezeCommand } from './read-freeze-command.js'
import { stopSignal } from './stop-signal.js'
import { warningLog } from './warning-log.js'

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
