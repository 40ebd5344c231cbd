import { isPageError } from '../../query/index.js'
import { parsePurgeTarget } from '../store/index.js'
import type { CommandEnvironment } from './command-environment.js'
import { parseFlags } from './parse-flags.js'
import { readOption } from './read-option.js'
import { UsageError } from './usage-error.js'

/** What `purge` deletes, and the store that it works on. */
export interface PurgeCommand {
  target: ReturnType<typeof parsePurgeTarget>
  dataDir: string | undefined
  redis: string | undefined
  redisPrefix: string | undefined
  s3: string | undefined
}

const FLAGS = {
  all: { type: 'boolean' },
  'data-dir': { type: 'string' },
  redis: { type: 'string' },
  'redis-prefix': { type: 'string' },
  s3: { type: 'string' },
} as const

/**
 * Parses the arguments of `purge`; the environment supplies the store when no flag does.
 *
 * @throws  {UsageError}
 */
export function readPurgeCommand(args: readonly string[], env: CommandEnvironment['env']): PurgeCommand {
  const { values, positionals } = parseFlags(args, FLAGS)
  if (positionals.length > 1) throw new UsageError('Pass one URL or one host: page-preview-server purge URL.')
  return {
    target: readTarget(positionals[0], values.all),
    dataDir: readOption('dataDir', values['data-dir'], env),
    redis: readOption('redis', values.redis, env),
    redisPrefix: readOption('redisPrefix', values['redis-prefix'], env),
    s3: readOption('s3', values.s3, env),
  }
}

function readTarget(text: string | undefined, all: boolean | undefined) {
  try {
    return parsePurgeTarget(text?.includes('://') ? { url: text, all } : { host: text, all })
  } catch (error) {
    throw isPageError(error) ? new UsageError(error.message, { cause: error }) : error
  }
}
