import '../../../src/static/commands/capture.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { temporaryDir } from '../../server/store/temporary-dir.js'
import { slowIt } from '../../shared/slow-cases.js'
import { runCommand } from './run-command.js'

// Loaded before the tests, because it takes seconds from its source.

const ROOT = join(import.meta.dirname, '../../..')
const IMAGE = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(50_000)])
const EVIL_TITLE = 'Evil \u001b[31m\u0007 \u202Etitle'
let service: LocalSite

/** Responds like a service; pages of `dead.example` are unreachable. */
beforeAll(async () => {
  service = await localSite({
    '/': (request, response) => {
      const parameters = new URL(request.url!, 'http://x').searchParams
      const target = parameters.get('url')!
      if (target.includes('dead.example')) {
        const message = `It is \u001b[31mdead\u0007.`
        const body = { status: 'error', code: 'EUNREACHABLE', message, more: '', data: {} }
        response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      } else if (parameters.get('embed'))
        response
          .writeHead(200, { 'content-type': 'image/jpeg', 'x-image-width': '1280', 'x-image-height': '800' })
          .end(IMAGE)
      else {
        const data = { title: EVIL_TITLE, screenshot: { url: 'x' }, image: { url: 'y' }, logo: null }
        const body = { status: 'success', data, statusCode: 200, headers: {}, redirects: [] }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
    },
  })
})
afterAll(() => service.close())

const run = (args: string[], { stdin = '', isTTY = false } = {}) =>
  runCommand(['capture', ...args], { stdin: Readable.from([Buffer.from(stdin)]), isTTY })

const lastParameters = () =>
  service.requests.slice(-2).map((line) => Object.fromEntries(new URL(line.split(' ')[1]!, 'http://x').searchParams))

describe('capture', () => {
  it('reports each page and a summary on stderr, and exits 1 when one failed', async () => {
    const out = await temporaryDir()
    const flags = ['--from', '-', '--out', out, '--endpoint', service.url, '--concurrency=1']
    const good = await run(flags, { stdin: 'https://a.example\n' })
    expect(good).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^\[1\/1\] captured https:\/\/a\.example to a\.example-[\da-f]{10}\.jpg\n1 page: 1 captured \(50 kB\)\. Results are in .*\/results\.ndjson\.\n$/,
      ),
    })
    const mixed = await run(flags, { stdin: 'https://a.example\nhttps://dead.example\n' })
    expect(mixed).toMatchObject({ code: 1, stdout: '' })
    expect(mixed.stderr).toContain(
      '[2/2] failed https://dead.example: It is  [31mdead . (EUNREACHABLE)\n2 pages: 0 captured',
    )
    expect(mixed.stderr).toContain('1 captured by an earlier run, 1 failed.')
  })

  it.each([false, true])('writes no control characters of text from outside, with a terminal: %s', async (isTTY) => {
    const stdin = 'https://a.example\nhttps://dead.example/\u001b]0;owned\u0007\nnone\u009b2J\u202E'
    const out = await temporaryDir()
    const { stderr } = await run(['--from=-', '--out', out, '--endpoint', service.url], { stdin, isTTY })
    const withoutOwn = stderr.replaceAll('\r\u001b[K', '').replaceAll('\n', '')
    expect(withoutOwn).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect((await readFile(join(out, 'results.ndjson'), 'utf8')).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it.each(['--ttl=1m', '--stale-ttl=1h', '--filter=title'])('refuses %s, which changes nothing', async (flag) => {
    const args = ['--from=-', '--out', await temporaryDir(), '--endpoint', service.url, flag]
    const { code, stderr } = await run(args, { stdin: 'https://a.example' })
    expect(code).toBe(2)
    expect(stderr).toContain(`${flag.split('=')[0]} has no effect on what is captured; --force captures pages again`)
  })

  it('stops at once if there is no service at the URL', async () => {
    const out = await temporaryDir()
    const elsewhere = await localSite({ '/': '<title>Not a service</title>' })
    onTestFinished(() => elsewhere.close())
    const stdin = Array.from({ length: 20 }, (_, page) => `https://${page}.example`).join('\n')
    const { code, stderr } = await run(['--from=-', '--out', out, '--endpoint', elsewhere.url], { stdin })
    expect(code).toBe(1)
    expect(stderr).toContain('is not from a preview service')
    expect(elsewhere.requests.length).toBeLessThan(20)
  })

  it('says that there is no browser at a path, before it captures anything', async () => {
    const args = ['--from=-', '--out', await temporaryDir(), '--browser', '/nowhere/chrome']
    const { code, stderr } = await run(args, { stdin: 'https://a.example' })
    expect(code).toBe(1)
    expect(stderr).toContain('--browser is /nowhere/chrome, but there is no file /nowhere/chrome.')
  })

  it('prints the summary as JSON', async () => {
    const out = await temporaryDir()
    const { code, stdout } = await run(['--from=-', '--out', out, '--endpoint', service.url, '--json'], {
      stdin: 'https://a.example\nhttps://dead.example',
    })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      total: 2,
      captured: 1,
      failed: 1,
      failures: [{ code: 'EUNREACHABLE' }],
      out,
    })
  })

  it.each<[string[], Record<string, string>, string, Record<string, string>?]>([
    [['--element', '#x', '--device=iPhone 6'], { element: '#x', device: 'iPhone 6' }, 'screenshot.url'],
    [
      ['--full-page', '--screenshot.type=webp'],
      { 'screenshot.fullPage': 'true', 'screenshot.type': 'webp' },
      'screenshot.url',
    ],
    [['--embed=image', '--variant.width=320'], {}, 'image.url', { 'variant.width': '320' }],
    [
      ['--full-page', '--variant.maxSide=8000', '--variant.max-bytes=1000000'],
      { 'screenshot.fullPage': 'true' },
      'screenshot.url',
      { 'variant.maxSide': '8000', 'variant.maxBytes': '1000000' },
    ],
  ])('sends %j as parameters', async (flags, parameters, embed, variant = {}) => {
    const out = await temporaryDir()
    const { code } = await run(['--from=-', '--out', out, '--endpoint', service.url, ...flags], {
      stdin: 'https://a.example',
    })
    expect(code).toBe(0)
    const [page, image] = lastParameters()
    expect(page).toMatchObject({ url: 'https://a.example', ...parameters })
    expect(image).toMatchObject({ embed, ...variant })
  })

  it('writes results alone with --no-images', async () => {
    const out = await temporaryDir()
    const flags = ['--from=-', '--out', out, '--endpoint', service.url, '--no-images']
    expect(await run(flags, { stdin: 'https://a.example' })).toMatchObject({ code: 0 })
    expect(await readdir(out)).toEqual(['results.ndjson'])
    expect((await run(flags, { stdin: 'https://a.example' })).stderr).toContain('1 captured by an earlier run')
  })

  it.each([
    [[], '--from is missing'],
    [['--from', 'x'], '--out is missing'],
    [['--from'], '--from needs a value'],
    [['https://a.example'], 'is not a flag; pass the URLs in a file'],
    [['--from=-', '--out=x', '--elment=y'], 'Unknown flag --elment. Did you mean --element?'],
    [['--from=-', '--out=x', '--url=https://a.example'], 'Unknown flag --url'],
    [
      ['--from=-', '--out=x', '--colorScheme=blue'],
      'colorScheme must be one of light, dark, no-preference. (EINVALQUERY)',
    ],
    [['--from=-', '--out=x', '--embed=title'], '--embed must be screenshot, image or logo here, not "title".'],
    [['--from=-', '--out=x', '--concurrency=0'], '--concurrency must be a whole number from 1 to 64'],
    [['--from=-', '--out=x', '--allow-target=a:b:c'], '--allow-target cannot be used: "a:b:c" is not a target'],
    [['--from=-', '--out=x', '--endpoint=me'], '--endpoint must be the URL of a running service, not "me".'],
  ])('rejects %j with a sentence and exit code 2', async (args, part) => {
    expect(await run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(part) })
  })
})

