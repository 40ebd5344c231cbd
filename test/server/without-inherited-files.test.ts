// Covers the open files that child processes do not inherit.
import { spawnSync } from 'node:child_process'
import { platform } from 'node:os'
import { expect, it } from 'vitest'
import { withoutInheritedFiles } from '../../src/server/child-processes.js'
import { openLocalStore } from '../../src/server/store/local/open-local-store.js'
import { temporaryDir } from './store/temporary-dir.js'

const LIST = `
  const { readdirSync, readlinkSync } = require('node:fs')
  const linkOf = (name) => { try { return readlinkSync('/proc/self/fd/' + name) } catch { return '' } }
  console.log(JSON.stringify(readdirSync('/proc/self/fd').map(linkOf)))`

it.runIf(platform() === 'linux')(
  'hides the open store from child processes, which have their own streams',
  async () => {
    const dataDir = await temporaryDir()
    const store = await openLocalStore({ dataDir, maxBytes: Infinity })
    const filesOf = (stdio: Parameters<typeof spawnSync>[2]) =>
      (JSON.parse(String(spawnSync(process.execPath, ['-e', LIST], stdio).stdout)) as string[]).filter((file) =>
        file.startsWith(dataDir),
      )
    expect(filesOf({ stdio: ['ignore', 'pipe', 'ignore'] })).not.toEqual([])
    expect(filesOf({ stdio: withoutInheritedFiles(['ignore', 'pipe', 'ignore']) })).toEqual([])
    await store.close()
  },
)
