import { openKeys, type ApiKeyInfo, type Keys } from '../keys/index.js'
import { optionVariable, passwordAdvice } from '../serve-options.js'
import type { CommandEnvironment } from './command-environment.js'
import { formatTable } from './format-table.js'
import { readKeysCommand } from './read-keys-command.js'

/**
 * Creates, lists and revokes keys of the pro host; a running service on the same store sees each change at once.
 *
 * @returns  0, or 1 when there is no such key.
 * @throws   {UsageError}; Error with a sentence when the data folder or the Redis cannot be used.
 */
export async function manageKeys(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const command = readKeysCommand(args, environment.env)
  if (command.hasExposedPassword)
    environment.stderr.write(`page-preview-server: --redis contains a password, and ${passwordAdvice('redis')}.\n`)
  const keys = await openKeys(command)
  try {
    if (command.action === 'create') return await createKey(command.name, keys, environment)
    if (command.action === 'list') return await listKeys(command, keys, environment)
    return await revokeKey(command.id, keys, environment)
  } finally {
    await keys.close()
  }
}

const CANNOT_SIGN =
  `It cannot sign URLs, because no signing secret is set: set ${optionVariable('signingSecret')} here and for the service ` +
  `(make one with: openssl rand -base64 32), then create another key.\n`

async function createKey(name: string, keys: Keys, { stdout, stderr }: CommandEnvironment): Promise<number> {
  const { key, id, canSign } = await keys.create(name)
  stdout.write(`${key}\n`)
  stderr.write(
    `Store it now, it is not shown again. It works at once: send it as the header x-api-key${canSign ? ', or sign with it' : ''}.\n` +
      (canSign ? '' : CANNOT_SIGN) +
      `To revoke it: page-preview-server keys revoke ${id}\n`,
  )
  return 0
}

async function listKeys(
  { isJson }: { isJson: boolean },
  keys: Keys,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const rows = (await keys.list()).map(toRow)
  if (isJson) stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length) stdout.write(asTable(rows))
  else stderr.write(`There are no keys in ${keys.location}.\n`)
  return 0
}

async function revokeKey(id: string, keys: Keys, { stderr }: CommandEnvironment): Promise<number> {
  const revoked = await keys.revoke(id)
  stderr.write(
    revoked
      ? `Key ${revoked.id} (${revoked.name}) is revoked; requests with it are refused from now on.\n`
      : `page-preview-server: There is no such key in ${keys.location}; keys list shows the ids.\n`,
  )
  return revoked ? 0 : 1
}

const toRow = ({ id, name, createdAt, revokedAt }: ApiKeyInfo) => ({
  id,
  name,
  created: createdAt.toISOString(),
  revoked: revokedAt?.toISOString() ?? null,
})

function asTable(rows: readonly ReturnType<typeof toRow>[]): string {
  const header = ['id', 'name', 'created', 'revoked']
  const cells = rows.map(({ id, name, created, revoked }) => [id, name, created, revoked ?? '-'])
  return `${formatTable([header, ...cells]).join('\n')}\n`
}
