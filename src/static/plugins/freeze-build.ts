import { escapeUnprintable } from '../../command-line/index.js'
import { freeze, FreezeError, type FreezeOptions } from '../freeze/index.js'

export interface BuildLogger {
  info(message: string): void
  warn(message: string): void
}

interface FreezeBuildOptions {
  /** Fails the build when a link is dead. */
  strict: boolean
  logger: BuildLogger
}

/**
 * Freezes a site that a build tool has written, and logs the result.
 *
 * @throws  {FreezeError} as `freeze`; with `strict` for a dead link.
 */
export async function freezeBuild(options: FreezeOptions, { strict, logger }: FreezeBuildOptions): Promise<void> {
  const { pages, previews, failures, omittedImages, skipped, warnings, serviceFailure } = await freeze(options)
  const warn = (text: string) => logger.warn(`page-preview: ${escapeUnprintable(text)}`)
  if (serviceFailure) warn(serviceFailure.message)
  for (const { page, line, reason } of skipped) warn(`${page}${line ? `:${line}` : ''}: ${reason}`)
  for (const { page, line, message } of warnings) warn(`${page}:${line}: ${message}`)
  for (const { url, message } of failures) warn(`${url}: ${message}`)
  for (const { url, field, message } of omittedImages) warn(`${url}: without its ${field}: ${message}`)
  const captured = previews.new + previews.refreshed
  logger.info(`page-preview: ${pages} pages with previews, ${captured} captured, ${previews.cached} from the lock file`)
  if (strict && failures.length) throw new FreezeError(`${failures.length} of the previewed links are dead: see above.`)
}
