import { type CommandEnvironment, UsageError } from '../../server/commands/index.js'
import { fields } from '../../query/index.js'
import { DEFAULT_CACHE, DEFAULT_LOCK, type FreezeOptions } from '../freeze/index.js'
import { readParameterFlags } from './read-parameter-flags.js'
import { APPEARANCE_FLAGS, readAppearanceFlags } from './read-appearance-flags.js'
import { readSourceOptions, SOURCE_FLAGS, type SourceOptions } from './source-flags.js'

/** The parsed arguments of `freeze`. */
export interface FreezeCommand {
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
