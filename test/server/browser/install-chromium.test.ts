// Covers the installation of a Chromium, from a mirror and from the npm package: `install-chromium.ts` and what it uses.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import lockfile from '../../../src/server/browser/chromium-package/package-lock.json' with { type: 'json' }
import { redirectTarget } from '../../../src/server/browser/download-chromium.js'
import { ensureChromium, installChromium, installNewer } from '../../../src/server/browser/install-chromium.js'
import { listInstalled } from '../../../src/server/browser/installed-chromiums.js'
import { startBrowserMirror, type BrowserMirror } from './browser-mirror.js'
import { createFakeHome, type FakeHome } from './fake-home.js'

const LIST = '/chrome/last-known-good-versions.json'
const ARCHIVE = '/chrome/154.0.8100.5/linux64/chrome-headless-shell-linux64.zip'

let home: FakeHome
let mirror: BrowserMirror
let env: NodeJS.ProcessEnv
let folder: string
let events: Record<string, unknown>[]
beforeEach(async () => {
  home = await createFakeHome()
  mirror = await startBrowserMirror()
  folder = join(home.path, 'cache', 'chromium')
  env = { ...home.env, PAGE_PREVIEW_CHROMIUM_DIR: folder }
  events = []
  // The headless shell of Google brings none along.
  await home.addProgram('.fonts/font.ttf')
})
afterEach(() => Promise.all([home.remove(), mirror.close()]))

const log = (event: Record<string, unknown>) => void events.push(event)
const install = (options = {}) => installChromium({ env, mirror: mirror.url, log, ...options })
const eventNames = () => [...new Set(events.map(({ event }) => event))]

/** No part of a failed installation. */
const expectNothingInstalled = async () => {
  expect(await listInstalled(folder)).toEqual([])
  expect((await readdir(folder)).filter((name) => name !== 'downloads')).toEqual([])
}

