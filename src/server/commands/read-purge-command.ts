import { parseArgs } from 'node:util'
import { isPageError } from '../../query/index.js'
import { optionVariable, type ServeOptionName } from '../serve-options.js'
import { parsePurgeTarget } from '../store/index.js'
import type { CommandEnvironment } from './command-environment.js'
import { UsageError } from './usage-error.js'

/** What `purge` deletes, and the store that it works on. */
export interface PurgeCommand {
  target: ReturnType<typeof parsePurgeTarget>
  dataDir: string | undefined
  redis: string | undefined
  redisPrefix: string | undefined
  s3: string | undefined
}

/**
 * Parses the arguments behind `purge`; the environment supplies the store when no flag does.
 *
 * @throws  {UsageError}
 */
export function readPurgeCommand(args: readonly string[], env: CommandEnvironment['env']): PurgeCommand {
  const { values, positionals } = parseFlags(args)
  if (positionals.length > 1) throw new UsageError('Pass one URL or one host: page-preview-server purge URL.')
  const fromEnv = (name: ServeOptionName) => env[optionVariable(name)] || undefined
  return {
    target: readTarget(positionals[0], values.all),
    dataDir: values['data-dir'] ?? fromEnv('dataDir'),
    redis: values.redis ?? fromEnv('redis'),
    redisPrefix: values['redis-prefix'] ?? fromEnv('redisPrefix'),
    s3: values.s3 ?? fromEnv('s3'),
  }
}

function readTarget(text: string | undefined, all: boolean | undefined) {
  try {
    return parsePurgeTarget(text?.includes('://') ? { url: text, all } : { host: text, all })
  } catch (error) {
    throw isPageError(error) ? new UsageError(error.message, { cause: error }) : error
  }
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        'data-dir': { type: 'string' },
        redis: { type: 'string' },
        'redis-prefix': { type: 'string' },
        s3: { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
