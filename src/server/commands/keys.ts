import {
  defineCommand,
  formatTable,
  optionFlag,
  optionVariable,
  printable,
  UsageError,
  type CommandEnvironment,
  type Values,
} from '../../command-line/index.js'
import { parseHostList } from '../../query/help/index.js'
import { openKeys, type ApiKeyInfo, type Keys } from '../keys/index.js'
import { passwordAdvice, serveOptions, storeOptions } from '../serve-options.js'
import type { ApiKeyLimits } from '../store/index.js'
import { DAY_MS, utcDay } from '../utc-day.js'
import { keysAsText, readKeyFile, writeKeyFile } from './key-files.js'

const keysOptions = {
  name: { placeholder: 'NAME', help: 'a name to recognise the key by' },
  dailyLimit: {
    placeholder: 'N',
    parse: parseCount,
    help: 'uncached requests and new variants per day (UTC); none for no limit',
  },
  concurrency: {
    placeholder: 'N',
    parse: parseCount,
    help: 'uncached requests at the same time, on each instance',
  },
  expires: { placeholder: '90d|DATE', parse: parseExpiry, help: 'time from which the key is refused' },
  allowHost: {
    isRepeatable: true,
    placeholder: 'HOST',
    parse: parseHosts,
    help: 'pages that it may request: a host, or *.HOST for its subdomains (repeatable)',
  },
  usage: { help: 'also show uncached requests of today and of the last 31 days; with --json, of each day' },
  dataDir: storeOptions.dataDir,
  redis: { ...storeOptions.redis, help: 'Redis that several instances share; --data-dir is not used then' },
  keys: { ...serveOptions.keys, placeholder: 'REDIS|DIR', help: 'as in serve; used instead of --data-dir and --redis' },
  redisPrefix: storeOptions.redisPrefix,
  signingSecretFile: {
    ...serveOptions.signingSecretFile,
    help: `as in serve, or the secret itself in ${optionVariable('signingSecret')}; only create uses it`,
  },
  json: { help: 'print the list as JSON' },
} as const

/** Manages the keys of the pro host; a running service on the same store sees each change at once. */
export const keysCommand = defineCommand({
  description:
    'Manages the keys of the pro host. Changes take effect at once, also in a running service on the same folder or Redis.',
  usage: [
    ['page-preview-server keys create --name NAME', 'create a key, and print it once, on stdout'],
    ['page-preview-server keys update ID', 'change the name or the limits of a key'],
    ['page-preview-server keys list [--json] [--usage]', 'list id, name, created, revoked and limits'],
    ['page-preview-server keys revoke ID', 'refuse the key and everything signed with it from now on'],
    [
      'page-preview-server keys export [FILE]',
      'write all keys as JSON lines, signing keys encrypted; without FILE on stdout',
    ],
    ['page-preview-server keys import FILE', 'add exported keys; what is revoked on either side stays revoked'],
  ],
  options: keysOptions,

  async run({ values, operands: [action, ...operands], exposedPasswords }, environment) {
    const work = actionOf(action)(operands, values)
    for (const name of exposedPasswords)
      environment.stderr.write(
        `page-preview-server: ${optionFlag(name)} contains a password, and ${passwordAdvice(name)}.\n`,
      )
    const { dataDir, redis, redisPrefix, keys: location, signingSecretFile } = values
    const signingSecret = environment.env[optionVariable('signingSecret')] || undefined
    const keys = await openKeys({ dataDir, redis, redisPrefix, keys: location, signingSecret, signingSecretFile })
    try {
      return await work(keys, environment)
    } finally {
      await keys.close()
    }
  },
})

type KeysValues = Values<typeof keysOptions>

/**
 * Checks its operands and options before the keys are opened.
 *
 * @throws  {UsageError}
 */
type Action = (operands: readonly string[], values: KeysValues) => Work

/** @returns  The exit code: 0, or 1 if there is no such key. */
type Work = (keys: Keys, environment: CommandEnvironment) => Promise<number>

