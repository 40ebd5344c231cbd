import { mkdir, readdir, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addToLock, lockText, readLock, writeLock, type Lock } from '../../../src/static/freeze/lock.js'
import { temporarySite } from './temporary-site.js'

const preview = (title: string) => ({
  date: '2026-01-31T12:00:00.000Z',
  data: { title },
  image: {
    width: 2,
    height: 1,
    files: [{ name: '0123456789abcdef.640.webp', type: 'webp' as const, width: 640 }],
    isScreenshot: true,
  },
})
const lock: Lock = new Map([
  ['url=https%3A%2F%2Fb.test%2F', { url: 'https://b.test/', preview: preview('B') }],
  [
    'url=https%3A%2F%2Fa.test%2F',
    { url: 'https://a.test/', failure: { code: 'HTTP 404', message: 'Gone.', since: '2026-01-31T12:00:00.000Z' } },
  ],
])

/** Reads a lock file with this text. */
async function readText(text: string) {
  const path = join((await temporarySite({ 'a.html': '' })).folder, 'page-preview.lock.json')
  await writeFile(path, text)
  return readLock(path)
}

describe('a lock file', () => {
  it('is sorted, with one entry a line, and reads as it was written', async () => {
    const text = lockText(lock)
    expect(text.split('\n').map((line) => line.slice(0, 35))).toEqual(
      [
        '{',
        '  "version": 1,',
        '  "previews": {',
        '    "url=https%3A%2F%2Fa.test%2F": ',
        '    "url=https%3A%2F%2Fb.test%2F": ',
        '  }',
        '}',
        '',
      ].map((line, index) => (index === 3 || index === 4 ? expect.stringContaining(line) : line)),
    )
    const read = await readText(text)
    expect(read).toEqual(new Map(lock))
    expect(lockText(read)).toBe(text)
  })

  it('that does not exist is empty', async () => {
    expect(await readLock('/no/such/page-preview.lock.json')).toEqual(new Map())
  })

  it('that is a device, which may have no end, is refused', async () => {
    await expect(readLock('/dev/null')).rejects.toThrow('/dev/null cannot be read: it is not a file.')
  })

  it('without previews reads as it was written', async () => {
    expect(await readText(lockText(new Map()))).toEqual(new Map())
  })

  it.each([
    [
      'with a merge conflict',
      lockText(lock).replace('    "url', '<<<<<<< HEAD\n    "url'),
      /merge conflict on line 4.*keep one line/,
    ],
    ['that is cut off', lockText(lock).slice(0, 200), /not valid JSON.*Restore the file from version control/],
    ['that is empty', '', /not valid JSON/],
    ['that is another file', '[1]', /not a lock file/],
    ['of a later version', '{"version":2,"previews":{}}', /version 2.*update page-preview-server/],
    ['without previews', '{"version":1}', /no previews/],
    [
      'with an invalid entry',
      lockText(lock).replace('"title":"B"', '"title":"B"},"date":7,"x":{'),
      /invalid on line 5/,
    ],
    [
      'with a URL that is not one of the web',
      lockText(lock).replace('"url":"https://b.test/"', '"url":"javascript:1"'),
      /invalid on line 5/,
    ],
  ])('%s is refused with what to do', async (_, text, message) => {
    await expect(readText(text)).rejects.toThrow(message)
  })

  it('ignores properties of a lock file that it does not know', async () => {
    const hostile = {
      url: 'https://a.test/',
      preview: {
        date: '2026-01-31T12:00:00.000Z',
        data: {
          title: 7,
          description: 'x'.repeat(20_000),
          onload: 'alert(1)',
          image: { url: 'https://a.test/i.png', type: {} },
        },
        image: { width: 1, height: 1, files: [{ name: '../../etc/passwd', type: 'png', width: 1 }] },
        icon: { width: 1, height: 1, files: [{ name: '0123456789abcdef.16.html', type: 'html', width: 1 }] },
      },
      __proto__: { polluted: true },
    }
    const read = await readText(JSON.stringify({ version: 1, previews: { key: hostile, ['__proto__']: hostile } }))
    const { preview } = read.get('key')!
    expect(preview).toEqual({
      date: '2026-01-31T12:00:00.000Z',
      data: { title: null, description: 'x'.repeat(10_000), image: { url: 'https://a.test/i.png', type: null } },
    })
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it('stays a symbolic link where it is one', async () => {
    const { folder } = await temporarySite({})
    const [path, target] = [join(folder, 'lock.json'), join(folder, 'shared.json')]
    await writeLock(target, new Map())
    await symlink(target, path)
    await writeLock(path, lock)
    expect(await readlink(path)).toBe(target)
    expect(await readLock(target)).toEqual(new Map(lock))
  })

  it('is not touched when nothing has changed', async () => {
    const { folder } = await temporarySite({ 'a.html': '' })
    const path = join(folder, 'lock.json')
    await writeLock(path, lock)
    const { ino } = await stat(path)
    await writeLock(path, new Map([...lock].toReversed()))
    expect((await stat(path)).ino).toBe(ino)
  })
})

const entryOf = (name: string) => new Map([[name, { url: `https://site.test/${name}` }]])

it('keeps what others write at the same time', async () => {
  const { lock } = (await temporarySite({})).paths
  const names = Array.from({ length: 20 }, (_, index) => `page-${index}`)
  await Promise.all(names.map((name) => addToLock(lock, entryOf(name))))
  expect([...(await readLock(lock)).keys()]).toEqual(names.toSorted())
  expect(await readdir(dirname(lock))).not.toContain('page-preview.lock.json.saving')
})

it('does not wait for a process that was killed', async () => {
  const { lock } = (await temporarySite({})).paths
  await mkdir(`${lock}.saving`)
  const minuteAgo = Date.now() / 1_000 - 60
  await utimes(`${lock}.saving`, minuteAgo, minuteAgo)
  await addToLock(lock, entryOf('page'))
  expect((await readLock(lock)).size).toBe(1)
})

it.each([
  ['is a file', (path: string) => writeFile(path, '')],
  ['is not empty', (path: string) => mkdir(join(path, 'notes'), { recursive: true })],
])('says what is in the way when the folder of a process that was killed %s', async (_, create) => {
  const { lock } = (await temporarySite({})).paths
  await create(`${lock}.saving`)
  const minuteAgo = Date.now() / 1_000 - 60
  await utimes(`${lock}.saving`, minuteAgo, minuteAgo)
  await expect(addToLock(lock, entryOf('page'))).rejects.toThrow(
    `${lock}.saving prevents saving, because it is not an empty folder. Remove it.`,
  )
  expect(await readdir(dirname(lock))).toEqual(['page-preview.lock.json.saving'])
})

it('creates no file when there is nothing to add', async () => {
  const { folder, paths } = await temporarySite({})
  await addToLock(paths.lock, new Map())
  expect(await readdir(folder)).toEqual([])
})
