import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.js'
import { localSite, type LocalSite } from '../local-site.js'
import { freePort } from '../shared/free-port.js'

const answer = { status: 'success', data: { title: 'A page' }, statusCode: 200, headers: {}, redirects: [] }
let service: LocalSite

beforeAll(async () => {
  service = await localSite({
    '/': (request, response) => {
      const words = new URL(request.url!, 'http://x').searchParams
      if (words.get('url') === 'https://missing.example') {
        const body = {
          status: 'fail',
          code: 'EELEMENT',
          message: 'The element #x is missing.',
          data: { element: 'missing' },
        }
        response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      } else if (words.get('embed') === 'screenshot.url')
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8, 0, 1]))
      else if (words.get('embed')) response.writeHead(200, { 'content-type': 'text/plain' }).end('A page')
      else
        response
          .writeHead(200, { 'x-cache-status': 'HIT' })
          .end(JSON.stringify({ ...answer, asked: request.headers['x-api-key'] }))
    },
  })
})
afterAll(() => service.close())

async function command(args: string[], { env = {}, isTTY = false } = {}) {
  const out: Buffer[] = []
  let err = ''
  const code = await run(args, {
    env: { PAGE_PREVIEW_ENDPOINT: service.url, PAGE_PREVIEW_PRO_ENDPOINT: service.url, ...env },
    stdout: { isTTY, write: (text) => out.push(Buffer.from(text as string)) },
    stderr: { write: (text) => (err += text) },
    once: () => undefined,
    off: () => undefined,
  })
  return { code, out: Buffer.concat(out), text: Buffer.concat(out).toString(), err }
}
const lastWords = () => Object.fromEntries(new URL(service.requests.at(-1)!.split(' ')[1]!, 'http://x').searchParams)

describe('page-preview <url>', () => {
  it('prints the JSON, and nothing else', async () => {
    const { code, text, err } = await command(['https://a.example'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(text)).toEqual(answer)
  })

  it.each([
    [['--screenshot', '--element', '#x'], { element: '#x' }],
    [['--element=#x', '--full-page'], { element: '#x', 'screenshot.fullPage': 'true' }],
    [['--ping', '--ping.audio=false'], { 'ping.audio': 'false' }],
    [['--javascript', 'false', '--ttl', '2h'], { javascript: 'false', ttl: '7200000' }],
    [['--headers.user-agent', 'me'], { 'headers.user-agent': 'me' }],
  ])('sends %j as words', async (flags, words) => {
    expect((await command(['https://a.example', ...flags])).code).toBe(0)
    expect(lastWords()).toEqual({ url: 'https://a.example', ...words })
  })

  it('sends the key as a header, never in an address', async () => {
    const { text } = await command(['https://a.example', '--api-key', 'secret'])
    expect(JSON.parse(text)).toMatchObject({ asked: 'secret' })
    const byEnvironment = await command(['https://a.example'], { env: { PAGE_PREVIEW_API_KEY: 'other' } })
    expect(JSON.parse(byEnvironment.text)).toMatchObject({ asked: 'other' })
    expect(service.requests.join()).not.toMatch(/secret|other/)
  })

  it('writes the picture to a file, and text to stdout', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'page-preview-cli-'))
    expect(await command(['https://a.example', '-o', join(dir, 'a.jpg')])).toMatchObject({ code: 0, text: '' })
    expect([...(await readFile(join(dir, 'a.jpg')))]).toEqual([0xff, 0xd8, 0, 1])
    await rm(dir, { recursive: true })
    expect(await command(['https://a.example', '--embed=title'])).toMatchObject({ code: 0, text: 'A page' })
    expect(await command(['https://a.example', '--screenshot', '--embed'])).toMatchObject({ code: 0 })
  })

  it('does not spill a picture over a terminal', async () => {
    const { code, text, err } = await command(['https://a.example', '--embed=screenshot.url'], { isTTY: true })
    expect({ code, text }).toEqual({ code: 2, text: '' })
    expect(err).toContain('-o FILE')
  })

  it('says on stderr what the service said no to, and exits 1', async () => {
    const { code, text, err } = await command(['https://missing.example', '--element=#x'])
    expect({ code, text, err }).toEqual({
      code: 1,
      text: '',
      err: 'page-preview: The element #x is missing. (EELEMENT)\n',
    })
  })

  it('tells status, cache and time when asked to', async () => {
    expect((await command(['https://a.example', '--verbose'])).err).toMatch(/HTTP 200.*\nx-cache-status: HIT/)
  })

  it.each([
    [['https://a.example', '--screenshoot'], '--screenshot?'],
    [['https://a.example', '--element'], 'needs a value'],
    [['https://a.example', '--ttl=1s'], 'ttl'],
    [['not an address'], 'url'],
    [[], 'An address is missing'],
  ])('refuses %j with a sentence and exit 2', async (args, part) => {
    const { code, text, err } = await command(args)
    expect({ code, text }).toEqual({ code: 2, text: '' })
    expect(err).toContain(part)
  })

  it('says that nobody listens, and exits 1', async () => {
    const gone = await localSite({})
    await gone.close()
    const { code, err } = await command(['https://a.example', '--endpoint', gone.url])
    expect(code).toBe(1)
    expect(err).toMatch(/is the service running/)
  })
})

describe('page-preview', () => {
  it.each([['--help'], ['serve', '--help'], ['--version']])('%s prints to stdout', async (...args) => {
    const { code, text, err } = await command(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(text.length).toBeGreaterThan(3)
  })

  it('serve says which Redis and which bucket it cannot reach, not how to get in, and exits 1', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-serve-'))
    const nobody = `127.0.0.1:${await freePort()}`
    const own = ['serve', '--port=0', '--pro-port=0', `--data-dir=${dataDir}`, '--log-level=silent']
    const redis = await command([...own, `--redis=redis://me:hush@${nobody}`])
    expect(redis).toMatchObject({ code: 1, text: '' })
    expect(redis.err).toMatch(/^page-preview: Redis at redis:\/\/127\.0\.0\.1:\d+ cannot be used \(.*ECONNREFUSED/)
    const bucket = await command([...own, `--s3=s3://me:hush@previews?endpoint=http://${nobody}`])
    expect(bucket).toMatchObject({ code: 1, text: '' })
    expect(bucket.err).toMatch(
      /^page-preview: The bucket s3:\/\/previews at 127\.0\.0\.1:\d+ cannot be used \(.*ECONNREFUSED/,
    )
    expect(redis.err + bucket.err).not.toContain('hush')
    await rm(dataDir, { recursive: true, force: true })
  })

  it('serve refuses wrong options with a sentence each', async () => {
    const { code, err } = await command(['serve', '--port=x', '--quue=1'])
    expect(code).toBe(2)
    expect(err).toMatch(/--quue is no option of serve; did you mean --queue\?[\s\S]*--port must be a whole number/)
  })
})
