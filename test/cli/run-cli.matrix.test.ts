import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slowCases } from '../shared/slow-cases.js'
import { runCli } from '../../src/cli/run-cli.js'
import { localSite, type LocalSite } from '../local-site.js'

const BUILT_CLI = join(import.meta.dirname, '../../dist/cli/index.js')
const pageResponse = { status: 'success', data: { title: 'A page' }, statusCode: 200, headers: {}, redirects: [] }
const checkedResponse = {
  ...pageResponse,
  data: { title: null, screenshot: null, state: 'bot-check' },
  warnings: ['The page shows a bot check.'],
}
const explainedResponse = {
  ...pageResponse,
  warnings: ['One thing.'],
  explanation: {
    requests: [
      { url: 'http://explained.example/', statusCode: 301, size: null, durationMs: 12 },
      { url: 'https://explained.example/', statusCode: 200, size: 1_204, durationMs: 80, cause: 'redirect' },
    ],
    documents: [
      {
        by: 'fetch',
        userAgent: 'a bot',
        url: 'https://explained.example/',
        statusCode: 200,
        title: 'A page',
        textChars: 12,
        state: 'login',
        reason: 'It has 1 password field.',
      },
    ],
    choice: 'The document as fetched.',
    fields: {
      title: [
        { id: '8f3a01c7', value: 'A page', source: 'title', score: -6, reasons: ['is too short'], isSelected: true },
        { id: '00000000', value: 'Another', source: 'heading', score: null, reasons: [], isSelected: false },
      ],
      description: [],
      image: [
        {
          id: '5be20d94',
          value: 'https://explained.example/a.png',
          source: 'meta og:image',
          score: 0,
          reasons: [],
          isSelected: false,
          problem: 'responded with status 404',
        },
      ],
    },
    layers: [
      { element: 'div cookies', text: 'We use cookies', count: 2, isHidden: true, reason: 'asks for consent' },
      { element: 'header', text: '', count: 1, isHidden: false, reason: 'is part of the site' },
    ],
    pending: ['https://slow.example/'],
    blocked: { count: 1, urls: ['https://ads.example/'] },
    timings: { load: 90.4, read: 2 },
  },
}
let service: LocalSite

beforeAll(async () => {
  service = await localSite({
    '/': (request, response) => {
      const parameters = new URL(request.url!, 'http://x').searchParams
      if (parameters.get('url') === 'https://checked.example') {
        if (parameters.get('embed'))
          response.writeHead(200, { 'content-type': 'image/png', 'x-image-source': 'image' }).end('own image')
        else response.writeHead(200).end(JSON.stringify(checkedResponse))
      } else if (parameters.get('url') === 'https://explained.example') {
        response.writeHead(200).end(JSON.stringify(explainedResponse))
      } else if (parameters.get('url') === 'https://warned.example') {
        response.writeHead(200).end(JSON.stringify({ ...pageResponse, warnings: ['One thing.', 'Another.'] }))
      } else if (parameters.get('url') === 'https://silent.example') {
        response.writeHead(200).end(JSON.stringify({ ...pageResponse, data: { title: null, state: 'login' } }))
      } else if (parameters.get('url') === 'https://broken.example') {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '9' }).write('A')
        setTimeout(() => response.destroy(), 50)
      } else if (parameters.get('url') === 'https://blank.example') {
        const message = 'embed=screenshot.url has no value: the page shows a blank screen.'
        const body = { status: 'fail', code: 'ENOEMBED', message, data: { embed: 'blank: …' } }
        response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      } else if (parameters.get('url') === 'https://missing.example') {
        const body = {
          status: 'fail',
          code: 'EELEMENT',
          message: 'The element #x is missing.',
          data: { element: 'missing' },
        }
        response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      } else if (parameters.get('embed') === 'screenshot.url')
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8, 0, 1]))
      else if (parameters.get('embed')) response.writeHead(200, { 'content-type': 'text/plain' }).end('A page')
      else
        response
          .writeHead(200, { 'x-cache-status': 'HIT' })
          .end(JSON.stringify({ ...pageResponse, receivedKey: request.headers['x-api-key'] }))
    },
  })
})
afterAll(() => service.close())

