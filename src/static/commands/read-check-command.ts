import { type CommandEnvironment, UsageError } from '../../server/commands/index.js'
import { dirname, join } from 'node:path'
import { DEFAULT_CACHE, DEFAULT_LOCK } from '../freeze/index.js'
import { readParameterFlags } from './read-parameter-flags.js'
import { APPEARANCE_FLAGS, readAppearanceFlags } from './read-appearance-flags.js'
import { readSourceOptions, SOURCE_FLAGS, type SourceOptions } from './source-flags.js'

/** The parsed arguments of `check`. */
export interface CheckCommand {
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
export const STATE_FILE = 'page-preview.check.json'
export const DEFAULT_GONE_AFTER = 2
export const DEFAULT_RETRY_PAUSE_S = 5
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
