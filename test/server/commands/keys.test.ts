import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis } from '../../shared/start-redis.js'
import { runCommand } from '../../static/commands/run-command.js'

let dataDir: string
let site: LocalSite
let service: Service

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-keys-'))
  site = await localSite({ '/': '<title>For members</title>' })
  service = createService({ dataDir: join(dataDir, 'running'), allowTargets: [site.host] })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function keys(args: string[], env: Record<string, string> = {}) {
  const { code, stdout: out, stderr: err } = await runCommand(['keys', ...args], { env })
  return { code, out, err }
}
const inDir = (name: string) => `--data-dir=${join(dataDir, name)}`
const idOf = (key: string) => key.split('_')[1]!
async function statusWith(key: string) {
  const request = new Request(`http://previews.test/?url=${site.url}/`, { headers: { 'x-api-key': key.trim() } })
  return (await service.fetch(request, { plan: 'pro' })).status
}

describe('page-preview-server keys', () => {
  it('create prints the key alone to stdout, and how to use it to stderr', async () => {
    const { code, out, err } = await keys(['create', '--name', 'Newsletter', inDir('a')])
    expect(code).toBe(0)
    expect(out).toMatch(/^pp_[a-f\d]{12}_[\w-]{43}\n$/)
    expect(err).toContain('not shown again')
    expect(err).toContain(`page-preview-server keys revoke ${idOf(out)}`)
    expect(err).not.toContain(out.trim())
  })

  it('list prints a table, or JSON with --json, without any secret', async () => {
    const folder = inDir('b')
    const { out: first } = await keys(['create', '--name=Shop', folder])
    const { out: second } = await keys(['create', '--name', 'Docs & help', folder])
    await keys(['revoke', idOf(first), folder])
    const { code, out, err } = await keys(['list', folder])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    expect(out).toMatch(
      new RegExp(
        String.raw`^id            name         created                   revoked
${idOf(first)}  Shop         ${time}  ${time}
${idOf(second)}  Docs & help  ${time}  -
$`,
      ),
    )
    const json = await keys(['list', '--json', folder])
    expect(JSON.parse(json.out)).toEqual([
      { id: idOf(first), name: 'Shop', created: expect.any(String), revoked: expect.any(String) },
      { id: idOf(second), name: 'Docs & help', created: expect.any(String), revoked: null },
    ])
    for (const key of [first, second]) expect(out + json.out).not.toContain(key.trim().slice(16))
  })

  it('list reports an empty store and names its folder', async () => {
    const { code, out, err } = await keys(['list', inDir('empty')])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain(join(dataDir, 'empty'))
    expect(JSON.parse((await keys(['list', '--json', inDir('empty')])).out)).toEqual([])
  })

  it('revoke exits 1 for an unknown key, and does not repeat what may be a secret', async () => {
    const { code, out, err } = await keys(['revoke', 'pp_0123456789ab_hush-hush-hush-hush', inDir('empty')])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/no such key/)
    expect(err).not.toContain('hush')
  })

  it('takes effect in a running service at once', async () => {
    const { out: key } = await keys(['create', '--name', 'Running', inDir('running')])
    expect(await statusWith(key)).toBe(200)
    expect((await keys(['revoke', idOf(key), inDir('running')])).code).toBe(0)
    expect(await statusWith(key)).toBe(403)
  })

  it('reads the folder from the environment, unless a flag names one', async () => {
    const env = { PAGE_PREVIEW_DATA_DIR: join(dataDir, 'c') }
    await keys(['create', '--name', 'Here'], env)
    const names = async (...more: string[]) =>
      (JSON.parse((await keys(['list', '--json', ...more], env)).out) as { name: string }[]).map(({ name }) => name)
    expect(await names()).toEqual(['Here'])
    expect(await names(inDir('empty'))).toEqual([])
  })

  it.skipIf(!hasRedis)('stores keys in the Redis that a flag or the environment names', async () => {
    const redis = await startRedis()
    const url = redis.freshUrl()
    const { out: key } = await keys(['create', '--name', 'Shared', '--redis', url])
    const { out } = await keys(['list', '--json'], { PAGE_PREVIEW_REDIS: url })
    expect(JSON.parse(out)).toMatchObject([{ id: idOf(key), name: 'Shared' }])
    expect((await keys(['revoke', 'nobody', '--redis', url])).err).toContain(
      `no such key in ${url.replace(/\/0$/, '')}`,
    )
    await redis.close()
    expect(await keys(['list', '--redis', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be used'),
    })
    expect(await keys(['list', '--redis', 'nonsense'])).toMatchObject({
      code: 1,
      err: 'page-preview-server: --redis must be a URL like redis://host:6379, or rediss://host:6379 for TLS.\n',
    })
  })

  it.skipIf(!hasRedis)('says that a key in Redis without a signing secret cannot sign', async () => {
    const redis = await startRedis()
    const create = ['create', '--name=Shared', `--redis=${redis.freshUrl()}`]
    const without = await keys(create)
    expect(without.code).toBe(0)
    expect(without.err).toContain('cannot sign URLs')
    expect(without.err).toContain('PAGE_PREVIEW_SIGNING_SECRET')
    const secretFile = join(dataDir, 'secret.txt')
    await writeFile(secretFile, 's'.repeat(32))
    for (const [flags, env] of [
      [[`--signing-secret-file=${secretFile}`], {}],
      [[], { PAGE_PREVIEW_SIGNING_SECRET_FILE: secretFile }],
      [[], { PAGE_PREVIEW_SIGNING_SECRET: 's'.repeat(32) }],
    ] as [string[], Record<string, string>][]) {
      const { code, err } = await keys([...create, ...flags], env)
      expect([code, err]).toEqual([0, expect.stringContaining('or sign with it')])
    }
    const short = await keys(create, { PAGE_PREVIEW_SIGNING_SECRET: 'hush' })
    expect(short).toMatchObject({ code: 1, out: '', err: expect.stringContaining('openssl rand -base64 32') })
    expect(short.err).not.toContain('hush')
    await redis.close()
  })

  it('create and update set limits, which list shows with the usage', async () => {
    const folder = inDir('running')
    const limits = ['--daily-limit=5', '--concurrency=2', '--expires=2999-12-31', `--allow-host=${site.host}`]
    const { out: key } = await keys(['create', '--name=Limited', ...limits, '--allow-host=*.example.com', folder])
    expect(await statusWith(key)).toBe(200)
    const listed = async () =>
      (JSON.parse((await keys(['list', '--json', '--usage', folder])).out) as { id: string }[]).find(
        ({ id }) => id === idOf(key),
      )
    expect(await listed()).toMatchObject({
      dailyLimit: 5,
      concurrency: 2,
      expires: '2999-12-31T00:00:00.000Z',
      allowHosts: [site.host, '*.example.com'],
      usage: expect.any(Object),
    })
    const table = (await keys(['list', '--usage', folder])).out.split('\n').map((line) => line.trim())
    expect(table[0]).toMatch(/revoked +limits +today +31 days$/)
    expect(table.join('\n')).toContain(`5 a day; 2 at a time; until 2999-12-31T00:00:00.000Z; hosts ${site.host},`)
    const changes = ['--daily-limit=none', '--expires=90d', '--allow-host=none', '--name=Renamed']
    expect((await keys(['update', idOf(key), ...changes, folder])).code).toBe(0)
    const updated = (await listed()) as unknown as { expires: string }
    expect(updated).toMatchObject({ name: 'Renamed', concurrency: 2 })
    expect(Object.keys(updated)).not.toContain('dailyLimit')
    expect(Date.parse(updated.expires) - Date.now()).toBeGreaterThan(89 * 86_400_000)
    expect((await keys(['update', 'nobody', '--name=x', folder])).code).toBe(1)
  })

  it('export writes a private file, and import adds its keys elsewhere, with what is revoked', async () => {
    const file = join(dataDir, 'keys.jsonl')
    const { out: first } = await keys(['create', '--name=One', inDir('export')])
    const { out: second } = await keys(['create', '--name=Two', inDir('export')])
    await writeFile(file, 'an old export', { mode: 0o644 })
    expect(await keys(['export', file, inDir('export')])).toMatchObject({ code: 0, out: '' })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect((await keys(['export', inDir('export')])).out).toBe(text)
    for (const secret of [first, second]) expect(text).not.toContain(secret.trim().slice(16))

    expect(await statusWith(first)).toBe(403)
    expect((await keys(['import', file, inDir('running')])).code).toBe(0)
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
    await keys(['revoke', idOf(first), inDir('running')])
    await keys(['revoke', idOf(second), inDir('export')])
    await keys(['import', file, inDir('running')])
    expect([await statusWith(first), await statusWith(second)]).toEqual([403, 200])
    await keys(['export', file, inDir('export')])
    await keys(['import', file, inDir('running')])
    expect([await statusWith(first), await statusWith(second)]).toEqual([403, 403])
  })

  it('import names the line that is no key, and imports nothing then', async () => {
    const file = join(dataDir, 'broken.jsonl')
    await keys(['create', '--name=One', inDir('broken')])
    await keys(['export', file, inDir('broken')])
    await writeFile(file, `${await readFile(file, 'utf8')}\n{"id":"x"}\n`)
    const { code, err } = await keys(['import', file, inDir('empty')])
    expect([code, err]).toEqual([1, expect.stringMatching(/Line 3 of .*broken\.jsonl is not an API key/)])
    expect((await keys(['list', '--json', inDir('empty')])).out).toBe('[]\n')
    expect((await keys(['import', join(dataDir, 'nowhere'), inDir('empty')])).err).toContain('cannot be read')
  })

  it.each([
    [[], 'create, list, update, revoke'],
    [['make'], 'not "make"'],
    [['create'], '--name NAME'],
    [['create', '--name', ' '], '--name NAME'],
    [['create', '--name', 'two\nlines'], 'one line'],
    [['create', '--name', 'x'.repeat(101)], 'one line of at most 100'],
    [['create', '--nmae=x'], '--nmae'],
    [['create', '--name=x', 'y'], 'keys create takes no operand'],
    [['create', 'y'], 'keys create takes no operand'],
    [['list', 'all'], 'keys list'],
    [['revoke'], 'keys revoke ID'],
    [['revoke', 'a', 'b'], 'keys revoke ID'],
    [['export', 'a', 'b'], 'keys export [FILE]'],
    [['import'], 'keys import FILE'],
    [['update'], 'keys update ID'],
    [['update', 'a'], 'Say what to change'],
    [['update', 'a', '--daily-limit=-1'], '--daily-limit'],
    [['create', '--name=x', '--concurrency=many'], '--concurrency'],
    [['create', '--name=x', '--expires=yesterday'], '--expires'],
    [['create', '--name=x', '--expires=2001-01-01'], '--expires'],
    [['create', '--name=x', '--allow-host=a/b'], '--allow-host'],
  ])('rejects %j with a sentence and exit code 2', async (args, part) => {
    const { code, out, err } = await keys([...args, inDir('empty')])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(part)
  })

  it('exits 1 with a sentence when the folder cannot be used', async () => {
    await writeFile(join(dataDir, 'file'), '')
    const { code, err } = await keys(['list', inDir('file')])
    expect(code).toBe(1)
    expect(err).toMatch(/^page-preview-server: The data folder .* cannot be used/)
  })

  it('has a help page', async () => {
    const { code, out, err } = await keys(['--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const part of [
      'keys create --name NAME',
      'keys list',
      'keys revoke ID',
      '--data-dir DIR',
      '--signing-secret-file FILE',
    ])
      expect(out).toContain(part)
  })
})

describe('the password of Redis', () => {
  it('is read from a file, whose absence is a clear sentence', async () => {
    const path = join(dataDir, 'no-such-file')
    const { code, err } = await keys(['list'], { PAGE_PREVIEW_REDIS_FILE: path })
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`PAGE_PREVIEW_REDIS_FILE points to ${path}, which cannot be read`),
    ])
  })

  it('is warned of where it is among the arguments', async () => {
    const { err } = await keys(['list', '--redis=redis://:hush@127.0.0.1:1'])
    expect(err).toContain('write the URL into a file, set PAGE_PREVIEW_REDIS_FILE to its path, and remove --redis')
    expect(err).not.toContain('hush')
  })
})
