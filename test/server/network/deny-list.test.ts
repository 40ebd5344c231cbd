import { unwatchFile, watchFile } from 'node:fs'
import type * as Files from 'node:fs/promises'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

/** Called after the file was opened, and before it is read. */
const reading = { wait: async () => {} }
// The tests of other files share modules with this one.
vi.resetModules()
vi.doMock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof Files>()
  const open: typeof original.open = async (...options) => {
    const file = await original.open(...options)
    await reading.wait()
    return file
  }
  return { ...original, open }
})
const { openDenyList, parseDeniedHosts } = await import('../../../src/server/network/deny-list.js')
afterEach(() => void (reading.wait = async () => {}))
afterAll(() => {
  vi.doUnmock('node:fs/promises')
  vi.resetModules()
})

async function temporaryFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'page-preview-deny-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'deny.txt')
  await writeFile(file, text)
  return file
}

/** At once, so that nobody reads half of it. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
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

  await replace(file, 'other.example')
  await expect.poll(denied).toEqual([false, false, true, true])
  await replace(file, 'not a host')
  await expect.poll(() => errors).toHaveLength(1)
  expect(denied()).toEqual([false, false, true, true])
})

it.each([2, 3, 6])('has the hosts of the last of %i changes, in whatever order their readings end', async (changes) => {
  const file = await temporaryFile('0.example')
  const list = await openDenyList({ file, intervalMs: 5, onError: (error) => expect.fail(String(error)) })
  onTestFinished(() => list.close())
  const waiting: (() => void)[] = []
  reading.wait = () => new Promise((resolve) => waiting.push(resolve))
  const hosts = Array.from({ length: changes }, (_, change) => `${change + 1}.example`)
  for (const host of hosts) {
    await replace(file, host)
    await sleep(40)
  }
  const last = hosts.at(-1)!
  for (let times = 0; times < 20 || !list.includes(last); times++) {
    waiting.pop()?.()
    await sleep(2)
  }
  expect(hosts.filter((host) => list.includes(host))).toEqual([last])
})

it('goes on after a change that cannot be used', async () => {
  const file = await temporaryFile('0.example')
  const errors: unknown[] = []
  const list = await openDenyList({ file, intervalMs: 5, onError: (error) => errors.push(error) })
  onTestFinished(() => list.close())
  await replace(file, 'not a host')
  await expect.poll(() => errors).toHaveLength(1)
  await replace(file, '1.example')
  await expect.poll(() => list.includes('1.example')).toBe(true)
})

it('keeps the hosts of a file that is emptied, until it is written', async () => {
  const file = await temporaryFile('example.com')
  const list = await openDenyList({ file, intervalMs: 5, onError: (error) => expect.fail(String(error)) })
  onTestFinished(() => list.close())
  const seen = new Promise((resolve) => watchFile(file, { persistent: false, interval: 5 }, resolve))
  onTestFinished(() => unwatchFile(file))
  await replace(file, '')
  await seen
  // The list would have been read by then, too.
  for (let times = 0; times < 20; times++) await readFile(file)
  expect(list.includes('example.com')).toBe(true)
  await replace(file, 'example.org')
  await expect.poll(() => list.includes('example.com')).toBe(false)
})

it('rejects a file that is missing, too long or has an invalid line', async () => {
  const onError = () => undefined
  await expect(openDenyList({ file: '/nowhere/deny.txt', onError })).rejects.toThrow('--deny-file cannot be read')
  const long = await temporaryFile('a.example\n'.repeat(500_000))
  await expect(openDenyList({ file: long, onError })).rejects.toThrow('it is longer than')
  await expect(openDenyList({ file: await temporaryFile('a b'), onError })).rejects.toThrow('is not a host to deny')
})

describe('a list of example.com, bücher.de, two addresses and co.uk', () => {
  const isDenied = parseDeniedHosts(['Example.com', 'bücher.de', '192.0.2.7', '2001:db8::1', 'co.uk.'])

  it.each([
    ['example.com', true],
    ['www.example.com', true],
    ['a.b.c.example.com', true],
    ['notexample.com', false],
    ['example.com.attacker.test', false],
    ['com', false],
    ['xn--bcher-kva.de', true],
    ['192.0.2.7', true],
    ['192.0.2.70', false],
    ['::ffff:c000:207', true],
    ['64:ff9b::c000:207', true],
    ['2002:c000:207::', true],
    ['::ffff:c000:208', false],
    ['2001:db8::1', true],
    ['shop.co.uk', true],
    ['', false],
  ])('%s: %s', (hostname, expected) => {
    expect(isDenied(hostname)).toBe(expected)
  })

  it.each([
    '',
    '.',
    'example.com..',
    'a..b',
    'https://example.com',
    'example.com/path',
    'example.com:8080',
    '*.example.com',
    'a b',
    'x'.repeat(300),
  ])('rejects "%s"', (host) => {
    expect(() => parseDeniedHosts([host])).toThrow('is not a host to deny')
  })
})
