import { openKeys, type ApiKeyInfo, type Keys } from '../keys/index.js'
import { optionFlag, optionVariable, passwordAdvice } from '../serve-options.js'
import type { CommandEnvironment } from './command-environment.js'
import { formatTable } from './format-table.js'
import { keysAsText, readKeyFile, writeKeyFile } from './key-files.js'
import { readKeysCommand } from './read-keys-command.js'

/**
 * Manages the keys of the pro host; a running service on the same store sees each change at once.
 *
 * @returns  0, or 1 when there is no such key.
 * @throws   {UsageError}; Error with a sentence when the data folder or the Redis cannot be used.
 */
export async function manageKeys(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const command = readKeysCommand(args, environment.env)
  const option = command.keys === undefined ? 'redis' : 'keys'
  if (command.hasExposedPassword)
    environment.stderr.write(
      `page-preview-server: ${optionFlag(option)} contains a password, and ${passwordAdvice(option)}.\n`,
    )
  const keys = await openKeys(command)
  try {
    if (command.action === 'create') return await createKey(command.name, keys, environment)
    if (command.action === 'list') return await listKeys(command, keys, environment)
    if (command.action === 'export') return await exportKeys(command.file, keys, environment)
    if (command.action === 'import') return await importKeys(command.file, keys, environment)
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

async function exportKeys(
  file: string | undefined,
  keys: Keys,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const records = await keys.exportAll()
  if (file === undefined) stdout.write(keysAsText(records))
  else await writeKeyFile(file, records)
  stderr.write(
    `${records.length} keys are exported. Their secrets are not among them; where they sign, the signing secret is needed too.\n`,
  )
  return 0
}

async function importKeys(file: string, keys: Keys, { stderr }: CommandEnvironment): Promise<number> {
  const count = await keys.importAll(await readKeyFile(file))
  stderr.write(`${count} keys are imported into ${keys.location}; revoked ones stay revoked.\n`)
  return 0
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
