import { execFileSync } from 'node:child_process'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createService, openKeys } from '../../../src/server/index.js'
import { ensureDataDir } from '../../../src/server/store/index.js'
import { temporaryDir } from './temporary-dir.js'

/** Runs the command at the end of a sentence, as an operator does. */
const runCommandOf = (sentence: string) => execFileSync('sh', ['-c', /chmod .*$/.exec(sentence)![0]])
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: Error) => error.message,
  )
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('is created for the user of the service alone', async () => {
    const dataDir = join(await temporaryDir(), 'new')
    expect(await ensureDataDir(dataDir)).toBe(dataDir)
    expect(await modeOf(dataDir)).toBe(0o700)
  })

  it.each(['755', '750', '770', '711', '701', '2770', '777'])(
    'is refused with mode %s, until the command of the message was run',
    async (mode) => {
      const dataDir = join(await temporaryDir(), `it's my $HOME`)
      await mkdir(dataDir)
      await chmod(dataDir, parseInt(mode, 8))
      const message = await messageOf(ensureDataDir(dataDir))
      expect(message).toContain(`${dataDir} (mode ${mode})`)
      runCommandOf(message)
      expect(await ensureDataDir(dataDir)).toBe(dataDir)
    },
  )

  it.each(['cache.db', 'cache.db-wal', 'cache.db-shm', 'keys.db', 'keys.db-wal', 'keys.db-shm', 'signing-secret'])(
    'is refused while others can read its %s, by keys and service alike',
    async (name) => {
      const dataDir = await temporaryDir()
      const keys = await openKeys({ dataDir })
      await keys.create('First')
      const running = createService({ dataDir })
      onTestFinished(() => running.close())
      await running.ready()
      expect(await modeOf(join(dataDir, name))).toBe(0o600)
      await chmod(join(dataDir, name), 0o640)
      const message = await messageOf(openKeys({ dataDir }))
      expect(message).toContain(`${name} (mode 640)`)
      const service = createService({ dataDir })
      expect(await messageOf(service.ready())).toBe(message)
      await service.close()
      runCommandOf(message)
      await (await openKeys({ dataDir })).close()
      await keys.close()
    },
  )

  it.skipIf(process.getuid?.() === 0)('is refused with its path while nothing can be written to it', async () => {
    const dataDir = await temporaryDir()
    await chmod(dataDir, 0o500)
    onTestFinished(() => chmod(dataDir, 0o700))
    expect(await messageOf(ensureDataDir(dataDir))).toMatch(`The data folder ${dataDir} cannot be used (Error: EACCES`)
  })

  it('may lie in a folder that everybody can read, and contain files of others', async () => {
    const parent = await temporaryDir()
    await chmod(parent, 0o755)
    const dataDir = join(parent, 'data')
    await ensureDataDir(dataDir)
    await writeFile(join(dataDir, 'notes.txt'), '', { mode: 0o644 })
    expect(await ensureDataDir(dataDir)).toBe(dataDir)
  })
})
