// Covers what the commands of `page-preview-server` print on a terminal, and into files and pipes.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openKeys } from '../../../src/server/index.js'
import { temporaryDir } from '../../server/store/temporary-dir.js'
import { runCommand } from './run-command.js'

/** Clears the screen in both spellings, turns the direction of text, and hides a letter. */
const HOSTILE = 'a\u001b[2J\u009b2J\u007f\r\u202E\u{E0041}z'
const UNPRINTABLE = /(?!\n)\p{Cc}|[\u202e\u{E0041}]/u

async function hostileKeys(): Promise<string> {
  const dataDir = await temporaryDir()
  const keys = await openKeys({ dataDir })
  await keys.create(HOSTILE)
  await keys.close()
  return dataDir
}
const firstKeyId = async (dataDir: string) => {
  const { stdout } = await runCommand(['keys', 'list', '--json', `--data-dir=${dataDir}`])
  return (JSON.parse(stdout) as { id: string }[])[0]!.id
}
async function hostileSite(html: string): Promise<string> {
  const dir = await temporaryDir()
  await mkdir(join(dir, 'site'))
  await writeFile(join(dir, 'site', `${HOSTILE}.html`), html)
  return dir
}

it.each<[string, () => Promise<string[]>]>([
  ['keys list', async () => ['keys', 'list', `--data-dir=${await hostileKeys()}`]],
  ['keys list --json', async () => ['keys', 'list', '--json', `--data-dir=${await hostileKeys()}`]],
  ['keys export', async () => ['keys', 'export', `--data-dir=${await hostileKeys()}`]],
  [
    'keys update',
    async () => {
      const dataDir = await hostileKeys()
      return ['keys', 'update', await firstKeyId(dataDir), '--daily-limit=1', `--data-dir=${dataDir}`]
    },
  ],
  [
    'keys revoke',
    async () => {
      const dataDir = await hostileKeys()
      return ['keys', 'revoke', await firstKeyId(dataDir), `--data-dir=${dataDir}`]
    },
  ],
  ['keys import', async () => ['keys', 'import', `${HOSTILE}.jsonl`, `--data-dir=${await temporaryDir()}`]],
  ['purge', async () => ['purge', `--data-dir=/dev/null/${HOSTILE}`, '--all']],
  ['check', async () => ['check', HOSTILE]],
  ['freeze', async () => ['freeze', HOSTILE]],
  [
    'freeze --json',
    async () => {
      const dir = await hostileSite('<page-preview url="javascript:1"></page-preview>')
      return ['freeze', join(dir, 'site'), '--json', `--lock=${join(dir, 'lock.json')}`]
    },
  ],
  ['capture', async () => ['capture', `--from=${HOSTILE}`, `--out=${await temporaryDir()}`]],
  ['serve', async () => ['serve', `--${HOSTILE}`]],
  ['an unknown command', async () => [HOSTILE]],
])('%s prints nothing that a terminal obeys or hides', async (_, args) => {
  const { stdout, stderr } = await runCommand(await args(), { isTTY: true })
  expect(stdout + stderr).toContain('2J')
  // The progress bar erases its own line.
  expect((stdout + stderr).replaceAll('\r\u001b[K', '')).not.toMatch(UNPRINTABLE)
})

it('keys list has one line for a key whose name has several', async () => {
  const dataDir = await temporaryDir()
  const keys = await openKeys({ dataDir })
  await keys.create('Shop\n000000000000  Forged')
  await keys.close()
  const { stdout } = await runCommand(['keys', 'list', `--data-dir=${dataDir}`])
  expect(stdout.trim().split('\n')).toHaveLength(2)
})

it('keys list --json gives pipes the bytes', async () => {
  const { stdout } = await runCommand(['keys', 'list', '--json', `--data-dir=${await hostileKeys()}`])
  expect(stdout).toContain('\u009b2J')
})
