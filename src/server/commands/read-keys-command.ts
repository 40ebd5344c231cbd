import { hasPassword } from '../secrets.js'
import { optionVariable } from '../serve-options.js'
import type { ApiKeyChange } from '../keys/index.js'
import type { ApiKeyLimits } from '../store/index.js'
import type { CommandEnvironment } from './command-environment.js'
import { parseFlags } from './parse-flags.js'
import { readKeyLimits, type LimitFlags } from './read-key-limits.js'
import { readOption } from './read-option.js'
import { UsageError } from './usage-error.js'

/** One `keys` command and the store it works on: a data folder, or a Redis. */
export type KeysCommand = {
  dataDir: string | undefined
  redis: string | undefined
  redisPrefix: string | undefined
  signingSecret: string | undefined
  signingSecretFile: string | undefined
  /** Whether the password of Redis is among the arguments. */
  hasExposedPassword: boolean
  keys: string | undefined
} & (
  | { action: 'create'; name: string; limits: ApiKeyLimits }
  | { action: 'update'; id: string; change: ApiKeyChange }
  | { action: 'list'; isJson: boolean; hasUsage: boolean }
  | { action: 'revoke'; id: string }
  | { action: 'export'; file: string | undefined }
  | { action: 'import'; file: string }
)

const MAX_NAME_CHARS = 100
const FLAGS = {
  name: { type: 'string' },
  'data-dir': { type: 'string' },
  redis: { type: 'string' },
  keys: { type: 'string' },
  'redis-prefix': { type: 'string' },
  'signing-secret-file': { type: 'string' },
  json: { type: 'boolean' },
  usage: { type: 'boolean' },
  'daily-limit': { type: 'string' },
  concurrency: { type: 'string' },
  expires: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
} as const

/**
 * Parses the arguments of `keys`; the environment supplies the store when no flag does.
 *
 * @throws  {UsageError}
 */
export function readKeysCommand(args: readonly string[], env: CommandEnvironment['env']): KeysCommand {
  const { values, positionals } = parseFlags(args, FLAGS)
  const [action, ...operands] = positionals
  const store = {
    dataDir: readOption('dataDir', values['data-dir'], env),
    redisPrefix: readOption('redisPrefix', values['redis-prefix'], env),
    signingSecret: env[optionVariable('signingSecret')] || undefined,
    signingSecretFile: readOption('signingSecretFile', values['signing-secret-file'], env),
    redis: readOption('redis', values.redis, env),
    keys: readOption('keys', values.keys, env),
    hasExposedPassword: hasPassword(values.redis ?? '') || hasPassword(values.keys ?? ''),
  }
  switch (action) {
    case 'create':
      if (operands.length) throw new UsageError(NAME_MISSING)
      return { action, name: checkName(values.name?.trim()), limits: readKeyLimits(values, Date.now()), ...store }
    case 'list':
      if (operands.length)
        throw new UsageError('list shows all keys and takes no operand: page-preview-server keys list.')
      return { action, isJson: values.json ?? false, hasUsage: values.usage ?? false, ...store }
    case 'update':
      if (operands.length !== 1)
        throw new UsageError('Pass the id of one key: page-preview-server keys update ID; keys list shows the ids.')
      return { action, id: operands[0]!, change: readChange(values), ...store }
    case 'revoke':
      if (operands.length !== 1)
        throw new UsageError('Pass the id of one key: page-preview-server keys revoke ID; keys list shows the ids.')
      return { action, id: operands[0]!, ...store }
    case 'export':
      if (operands.length > 1) throw new UsageError('Pass one file, or none for stdout: keys export [FILE].')
      return { action, file: operands[0], ...store }
    case 'import':
      if (operands.length !== 1) throw new UsageError('Pass the file of keys export: keys import FILE.')
      return { action, file: operands[0]!, ...store }
    default:
      throw new UsageError(
        `Choose what to do with keys: create, list or revoke, update, export or import${action ? `, not "${action}"` : ''}.`,
      )
  }
}

const NAME_MISSING = 'Pass a name for the key: page-preview-server keys create --name NAME.'

function readChange({ name, ...flags }: { name?: string | undefined } & LimitFlags): ApiKeyChange {
  const change = {
    ...(name !== undefined && { name: checkName(name.trim()) }),
    ...readKeyLimits(flags, Date.now()),
  }
  if (Object.keys(change).length > 0) return change
  throw new UsageError('Say what to change: --name, --daily-limit, --concurrency, --expires or --allow-host.')
}

function checkName(name: string | undefined): string {
  if (!name) throw new UsageError(NAME_MISSING)
  if (name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name))
    throw new UsageError(`A name is one line of at most ${MAX_NAME_CHARS} characters.`)
  return name
}