/** A registry with a package that unpacks like the real one, or none. */
async function addNpm({ isReachable }: { isReachable: boolean }): Promise<void> {
  const bin = 'node_modules/@sparticuz/chromium'
  const create = [
    `/bin/mkdir -p ${bin}/bin`,
    `/bin/touch ${bin}/bin/chromium.br ${bin}/bin/fonts.tar.br`,
    `echo '{"type":"module","exports":"./index.js"}' > ${bin}/package.json`,
    `/bin/cat > ${bin}/index.js <<'END'
import { mkdirSync, writeFileSync } from 'node:fs'
export function inflate(path) {
  const name = process.env.TMPDIR + '/' + path.replace(/.*\\//, '').split('.')[0]
  if (name.endsWith('fonts')) mkdirSync(name)
  else writeFileSync(name, '#!/bin/sh\\necho Chromium 153.0.8010.0\\n', { mode: 0o700 })
}
END`,
  ]
  await home.addProgram('bin/npm', isReachable ? create.join('\n') : 'echo "npm error network ENOTFOUND" >&2; exit 1')
}

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('installing a Chromium', () => {
  it('downloads the stable version of a mirror, and reports how far it is', async () => {
    mirror.offer('154.0.8100.5', { hasHash: true, paddingBytes: 400_000 })
    const installed = await install()
    expect(installed).toMatchObject({ version: '154.0.8100.5', origin: new URL(ARCHIVE, mirror.url).href })
    expect(await listInstalled(folder)).toEqual([installed])
    expect((await stat(installed.folder)).mode & 0o777).toBe(0o755)
    expect(await ensureChromium({ env, installedPaths: [] })).toMatchObject({
      path: installed.path,
      version: '154.0.8100.5',
      source: 'installed',
      installed,
    })
    expect(mirror.requests).toEqual([LIST, ARCHIVE])
    expect(eventNames()).toEqual(['chromium-install-started', 'chromium-downloading', 'chromium-installed'])
    const last = events.findLast(({ event }) => event === 'chromium-downloading')!
    expect(last['receivedBytes']).toBe(last['totalBytes'])
    expect(await readdir(join(folder, 'downloads'))).toEqual([])
  })

  it('needs no program to unpack it', async () => {
    vi.stubEnv('PATH', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    mirror.offer('154.0.8100.5')
    expect(await install()).toMatchObject({ version: '154.0.8100.5' })
  })

  it('continues a download when its connection breaks', async () => {
    mirror.offer('154.0.8100.5', { paddingBytes: 400_000, cutAfterBytes: 100_000, hasHash: true })
    expect(await install()).toMatchObject({ version: '154.0.8100.5' })
    expect(mirror.requests).toEqual([LIST, ARCHIVE, expect.stringMatching(/zip bytes=[1-9]\d*-$/)])
  })

  it('continues a download that an earlier process was stopped at', async () => {
    mirror.offer('154.0.8100.5', { paddingBytes: 400_000, cutAfterBytes: 100_000 })
    const stop = new AbortController()
    const stopAtFirstByte = (event: Record<string, unknown>) =>
      event['event'] === 'chromium-downloading' && stop.abort(new Error('stopped'))
    await expect(install({ log: stopAtFirstByte, signal: stop.signal })).rejects.toThrow('stopped')
    await expectNothingInstalled()
    const [unfinished] = await readdir(join(folder, 'downloads'))
    // As if that process had been killed.
    await writeFile(join(folder, 'downloads', `${unfinished}4194304-1x1_abc123`), 'PK')
    expect(await install()).toMatchObject({ version: '154.0.8100.5' })
    expect(mirror.requests.at(-1)).toMatch(/zip bytes=[1-9]\d*-$/)
    expect(await readdir(join(folder, 'downloads'))).toEqual([])
  })

  it.each([
    ['the archive is damaged', { damageAt: 5_000, paddingBytes: 400_000 }, 'icudtl.dat in it is damaged'],
    ['the archive unpacks to too much', { statedBytes: 2_000_000_000 }, 'unpacks to more than'],
    [
      'the archive does not have its hash',
      { damageAt: 5_000, hasHash: true, paddingBytes: 400_000 },
      'does not have the hash',
    ],
    ['it does not start', { script: 'echo "no libraries" >&2; exit 127' }, 'no libraries'],
    ['it is of another version', { script: 'echo Chromium 153.0.1.1' }, 'contains version 153.0.1.1 instead of 154'],
  ])('refuses a download if %s', async (_, options, reason) => {
    await addNpm({ isReachable: false })
    mirror.offer('154.0.8100.5', options)
    await expect(install()).rejects.toThrow('none could be installed')
    expect(events.find(({ event }) => event === 'chromium-download-failed')).toMatchObject({
      reason: expect.stringContaining(reason),
    })
    await expectNothingInstalled()
  })

  it('downloads an archive once more if the part that was downloaded earlier is damaged', async () => {
    mirror.offer('154.0.8100.5', { paddingBytes: 400_000 })
    await mkdir(join(folder, 'downloads'), { recursive: true })
    await writeFile(join(folder, 'downloads', '154.0.8100.5-linux.zip_'), Buffer.alloc(10_000))
    expect(await install()).toMatchObject({ version: '154.0.8100.5' })
    expect(mirror.requests).toEqual([LIST, `${ARCHIVE} bytes=10000-`, ARCHIVE])
  })

  it('removes unfinished downloads of other versions', async () => {
    mirror.offer('154.0.8100.5')
    await mkdir(join(folder, 'downloads'), { recursive: true })
    await writeFile(join(folder, 'downloads', '153.0.8100.5-linux.zip_'), 'PK')
    await install()
    expect(await readdir(join(folder, 'downloads'))).toEqual([])
  })

  it.each(['{}', '[]', 'null', '<html>', '{"channels":{"Stable":{"version":"../../etc"}}}'])(
    'refuses the version list %s',
    async (list) => {
      await addNpm({ isReachable: false })
      mirror.serve('/chrome/last-known-good-versions.json', { body: list })
      await expect(install()).rejects.toThrow('none could be installed')
      expect(mirror.requests).toEqual([LIST])
    },
  )

  it.each([
    ['redirects without an end', { status: 302, headers: { location: ARCHIVE } }, 'redirects more than 5 times'],
    ['redirects to a file', { status: 302, headers: { location: 'file:///etc/passwd' } }, 'redirects to file:'],
    ['is larger than any Chromium', { headers: { 'content-length': '600000000' } }, 'which is too many'],
    ['is missing', { status: 404 }, 'responds with 404'],
  ])('refuses an archive that %s', async (_, response, reason) => {
    await addNpm({ isReachable: false })
    mirror.offer('154.0.8100.5')
    mirror.serve(ARCHIVE, response)
    await expect(install()).rejects.toThrow('none could be installed')
    expect(events.find(({ event }) => event === 'chromium-download-failed')).toMatchObject({
      reason: expect.stringContaining(reason),
    })
  })

  it.each([
    ['https://a.test/1', '/2', 'https://a.test/2'],
    ['https://a.test/1', 'https://b.test/2', 'https://b.test/2'],
    ['https://a.test/1', 'http://a.test/2', undefined],
    ['https://a.test/1', 'http://', undefined],
    ['http://a.test/1', 'http://b.test/2', 'http://b.test/2'],
    ['http://a.test/1', 'https://b.test/2', 'https://b.test/2'],
    ['http://a.test/1', 'ftp://b.test/2', undefined],
  ])('follows a redirect of %s to %s: %s', (first, location, target) => {
    const follow = () => redirectTarget(location, new URL(first), new URL(first)).href
    if (target) expect(follow()).toBe(target)
    else expect(follow).toThrow('not https')
  })

  it('uses the npm package without a route to the mirror', async () => {
    await addNpm({ isReachable: true })
    await mirror.close()
    const found = await ensureChromium({ env, installedPaths: [], mirror: mirror.url, log })
    expect(found).toMatchObject({ version: '153.0.8010.0', source: 'installed' })
    expect(found.installed?.origin).toBe('@sparticuz/chromium@153.0.0')
    expect(await readFile(join(folder, '153.0.8010.0', 'fonts', 'fonts.conf'), 'utf8')).toContain(
      '<dir prefix="relative">',
    )
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^part_/)]))
    mirror = await startBrowserMirror()
  })

  it('requests exactly the locked version from npm, without scripts', async () => {
    const [args, lock] = [join(home.path, 'npm-args'), join(home.path, 'npm-lock')]
    await home.addProgram('bin/npm', `echo "$@" > ${args}; /bin/cat package-lock.json > ${lock}; exit 1`)
    await expect(install()).rejects.toThrow('none could be installed')
    expect(await readFile(args, 'utf8')).toMatch(/^ci --ignore-scripts /)
    expect(JSON.parse(await readFile(lock, 'utf8'))).toEqual(lockfile)
  })

  it.each([
    ['npm is missing', undefined, /npm was not found/],
    ['the network is down', 'echo "npm error network ENOTFOUND" >&2; exit 1', /Check the network/],
    ['the disk is full', 'echo "npm error ENOSPC: no space left" >&2; exit 1', /not have enough space left/],
  ])('explains what to do when %s, and leaves nothing behind', async (_, npm, message) => {
    if (npm) await home.addProgram('bin/npm', npm)
    await expect(install()).rejects.toThrow(message)
    await expectNothingInstalled()
  })

  it('updates only to a newer version, from the mirror or the package', async () => {
    await addNpm({ isReachable: true })
    mirror.offer('154.0.8100.5')
    const options = { env, mirror: mirror.url, log }
    expect(await installNewer('154.0.8100.5', options)).toBeUndefined()
    expect(await installNewer('154.0.8100.12', options)).toBeUndefined()
    expect(await installNewer('154.0.8100.4', options)).toMatchObject({ version: '154.0.8100.5' })
    mirror.serve(LIST, { status: 500 })
    expect(await installNewer('152.0.1.1', options)).toMatchObject({ version: '153.0.8010.0' })
    await expect(installNewer('153.0.1.1', options)).rejects.toThrow('responds with 500')
  })

  it('happens once if several processes do it at the same time', async () => {
    mirror.offer('154.0.8100.5', { paddingBytes: 400_000 })
    const [first, second] = await Promise.all([install(), install()])
    expect(second.path).toBe(first.path)
    expect(await listInstalled(folder)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['154.0.8100.5', 'downloads']))
  })
})
