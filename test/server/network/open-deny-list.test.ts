import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDenyList } from '../../../src/server/network/index.js'

async function temporaryFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'page-preview-deny-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'deny.txt')
  await writeFile(file, text)
  return file
}

it('reads a host on each line, without comments, and again when the file changes', async () => {
  const file = await temporaryFile('# asked by mail\nexample.com # 2026-01-31\r\n\n  example.org\n')
  const errors: unknown[] = []
  const list = await openDenyList({
    hosts: ['example.net'],
    file,
    intervalMs: 20,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => list.close())
  const denied = () =>
    ['example.com', 'www.example.org', 'example.net', 'other.example'].map((host) => list.includes(host))
  expect(denied()).toEqual([true, true, true, false])

  await writeFile(file, 'other.example')
  await expect.poll(denied).toEqual([false, false, true, true])
  await writeFile(file, 'not a host')
  await expect.poll(() => errors).toHaveLength(1)
  expect(denied()).toEqual([false, false, true, true])
})

it('rejects a file that is missing, too long or has an invalid line', async () => {
  const onError = () => undefined
  await expect(openDenyList({ file: '/nowhere/deny.txt', onError })).rejects.toThrow('--deny-file cannot be read')
  const long = await temporaryFile('a.example\n'.repeat(500_000))
  await expect(openDenyList({ file: long, onError })).rejects.toThrow('it is longer than')
  await expect(openDenyList({ file: await temporaryFile('a b'), onError })).rejects.toThrow('is not a host to deny')
})