const actions: Readonly<Record<string, Action>> = {
  create: createKey,
  list: listKeys,
  revoke: revokeKey,
  update: updateKey,
  export: exportKeys,
  import: importKeys,
}

function actionOf(name = ''): Action {
  if (Object.hasOwn(actions, name)) return actions[name]!
  throw new UsageError(
    `Choose an action: create, list, update, revoke, export or import${name ? `, not "${name}"` : ''}.`,
  )
}

const NAME_MISSING = 'Pass a name for the key: page-preview-server keys create --name NAME.'
const CANNOT_SIGN =
  `It cannot sign URLs, because no signing secret is set: set ${optionVariable('signingSecret')} here and for the service ` +
  `(generate one with: openssl rand -base64 32), then create another key.\n`

function createKey(operands: readonly string[], values: KeysValues): Work {
  if (operands.length > 0)
    throw new UsageError(
      'keys create takes no operand; pass the name as --name: page-preview-server keys create --name NAME.',
    )
  const name = checkName(values.name)
  return async (keys, { stdout, stderr }) => {
    const { key, id, canSign } = await keys.create(name, limitsOf(values))
    stdout.write(`${key}\n`)
    stderr.write(
      `Store it now, it is not shown again. It works at once: send it as the header x-api-key${canSign ? ', or sign with it' : ''}.\n` +
        (canSign ? '' : CANNOT_SIGN) +
        `To revoke it: page-preview-server keys revoke ${id}\n`,
    )
    return 0
  }
}

function listKeys(operands: readonly string[], { json, usage }: KeysValues): Work {
  if (operands.length > 0)
    throw new UsageError('list shows all keys and takes no operand: page-preview-server keys list.')
  return async (keys, { stdout, stderr }) => {
    const rows: KeyRow[] = []
    for (const info of await keys.list()) rows.push(keyRow(info, usage ? await keys.usage(info.id) : undefined))
    if (json) stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length > 0) stdout.write(keysTable(rows))
    else stderr.write(`There are no keys in ${keys.location}.\n`)
    return 0
  }
}

function revokeKey(operands: readonly string[]): Work {
  const id = idIn(operands, 'revoke')
  return async (keys, { stderr }) => {
    const revoked = await keys.revoke(id)
    stderr.write(
      revoked
        ? `Key ${revoked.id} (${printable(revoked.name)}) was revoked; requests with it are refused from now on.\n`
        : noSuchKey(keys),
    )
    return revoked ? 0 : 1
  }
}

function updateKey(operands: readonly string[], values: KeysValues): Work {
  const id = idIn(operands, 'update')
  const change = { ...(values.name !== undefined && { name: checkName(values.name) }), ...limitsOf(values) }
  if (Object.keys(change).length === 0)
    throw new UsageError('Say what to change: --name, --daily-limit, --concurrency, --expires or --allow-host.')
  return async (keys, { stderr }) => {
    const updated = await keys.update(id, change)
    stderr.write(
      updated
        ? `Key ${updated.id} (${printable(updated.name)}) was changed; the change takes effect at once.\n`
        : noSuchKey(keys),
    )
    return updated ? 0 : 1
  }
}

function exportKeys([file, ...others]: readonly string[]): Work {
  if (others.length > 0) throw new UsageError('Pass one file, or none for stdout: keys export [FILE].')
  return async (keys, { stdout, stderr }) => {
    const records = await keys.exportAll()
    if (file === undefined) stdout.write(keysAsText(records))
    else await writeKeyFile(file, records)
    stderr.write(
      `Exported ${countOf(records.length)} without secrets. To sign with them elsewhere, copy the signing secret too.\n`,
    )
    return 0
  }
}

function importKeys([file, ...others]: readonly string[]): Work {
  if (file === undefined || others.length > 0) throw new UsageError('Pass the file of keys export: keys import FILE.')
  return async (keys, { stderr }) => {
    const count = await keys.importAll(await readKeyFile(file))
    stderr.write(`Imported ${countOf(count)} into ${keys.location}; revoked keys stay revoked.\n`)
    return 0
  }
}

