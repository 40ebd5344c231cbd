import { openKeys, type ApiKeyChange, type Keys } from '../keys/index.js'
import { optionFlag, optionVariable, passwordAdvice } from '../serve-options.js'
import type { ApiKeyLimits } from '../store/index.js'
import { printable } from './printable.js'
import type { CommandEnvironment } from './command-environment.js'
import { keysAsText, readKeyFile, writeKeyFile } from './key-files.js'
import { keyRow, keysTable, type KeyRow } from './keys-table.js'
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
    if (command.action === 'create') return await createKey(command, keys, environment)
    if (command.action === 'list') return await listKeys(command, keys, environment)
    if (command.action === 'update') return await updateKey(command, keys, environment)
    if (command.action === 'export') return await exportKeys(command.file, keys, environment)
    if (command.action === 'import') return await importKeys(command.file, keys, environment)
    return await revokeKey(command.id, keys, environment)
  } finally {
    await keys.close()
  }
}

const CANNOT_SIGN =
  `It cannot sign URLs, because no signing secret is set: set ${optionVariable('signingSecret')} here and for the service ` +
  `(generate one with: openssl rand -base64 32), then create another key.\n`

async function createKey(
  { name, limits }: { name: string; limits: ApiKeyLimits },
  keys: Keys,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const { key, id, canSign } = await keys.create(name, limits)
  stdout.write(`${key}\n`)
  stderr.write(
    `Store it now, it is not shown again. It works at once: send it as the header x-api-key${canSign ? ', or sign with it' : ''}.\n` +
      (canSign ? '' : CANNOT_SIGN) +
      `To revoke it: page-preview-server keys revoke ${id}\n`,
  )
  return 0
}

async function listKeys(
  { isJson, hasUsage }: { isJson: boolean; hasUsage: boolean },
  keys: Keys,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const rows: KeyRow[] = []
  for (const info of await keys.list()) rows.push(keyRow(info, hasUsage ? await keys.usage(info.id) : undefined))
  if (isJson) stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length) stdout.write(keysTable(rows, new Date().toISOString().slice(0, 10)))
  else stderr.write(`There are no keys in ${keys.location}.\n`)
  return 0
}

async function revokeKey(id: string, keys: Keys, { stderr }: CommandEnvironment): Promise<number> {
  const revoked = await keys.revoke(id)
  stderr.write(
    revoked
      ? `Key ${revoked.id} (${printable(revoked.name)}) is revoked; requests with it are refused from now on.\n`
      : `page-preview-server: There is no such key in ${keys.location}; keys list shows the ids.\n`,
  )
  return revoked ? 0 : 1
}

async function updateKey(
  { id, change }: { id: string; change: ApiKeyChange },
  keys: Keys,
  { stderr }: CommandEnvironment,
): Promise<number> {
  const updated = await keys.update(id, change)
  stderr.write(
    updated
      ? `Key ${updated.id} (${printable(updated.name)}) is changed; it takes effect at once.\n`
      : `page-preview-server: There is no such key in ${keys.location}; keys list shows the ids.\n`,
  )
  return updated ? 0 : 1
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
