import { parseArgs } from 'node:util'
import { openKeys, variableOf, type ApiKeyInfo, type Keys } from '../server/index.js'
import type { CommandEnvironment } from './run.js'
import { UsageError } from './usage-error.js'

interface KeyCommand {
  /** `create`, `list` or `revoke`. */
  action: string
  /** What the action is about: a name for `create`, an id for `revoke`. */
  subject: string
  dataDir: string | undefined
  redis: string | undefined
  isJson: boolean
}

const MAX_NAME_CHARS = 100

/**
 * Makes, shows and revokes keys of the pro host, also of a service that runs.
 *
 * @returns  0, or 1 when there is no such key.
 * @throws   {UsageError}; Error with a sentence when the data folder or the Redis cannot be used.
 */
export async function manageKeys(args: readonly string[], around: CommandEnvironment): Promise<number> {
  const command = readKeyCommand(args, around.env)
  const keys = await openKeys(command)
  try {
    if (command.action === 'create') return await createKey(command, keys, around)
    if (command.action === 'list') return await listKeys(command, keys, around)
    return await revokeKey(command, keys, around)
  } finally {
    await keys.close()
  }
}

function readKeyCommand(args: readonly string[], env: CommandEnvironment['env']): KeyCommand {
  const { values, positionals } = parse(args)
  const [action, ...subjects] = positionals
  const dataDir = values['data-dir'] ?? (env[variableOf('dataDir')] || undefined)
  const redis = values.redis ?? (env[variableOf('redis')] || undefined)
  const told = { dataDir, redis, isJson: values.json ?? false }
  switch (action) {
    case 'create': {
      const name = values.name?.trim()
      if (!name || subjects.length) throw new UsageError('Say whose key it is: page-preview keys create --name NAME.')
      if (name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name))
        throw new UsageError(`A name is one line of at most ${MAX_NAME_CHARS} characters.`)
      return { action, subject: name, ...told }
    }
    case 'list':
      if (subjects.length) throw new UsageError('All keys are listed: page-preview keys list.')
      return { action, subject: '', ...told }
    case 'revoke':
      if (subjects.length !== 1)
        throw new UsageError('Say which key: page-preview keys revoke ID; keys list shows the ids.')
      return { action, subject: subjects[0]!, ...told }
    default:
      throw new UsageError(`Say what to do with keys: create, list or revoke${action ? `, not "${action}"` : ''}.`)
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        'data-dir': { type: 'string' },
        redis: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

async function createKey({ subject }: KeyCommand, keys: Keys, { stdout, stderr }: CommandEnvironment): Promise<number> {
  const { key, id } = await keys.create(subject)
  stdout.write(`${key}\n`)
  stderr.write(
    `Keep it now, it is not shown again. It works at once: send it as the header x-api-key, or sign with it.\n` +
      `To end it: page-preview keys revoke ${id}\n`,
  )
  return 0
}

async function listKeys({ isJson }: KeyCommand, keys: Keys, { stdout, stderr }: CommandEnvironment): Promise<number> {
  const list = (await keys.list()).map(rowOf)
  if (isJson) stdout.write(`${JSON.stringify(list, null, 2)}\n`)
  else if (list.length) stdout.write(table(list))
  else stderr.write(`There are no keys in ${keys.location}.\n`)
  return 0
}

async function revokeKey({ subject }: KeyCommand, keys: Keys, { stderr }: CommandEnvironment): Promise<number> {
  const revoked = await keys.revoke(subject)
  stderr.write(
    revoked
      ? `Key ${revoked.id} (${revoked.name}) is revoked; from now on it is refused.\n`
      : `page-preview: There is no such key in ${keys.location}; keys list shows the ids.\n`,
  )
  return revoked ? 0 : 1
}

const rowOf = ({ id, name, createdAt, revokedAt }: ApiKeyInfo) => ({
  id,
  name,
  created: createdAt.toISOString(),
  revoked: revokedAt?.toISOString() ?? null,
})

function table(list: readonly ReturnType<typeof rowOf>[]): string {
  const rows = [
    ['id', 'name', 'created', 'revoked'],
    ...list.map(({ id, name, created, revoked }) => [id, name, created, revoked ?? '-']),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return `${rows.map((row) => line(row).trimEnd()).join('\n')}\n`
}