const countOf = (count: number) => (count === 1 ? '1 key' : `${count} keys`)

function idIn([id, ...others]: readonly string[], action: string): string {
  if (id !== undefined && others.length === 0) return id
  throw new UsageError(`Pass the id of one key: page-preview-server keys ${action} ID; keys list shows the ids.`)
}

const noSuchKey = ({ location }: Keys) =>
  `page-preview-server: There is no such key in ${location}; keys list shows the ids.\n`

const MAX_NAME_CHARS = 100

function checkName(text = ''): string {
  const name = text.trim()
  if (!name) throw new UsageError(NAME_MISSING)
  if (name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name))
    throw new UsageError(`A name is one line of at most ${MAX_NAME_CHARS} characters.`)
  return name
}

/** The limits that are set; a limit of `undefined` is removed. */
const limitsOf = (values: KeysValues): ApiKeyLimits => ({
  ...('dailyLimit' in values && { dailyLimit: values.dailyLimit }),
  ...('concurrency' in values && { concurrency: values.concurrency }),
  ...('expires' in values && { expiresAt: values.expires }),
  ...('allowHost' in values && { allowHosts: values.allowHost }),
})

/** Removes a limit. */
const NONE = 'none'
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: DAY_MS }

function parseCount(text: string): number | undefined {
  if (text === NONE) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`must be a whole number or none, not "${text}"`)
}

/** @returns  Milliseconds since 1970. */
function parseExpiry(text: string): number | undefined {
  if (text === NONE) return undefined
  const now = Date.now()
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const time = count && unit ? now + Number(count) * UNIT_MS[unit]! : parseDate(text)
  if (time > now) return time
  throw new Error(`must be a time in the future, such as 90d, 12h or 2030-01-31, or none, not "${text}"`)
}

/** @returns  NaN for an invalid date. */
const parseDate = (text: string): number =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : NaN

function parseHosts(hosts: readonly string[]): string[] | undefined {
  return hosts.length === 1 && hosts[0] === NONE ? undefined : parseHostList(hosts).text.split(',')
}

/** Uncached requests by day. */
type Usage = Record<string, number>

/** A key as `keys list` shows it. */
type KeyRow = ReturnType<typeof keyRow>

const keyRow = ({ id, name, createdAt, revokedAt, expiresAt, ...limits }: ApiKeyInfo, usage?: Usage) => ({
  id,
  name,
  created: createdAt.toISOString(),
  revoked: revokedAt?.toISOString() ?? null,
  ...(expiresAt && { expires: expiresAt.toISOString() }),
  ...limits,
  ...(usage && { usage }),
})

function keysTable(rows: readonly KeyRow[]): string {
  const today = utcDay(Date.now())
  const hasLimits = rows.some((row) => limitsText(row))
  const hasUsage = rows.some(({ usage }) => usage)
  const head = ['id', 'name', 'created', 'revoked']
  const cells = rows.map((row) => [
    row.id,
    printable(row.name),
    row.created,
    row.revoked ?? '-',
    ...(hasLimits ? [limitsText(row) || '-'] : []),
    ...(hasUsage ? [String(row.usage?.[today] ?? 0), String(sumOf(row.usage))] : []),
  ])
  const heads = [...head, ...(hasLimits ? ['limits'] : []), ...(hasUsage ? ['today', '31 days'] : [])]
  return `${formatTable([heads, ...cells]).join('\n')}\n`
}

const limitsText = ({ dailyLimit, concurrency, expires, allowHosts }: KeyRow): string =>
  [
    dailyLimit !== undefined && `${dailyLimit} a day`,
    concurrency !== undefined && `${concurrency} at a time`,
    expires && `until ${expires}`,
    allowHosts && `hosts ${allowHosts.join(',')}`,
  ]
    .filter(Boolean)
    .join('; ')

const sumOf = (usage: Usage = {}) => Object.values(usage).reduce((sum, count) => sum + count, 0)