async function run(args: string[], { env = {}, isTTY = false } = {}) {
  const stdout: Buffer[] = []
  let stderr = ''
  const code = await runCli(args, {
    env: { PAGE_PREVIEW_ENDPOINT: service.url, PAGE_PREVIEW_PRO_ENDPOINT: service.url, ...env },
    stdout: { isTTY, write: (content) => stdout.push(Buffer.from(content as string)) },
    stderr: { write: (text) => (stderr += text) },
    once: () => undefined,
    off: () => undefined,
  })
  return { code, stdout: Buffer.concat(stdout).toString(), stderr }
}
/** Runs `dist/cli`, as npm installs it. */
function runBuiltCli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [BUILT_CLI, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}
const lastParameters = () =>
  Object.fromEntries(new URL(service.requests.at(-1)!.split(' ')[1]!, 'http://x').searchParams)

describe('page-preview <url>', () => {
  it('prints the JSON, and nothing else', async () => {
    const { code, stdout, stderr } = await run(['https://a.example'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(pageResponse)
  })

  it.each([
    [['--screenshot', '--element', '#x'], { element: '#x' }],
    [['--element=#x', '--full-page'], { element: '#x', 'screenshot.fullPage': 'true' }],
    [['--element=#x', '--fullPage'], { element: '#x', 'screenshot.fullPage': 'true' }],
    [['--element=#x', '--screenshot.full_page=true'], { element: '#x', 'screenshot.fullPage': 'true' }],
    [['--element.0', '#x', '--element.1=#y'], { 'element.0': '#x', 'element.1': '#y' }],
    [['--clip=0,0,9,9', '--padding', '5'], { 'screenshot.clip': '0,0,9,9', 'screenshot.padding': '5' }],
    [['--locale', 'de', '--timezone=UTC'], { locale: 'de', timezone: 'UTC' }],
    [['--geolocation', '-33.4,-70.6'], { geolocation: '-33.4,-70.6' }],
    [['--ping', '--ping.audio=false'], { 'ping.audio': 'false' }],
    [['--ping.audio', 'false'], { 'ping.audio': 'false' }],
    [['--javascript', 'false', '--ttl', '2h'], { javascript: 'false', ttl: '7200000' }],
    [['--headers.user-agent', 'me'], { 'headers.user-agent': 'me' }],
    [['--click.0=#a', '--click.1', '-b'], { 'click.0': '#a', 'click.1': '-b' }],
  ])('sends %j as parameters', async (flags, parameters) => {
    expect(await run(['https://a.example', ...flags])).toMatchObject({ code: 0, stderr: '' })
    expect(lastParameters()).toEqual({ url: 'https://a.example', ...parameters })
  })

  it('prints an explanation in words', async () => {
    const { code, stdout, stderr } = await run(['https://explained.example', '--explain'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "Result
        status 200
        One thing.

      Requests
        301                    http://explained.example/   12 ms
        200  after a redirect  https://explained.example/  80 ms  1,204 bytes

      Documents
        the service by itself got https://explained.example/
          as a bot
          status 200, the title "A page", 12 characters of text
          login
          It has 1 password field.

      Metadata from
        The document as fetched.
        Below, * marks what is used, and x what cannot be. Of the others the highest score wins, or the first of equals.
        In front of a value is its id, by which title.pick and image.pick select another.

      title
        * 8f3a01c7  A page
                    title, score -6, is too short
        x 00000000  Another
                    heading, never used

      image
        x 5be20d94  https://explained.example/a.png
                    meta og:image, score 0, responded with status 404

      No candidates for
        description

      In front of the page
        was hidden  div cookies (2 elements)
                    it asks for consent: "We use cookies"
        was left    header
                    it is part of the site

      Still loading when the page was captured
        https://slow.example/

      Blocked: 1 URL of ads, trackers and consent banners
        https://ads.example/

      Time by step; some steps overlap
        load 90 ms, read 2 ms
      "
    `)
    expect(lastParameters()).toEqual({ url: 'https://explained.example', explain: 'true' })
  })

  it('prints the JSON if a service explains nothing', async () => {
    const { stdout } = await run(['https://a.example', '--explain'])
    expect(JSON.parse(stdout)).toEqual(pageResponse)
  })

  it('sends the key as a header, never in a URL', async () => {
    const { stdout } = await run(['https://a.example', '--api-key', 'secret'])
    expect(JSON.parse(stdout)).toMatchObject({ receivedKey: 'secret' })
    const fromEnvironment = await run(['https://a.example'], { env: { PAGE_PREVIEW_API_KEY: 'other' } })
    expect(JSON.parse(fromEnvironment.stdout)).toMatchObject({ receivedKey: 'other' })
    expect(service.requests.join()).not.toMatch(/secret|other/)
  })

  it('prints what a page showed instead of its content, and its warning', async () => {
    const { code, stdout, stderr } = await run(['https://checked.example', '--screenshot'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(checkedResponse)
    expect(stderr).toBe('page-preview: The page shows a bot check.\n')
    expect(await run(['https://checked.example', '--screenshot', '--embed'])).toMatchObject({
      code: 0,
      stdout: 'own image',
      stderr: expect.stringContaining('the image that the page names, instead of a screenshot'),
    })
    const file = join(await mkdtemp(join(tmpdir(), 'page-preview-')), 'blank.jpg')
    expect(await run(['https://blank.example', '--embed=screenshot.url', '-o', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the page shows a blank screen. (ENOEMBED)'),
    })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('prints each warning about a page, and the state of one without a warning', async () => {
    expect((await run(['https://warned.example'])).stderr).toBe('page-preview: One thing.\npage-preview: Another.\n')
    expect((await run(['https://silent.example'])).stderr).toBe(
      'page-preview: The page did not show its content (login).\n',
    )
  })

  it('reports a response that ends early, instead of the field that is embedded', async () => {
    const { code, stdout, stderr } = await run(['https://broken.example', '--embed=title'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^page-preview: No response from .* \(EFATALCLIENT\)\n$/)
  })

  it('writes the screenshot to a file, and text to stdout', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'page-preview-cli-'))
    expect(await run(['https://a.example', '-o', join(dir, 'a.jpg')])).toMatchObject({ code: 0, stdout: '' })
    expect([...(await readFile(join(dir, 'a.jpg')))]).toEqual([0xff, 0xd8, 0, 1])
    await rm(dir, { recursive: true })
    expect(await run(['https://a.example', '--embed=title'])).toMatchObject({ code: 0, stdout: 'A page' })
    expect(await run(['https://a.example', '--screenshot', '--embed'])).toMatchObject({ code: 0 })
  })

  it('requests nothing if the folder of the file does not exist', async () => {
    const before = service.requests.length
    const { code, stderr } = await run(['https://a.example', '-o', '/nowhere/a.jpg'])
    expect([code, service.requests.length]).toEqual([1, before])
    expect(stderr).toContain('Nothing can be written to the folder /nowhere: create it, or pass another file with -o.')
  })

  it('takes an address without a scheme as https', async () => {
    expect(await run(['a.example/about'])).toMatchObject({ code: 0, stderr: '' })
    expect(lastParameters()).toEqual({ url: 'https://a.example/about' })
  })

  it.each([
    ['main.png', [], { 'screenshot.type': 'png', embed: 'screenshot.url' }],
    ['main.JPEG', [], { screenshot: 'true', embed: 'screenshot.url' }],
    ['main.webp', ['--embed', '--screenshot'], { 'screenshot.type': 'webp', embed: 'true' }],
    ['main.avif', ['--embed=image.url'], { 'variant.type': 'avif', embed: 'image.url' }],
    ['main.png', ['--screenshot.type=webp'], { 'screenshot.type': 'webp', embed: 'screenshot.url' }],
    ['main.png', ['--embed=title'], { embed: 'title' }],
    ['main', [], { screenshot: 'true', embed: 'screenshot.url' }],
  ])('requests the type of image that the name of the file %s says, with %j', async (name, flags, parameters) => {
    const dir = await mkdtemp(join(tmpdir(), 'page-preview-cli-'))
    expect(await run(['https://a.example', '-o', join(dir, name), ...flags])).toMatchObject({ code: 0, stderr: '' })
    const { url: _, ttl: __, staleTtl: ___, ...sent } = lastParameters()
    expect(sent).toEqual(parameters)
    await rm(dir, { recursive: true })
  })

  it('does not write binary data to a terminal', async () => {
    const { code, stdout, stderr } = await run(['https://a.example', '--embed=screenshot.url'], { isTTY: true })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('-o FILE')
  })

  it('reports an error of the service on stderr, and exits 1', async () => {
    expect(await run(['https://missing.example', '--element=#x'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'page-preview: The element #x is missing. (EELEMENT)\n',
    })
  })

  it('prints status, cache and timing with --verbose', async () => {
    expect((await run(['https://a.example', '--verbose'])).stderr).toMatch(/HTTP 200.*\nx-cache-status: HIT/)
  })

  it.each([
    [['https://a.example', '--screenshoot'], 'Unknown flag --screenshoot. Did you mean --screenshot?'],
    [['https://a.example', '--fullpage'], 'Did you mean --fullPage?'],
    [['https://a.example', '--qualty=9'], 'Did you mean --quality?'],
    [['https://a.example', '--embed', 'html'], '"html" is another argument. Write the value of a flag after "="'],
    [['https://a.example', '-x'], 'Unknown flag -x'],
    [['https://a.example', '--element'], '--element needs a value'],
    [['https://a.example', '--endpoint'], '--endpoint needs a value'],
    [['https://a.example', '--ttl=1s'], 'ttl'],
    [['not a url'], 'url'],
    [['serv'], 'Unknown command "serv". Did you mean serve?'],
    [['about'], '"about" is neither a command nor the URL of a page, such as https://example.com.'],
    [['https://a.example', 'https://b.example'], 'url'],
    [[], 'A URL is missing'],
    [['snippet'], 'Pass the URL of a service: page-preview snippet https://previews.example.com'],
    [['snippet', 'previews'], 'Pass the URL of a service'],
    [['snippet', 'https://a.example', 'https://b.example'], 'Pass the URL of a service'],
    [['snippet', 'https://a.example', '--hosts'], 'Unknown flag --hosts.\n'],
  ])('rejects %j with a sentence and exit code 2', async (args, part) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(part)
  })

  it('reports that no service is running, and exits 1', async () => {
    const stopped = await localSite({})
    await stopped.close()
    const { code, stderr } = await run(['https://a.example', '--endpoint', stopped.url])
    expect(code).toBe(1)
    expect(stderr).toMatch(/is the service running/)
  })
})

describe('page-preview', () => {
  it.each([['--help'], ['help'], ['snippet', '--help'], ['--version']])('%s prints to stdout', async (...args) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.length).toBeGreaterThan(3)
  })

  it.each(['serve', ...slowCases('keys', 'browser', 'capture', 'check', 'mcp')])(
    '%s is passed on to the installed page-preview-server',
    async (command) => {
      expect(await runBuiltCli(command, '--help')).toEqual({
        code: 0,
        stdout: expect.stringContaining(`page-preview-server ${command}`),
        stderr: '',
      })
      expect(await runBuiltCli(command, '--nonsense')).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('page-preview-server: '),
      })
    },
  )
})