slowIt(
  'leaves whole files and whole lines when it is killed, and repeats nothing that is finished',
  { timeout: 60_000 },
  async () => {
    const out = await temporaryDir()
    const urls = Array.from({ length: 60 }, (_, at) => `https://page-${at}.example`)
    const flags = ['--from=-', '--out', out, '--endpoint', service.url, '--concurrency=4']
    for (const lines of [5, 20]) {
      const child = startCapture(flags, urls)
      await untilLines(out, lines)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await expectWhole(out)
    }
    const done = (await recordsIn(out)).length
    expect(done).toBeGreaterThanOrEqual(20)
    expect(done).toBeLessThan(60)
    const { stderr } = await run(flags, { stdin: urls.join('\n') })
    expect(stderr).toContain(`60 pages: ${60 - done} captured`)
    await expectWhole(out)
    expect((await readdir(out)).filter((name) => name.endsWith('.jpg'))).toHaveLength(60)
  },
)

function startCapture(flags: string[], urls: string[]) {
  const script = `globalThis.__VERSION__ = '0'
    const { runServerCli } = await import(${JSON.stringify(join(ROOT, 'src/static/commands/index.ts'))})
    process.exitCode = await runServerCli(['capture', ...process.argv.slice(1)], process)`
  const hook = join(ROOT, 'test/shared/run-typescript.js')
  const child = spawn(process.execPath, ['--import', hook, '--input-type=module', '-e', script, '--', ...flags], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(urls.join('\n'))
  return child
}

async function untilLines(out: string, count: number): Promise<void> {
  while ((await recordsIn(out).catch(() => [])).length < count) await new Promise((resolve) => setTimeout(resolve, 2))
}

async function recordsIn(out: string): Promise<{ file: string; size: number }[]> {
  const text = await readFile(join(out, 'results.ndjson'), 'utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { file: string; size: number })
}

async function expectWhole(out: string): Promise<void> {
  expect(await readFile(join(out, 'results.ndjson'), 'utf8')).toMatch(/\n$/)
  for (const { file, size } of await recordsIn(out)) expect((await stat(join(out, file))).size).toBe(size)
  const images = (await readdir(out)).filter((name) => !name.startsWith('.') && name.endsWith('.jpg'))
  for (const name of images) expect((await stat(join(out, name))).size).toBe(IMAGE.length)
}
