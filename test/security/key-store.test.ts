// Covers who else on the machine can read what the built service stores, and who learns its signing secret.
import { execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const COMMANDS = resolve(import.meta.dirname, '../../src/server/dist/static/commands/index.js')
const SECRET = 'the-signing-secret-of-an-operator-0123456789'
const NOBODY = 65_534
/** Loads the command before it becomes another user, who may not be able to read it. */
const RUN_AS = `
  const [file, id, ...args] = process.argv.slice(1)
  const { runServerCli } = await import(file)
  if (Number(id) !== process.getuid()) {
    process.setgroups([])
    process.setgid(Number(id))
    process.setuid(Number(id))
  }
  process.exitCode = await runServerCli(args, process)`

interface Outcome {
  code: number | null
  output: string
}

/** Runs a command line of the service as a user whose new files are readable for everybody, until it ends or is ready. */
async function run(uid: number, ...args: string[]): Promise<Outcome> {
  const node = [process.execPath, '--input-type=module', '-e', RUN_AS, COMMANDS, String(uid), ...args]
  // Another user may not enter the folder of this user's Chromium, and this test needs none.
  const env = uid === ownId ? process.env : { ...process.env, CHROMIUM_PATH: undefined }
  const child = spawn('sh', ['-c', 'umask 022; exec "$@"', 'sh', ...node], { stdio: ['ignore', 'pipe', 'pipe'], env })
  child.stdout.on('data', (chunk) => String(chunk).includes('page-preview ready') && child.kill('SIGTERM'))
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((end) => child.once('exit', end)),
  ])
  return { code, output: output + errors }
}

async function pathsBelow(dir: string): Promise<string[]> {
  return [dir, ...(await readdir(dir, { recursive: true })).map((name) => join(dir, name))]
}

/** @param names  Files that have to be there, so that the test looks at something. */
async function expectPrivate(dataDir: string, names: string[]): Promise<void> {
  const paths = await pathsBelow(dataDir)
  expect(paths).toEqual(expect.arrayContaining(names.map((name) => join(dataDir, name))))
  for (const path of paths) expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0])
}

const ownId = process.getuid?.() ?? 0
const users = ownId === 0 ? [0, NOBODY] : [ownId]

describe.runIf(process.platform === 'linux')('key store', () => {
  describe.each(users)('in the data folder of the user %i', (uid) => {
    let parent: string
    let dataDir: string
    beforeEach(async () => {
      parent = await mkdtemp(join(tmpdir(), 'page-preview-security-'))
      dataDir = join(parent, 'data')
      await chmod(parent, 0o755)
      if (uid !== ownId) await chown(parent, uid, uid)
    })
    afterEach(() => rm(parent, { recursive: true, force: true }))

    it('is readable for that user alone, whatever the umask is', async () => {
      expect(await run(uid, 'keys', 'create', '--name=first', '--data-dir', dataDir)).toMatchObject({ code: 0 })
      await expectPrivate(dataDir, ['keys.db', 'signing-secret'])
    })

    it('is refused with wrong modes, with the command that mends them', async () => {
      const list = () => run(uid, 'keys', 'list', '--data-dir', dataDir)
      const serve = () => run(uid, 'serve', '--port=0', '--pro-port=0', '--data-dir', dataDir)
      await run(uid, 'keys', 'create', '--name=first', '--data-dir', dataDir)
      await chmod(dataDir, 0o755)
      await chmod(join(dataDir, 'keys.db'), 0o644)
      for (const { code, output } of [await list(), await serve()]) {
        expect(code).toBe(1)
        expect(output).toContain('(mode 755)')
        expect(output).toContain('keys.db (mode 644)')
        expect(output).toContain(`chmod -R go= ${dataDir}\n`)
      }
      execFileSync('sh', ['-c', `chmod -R go= ${dataDir}`])
      expect(await list()).toMatchObject({ code: 0, output: expect.stringContaining('first') })
      // There, Chromium may not be installed.
      if (uid === ownId) expect(await serve()).toMatchObject({ code: 0 })
    })
  })

  describe('of a running service', () => {
    let service: AttackedService
    beforeAll(async () => {
      const env = { PAGE_PREVIEW_SIGNING_SECRET: SECRET }
      service = await startAttackedService({ '/': '<h1>A page</h1>' }, ['--log-level=debug'], env)
      const screenshot = await service.get({ url: service.site.url, screenshot: 'true', embed: 'screenshot.url' })
      expect(screenshot.status).toBe(200)
    })
    afterAll(() => service.stop())

    it('writes nothing that others can read', () =>
      expectPrivate(
        service.dataDir,
        ['cache.db', 'keys.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
      ))

    it('gives its signing secret to no log line and no response', async () => {
      expect(service.log()).not.toContain(SECRET)
      for (const path of ['metrics', 'readyz', 'openapi.json'])
        expect(await (await fetch(service.url + path)).text()).not.toContain(SECRET)
    })
  })
})
