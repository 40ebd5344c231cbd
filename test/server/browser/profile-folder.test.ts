import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProfileFolder } from '../../../src/server/browser/profile-folder.js'

let folder: string
let systemFolder: string | undefined
beforeEach(async () => {
  systemFolder = process.env.TMPDIR
  folder = await mkdtemp(join(tmpdir(), 'page-preview-profiles-'))
  process.env.TMPDIR = folder
})
afterEach(async () => {
  if (systemFolder === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = systemFolder
  await rm(folder, { recursive: true, force: true })
})

const profileOf = (pid: number, instance: string) => mkdtemp(join(folder, `page-preview-browser-${pid}-${instance}-`))

/** What a profile folder of this process has in its name. */
const ownInstance = async () => basename(await createProfileFolder()).split('-')[4]!

it('keeps the profiles of the running service, which may have several browsers', async () => {
  const first = await createProfileFolder()
  const second = await createProfileFolder()
  expect((await readdir(folder)).toSorted()).toEqual([first, second].map((path) => basename(path)).toSorted())
})

it.runIf(process.platform === 'linux')(
  'removes the profile of an earlier process with its own id, as each service in a container has it',
  async () => {
    const abandoned = await profileOf(process.pid, `${await ownInstance()}0`)
    await createProfileFolder()
    expect(await readdir(folder)).not.toContain(basename(abandoned))
  },
)

it.runIf(process.platform === 'linux')(
  'removes the profile of an earlier process whose id another program has now',
  async () => {
    const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
    try {
      await once(other, 'spawn')
      const abandoned = await profileOf(other.pid!, await ownInstance())
      await createProfileFolder()
      expect(await readdir(folder)).not.toContain(basename(abandoned))
    } finally {
      other.kill('SIGKILL')
      await once(other, 'exit')
    }
  },
)
