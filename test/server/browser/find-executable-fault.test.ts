import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { findExecutableFault } from '../../../src/server/browser/find-executable-fault.js'
import { temporaryDir } from '../store/temporary-dir.js'

it('names what was tried where a file is missing, is none or may not be run', async () => {
  const folder = await temporaryDir()
  const path = join(folder, 'chromium')
  expect(await findExecutableFault(path)).toBe(`there is no file ${path}`)
  expect(await findExecutableFault(relative('.', path))).toBe(`there is no file ${path}`)
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, 0o644)
  expect(await findExecutableFault(path)).toBe(`this user may not run ${path}`)
  expect(await findExecutableFault(join(path, 'chrome'))).toBe(`there is no file ${join(path, 'chrome')}`)
  await chmod(path, 0o755)
  expect(await findExecutableFault(path)).toBeUndefined()
  await mkdir(join(folder, 'chrome'))
  expect(await findExecutableFault(join(folder, 'chrome'))).toBe(`${join(folder, 'chrome')} is not a file`)
})

it('says so where this user may not enter the folder of the file', async () => {
  const folder = await temporaryDir()
  const path = join(folder, 'chromium')
  await writeFile(path, '#!/bin/sh\n', { mode: 0o755 })
  await chmod(folder, 0o000)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid!(65_534)
  try {
    expect(await findExecutableFault(path)).toBe(`this user may not run ${path}`)
  } finally {
    if (isRoot) process.seteuid!(0)
    await chmod(folder, 0o700)
  }
})
