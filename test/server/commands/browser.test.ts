import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../static/commands/run-command.js'
import { startBrowserMirror, type BrowserMirror } from '../browser/browser-mirror.js'
import { createFakeHome, type FakeHome } from '../browser/fake-home.js'

const DAY_MS = 86_400_000

let home: FakeHome
let mirror: BrowserMirror
let env: Record<string, string>
beforeEach(async () => {
  home = await createFakeHome()
  mirror = await startBrowserMirror()
  env = { HOME: home.path, PATH: join(home.path, 'bin'), PAGE_PREVIEW_BROWSER_MIRROR: mirror.url }
  await home.addProgram('.fonts/font.ttf')
})
afterEach(() => Promise.all([home.remove(), mirror.close()]))

const browser = (args: string[], options: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['browser', ...args], { env, ...options })

async function addInstalled(version: string, daysAgo: number): Promise<string> {
  const path = await home.addProgram(`.cache/page-preview/chromium/${version}/shell`, `echo Chromium ${version}`)
  const record = {
    executable: 'shell',
    origin: 'https://mirror.test/shell.zip',
    installedAt: Date.now() - daysAgo * DAY_MS,
  }
  await writeFile(join(dirname(path), 'installed.json'), JSON.stringify(record))
  return path
}

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('browser', () => {
  it.each([
    [[]],
    [['remove']],
    [['install', 'chrome']],
    [['status', '--every']],
    [['status', '--browser=http://a:1,b']],
  ])('rejects %j', async (args) => {
    expect(await browser(args)).toMatchObject({ code: 2, stdout: '' })
  })

  it('rejects a mirror with a password, which would be stored', async () => {
    expect(await browser(['install', '--browser-mirror=https://me:hush@mirror.test'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--browser-mirror must be a URL without a user'),
    })
  })

  describe('status', () => {
    it('fails if there is no Chromium, and says how to install one', async () => {
      // Another program of this machine may be found.
      const status = await browser(['status', '--json'], { env: { ...env, CHROMIUM_PATH: '/nowhere' } })
      expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining('/nowhere') })
    })

    it('shows version, age and origin of an installed one, and whether an update is due', async () => {
      const path = await addInstalled('153.0.8010.0', 13)
      const { stdout } = await browser(['status', `--browser=${path}`])
      expect(stdout).toMatch(
        /^version +153\.0\.8010\.0\nreleased +about \d+ days ago\npath +\S+\nsource +set by --browser/,
      )
      const managed = await browser(['status'])
      if (!managed.stdout.includes('installed by page-preview-server')) return
      expect(managed.stdout).toContain(`origin     https://mirror.test/shell.zip\n`)
      expect(managed.stdout).toMatch(/installed +\d{4}-\d\d-\d\d, 13 days ago\nupdate +not due/)
      await addInstalled('153.0.8010.0', 14)
      expect(JSON.parse((await browser(['status', '--json'])).stdout)).toMatchObject({
        version: '153.0.8010.0',
        source: 'installed',
        installedDays: 14,
        isUpdateDue: true,
      })
    })
  })

  it('installs the stable version once, and prints its path', async () => {
    mirror.offer('154.0.1.1', { paddingBytes: 400_000 })
    const path = join(
      home.path,
      '.cache/page-preview/chromium/154.0.1.1/chrome-headless-shell/linux-154.0.1.1/chrome-headless-shell-linux64/chrome-headless-shell',
    )
    const { code, stdout, stderr } = await browser(['install'])
    expect([code, stdout]).toEqual([0, `${path}\n`])
    expect(stderr).toMatch(
      /^Installing http.*zip\n(Chromium 154\.0\.1\.1: .* kB of 400 kB\n)+Chromium 154\.0\.1\.1 is installed\.\n$/,
    )
    expect(await browser(['install', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"version": "154.0.1.1"'),
      stderr: 'Chromium 154.0.1.1 is installed already.\n',
    })
  })

  it('shows the progress of a download in one line of a terminal', async () => {
    mirror.offer('154.0.1.1', { paddingBytes: 400_000 })
    const { stderr } = await browser(['install'], { isTTY: true })
    expect(stderr.split('\n')).toHaveLength(3)
    expect(stderr.replaceAll('\r\u001b[K', '|')).toContain(
      '|Chromium 154.0.1.1: 400 kB of 400 kB||Chromium 154.0.1.1 is',
    )
  })

  it('updates to the stable version, and removes the old one', async () => {
    expect(await browser(['update'])).toMatchObject({ code: 1, stderr: expect.stringContaining('browser install') })
    await addInstalled('152.0.1.1', 1)
    mirror.offer('154.0.1.1')
    expect(await browser(['update'])).toMatchObject({ code: 0, stdout: expect.stringContaining('/154.0.1.1/') })
    expect(await browser(['update'])).toMatchObject({ code: 0, stderr: 'Chromium 154.0.1.1 is current.\n' })
    expect((await browser(['status', '--json'])).stdout).not.toContain('152.0.1.1')
  })

  it('fails without the mirror and the registry, and says what to do', async () => {
    await mkdir(join(home.path, 'bin'))
    expect(await browser(['install'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/responds with 404[^]*instead\n[^]*npm was not found/),
    })
  })
})
