// Covers the open files that child processes do not inherit: SQLite closes its own in them.
import { spawnSync } from 'node:child_process'
import { platform } from 'node:os'
import { expect, it } from 'vitest'
import { openLocalStore } from '../../src/server/store/local/open-local-store.js'
import { temporaryDir } from './store/temporary-dir.js'

const LIST = `
  const { readdirSync, readlinkSync } = require('node:fs')
  const linkOf = (name) => { try { return readlinkSync('/proc/self/fd/' + name) } catch { return '' } }
  console.log(JSON.stringify(readdirSync('/proc/self/fd').map(linkOf)))`

it.runIf(platform() === 'linux')('hides the open store from child processes', async () => {
  const dataDir = await temporaryDir()
  const store = await openLocalStore({ dataDir, maxBytes: Infinity })
  const { stdout } = spawnSync(process.execPath, ['-e', LIST])
  const files = JSON.parse(String(stdout)) as string[]
  expect(files).not.toEqual([])
  expect(files.filter((file) => file.startsWith(dataDir))).toEqual([])
  await store.close()
})
