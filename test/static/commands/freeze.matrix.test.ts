import sharp from 'sharp'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localSite, type Route } from '../../local-site.js'
import { slowIt } from '../../shared/slow-cases.js'
import { pageWith, temporarySite } from '../freeze/temporary-site.js'
import { runCommand } from './run-command.js'

const A = 'https://a.test/'
const DEAD = 'https://dead.test/'
const DATA = {
  title: 'Title of A',
  image: null,
  screenshot: { url: 'http://s.test/a.jpg', type: 'jpg', width: 640, height: 400, size: 1 },
}

/** A service that previews every page but those at `dead.test`, and the command run with it. */
async function setUp(pages: Record<string, string>) {
  const image = await sharp({ create: { width: 64, height: 40, channels: 3, background: '#c00' } })
    .webp()
    .toBuffer()
  const service = await localSite({
    '/': (request, response) => {
      const { searchParams } = new URL(request.url!, 'http://localhost')
      if (searchParams.get('url') === DEAD) {
        response.writeHead(502, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ status: 'error', code: 'EUNREACHABLE', message: 'Nobody is there.' }))
      } else if (searchParams.has('embed')) {
        response
          .writeHead(200, { 'content-type': 'image/webp', 'x-image-width': '64', 'x-image-height': '40' })
          .end(image)
      } else {
        response.writeHead(200, { 'content-type': 'application/json', 'x-timestamp': '1769860800000' })
        response.end(JSON.stringify({ status: 'success', data: DATA, statusCode: 200, headers: {}, redirects: [] }))
      }
    },
  })
  onTestFinished(() => service.close())
  const site = await temporarySite(pages)
  const flags = [`--lock=${site.paths.lock}`, `--cache=${site.paths.cache}`, `--endpoint=${service.url}`]
  const listeners: (() => void)[] = []
  const freeze = (args: readonly string[], isTTY: boolean) =>
    runCommand(['freeze', ...flags, ...args], {
      isTTY,
      once: (_, listener) => listeners.push(listener),
      off: (_, listener) => listeners.splice(listeners.indexOf(listener) >>> 0, 1),
    })
  return {
    ...site,
    service,
    interrupt: () => listeners.forEach((listener) => listener()),
    freeze: (...args: string[]) => freeze(args, false),
    freezeOnTerminal: (...args: string[]) => freeze(args, true),
  }
}

describe('freeze', () => {
  it('prints a line for each capture, and a table of what it has done', async () => {
    const { freeze, dir, read } = await setUp({ 'index.html': pageWith(A) })
    const first = await freeze(dir)
    expect(first).toMatchObject({ code: 0, stderr: `[1/1] new ${A}\n` })
    expect(first.stdout).toMatch(
      /^new {2}from cache {2}refreshed {2}failed {2}pages {2}pages changed {2}bytes added\n1 {4}0 {11}0 {10}0 {7}1 {6}1 {14}\S+ kB\n$/,
    )
    expect(await read('index.html')).toContain('Title of A')
    expect(await freeze(dir)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/\n0 {4}1 .* 0 B\n$/),
    })
  })

  it('prints its summary as JSON', async () => {
    const { freeze, dir } = await setUp({ 'index.html': pageWith(A) })
    const { stdout } = await freeze(dir, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ pages: 1, previews: { new: 1 }, failures: [], skipped: [] })
  })

  it('writes no control characters of text from outside to a terminal', async () => {
    const { freezeOnTerminal: freeze, dir } = await setUp({
      'a\u009b\u202e\u001b[31m.html': `<page-preview url="ftp://a"></page-preview>${pageWith(`${A}?\u009b\u202e`)}`,
    })
    const outputs = [await freeze(dir, '--frozen'), await freeze(dir, '--json'), await freeze(dir)]
    const text = outputs.map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(text).toContain('NOT-IN-LOCK')
    expect(text).toContain('"skipped": [\n    {')
    // The progress bar erases its own line.
    expect(text.replaceAll('\r\u001b[K', '').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('lists links that fail with their reason, and exits with 1 only when it is strict', async () => {
    const { freeze, dir } = await setUp({ 'index.html': pageWith(A, DEAD) })
    const lenient = await freeze(dir)
    expect(lenient.code).toBe(0)
    expect(lenient.stderr).toContain(
      `failed: ${DEAD}: Nobody is there. (EUNREACHABLE); its card has no image in index.html\n`,
    )
    expect(await freeze(dir, '--strict')).toMatchObject({ code: 1 })
    expect(await freeze(dir, '--strict', '--offline')).toMatchObject({ code: 1 })
  })

  it('leaves the link of a page that fails, on request', async () => {
    const { freeze, dir, read } = await setUp({ 'index.html': pageWith(DEAD) })
    const { code, stderr } = await freeze(dir, '--failed=link')
    expect(code).toBe(0)
    expect(stderr).toContain(`(EUNREACHABLE); it has no card, but its link in index.html\n`)
    expect(await read('index.html')).toBe(pageWith(DEAD))
    expect(await freeze(dir, '--failed=icon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--failed must be'),
    })
  })

  it('freezes a preview with an unknown layout as a card, and says so', async () => {
    const { freeze, dir, read } = await setUp({ 'index.html': pageWith(A).replace('url=', 'layout="tower" url=') })
    const { code, stderr } = await freeze(dir)
    expect(code).toBe(0)
    expect(stderr).toContain(
      'index.html line 2: Unknown layout "tower"; showing a card instead. The layouts are card, row, image and inline.\n',
    )
    expect(await read('index.html')).toContain('data-layout="card"')
  })

  slowIt('says once that the service is not there, and exits with 1', async () => {
    const { freeze, dir, read, service } = await setUp({ 'index.html': pageWith(A, 'https://b.test/') })
    await service.close()
    const { code, stderr } = await freeze(dir)
    expect(code).toBe(1)
    expect(stderr.match(/The service cannot be used: No response from http/g)).toHaveLength(1)
    expect(await read('index.html')).toContain('data-frozen')
  })

  it('that is frozen fails for what the lock file lacks, and writes nothing', async () => {
    const { freeze, dir, read } = await setUp({ 'index.html': pageWith(A) })
    const { code, stderr } = await freeze(dir, '--frozen')
    expect(code).toBe(1)
    expect(stderr).toMatch(/1 preview is not in .*\n {2}https:\/\/a\.test\/ \(NOT-IN-LOCK\) in index\.html\n/)
    expect(await read('index.html')).toBe(pageWith(A))
  })

  it('says what to add to a site that has no previews', async () => {
    const { freeze, dir } = await setUp({ 'index.html': '<p>Hello' })
    expect(await freeze(dir)).toMatchObject({ code: 0, stderr: expect.stringContaining('Add <page-preview url="…">') })
  })

  it('selects links, and takes parameters for all of them', async () => {
    const { freeze, dir, read, service } = await setUp({ 'index.html': `<main><p><a href="${A}">A</a></p></main>` })
    await freeze(dir, '--auto', 'main a', '--screenshot', '--layout=row', '--device', 'iPhone 6')
    expect(await read('index.html')).toContain('data-layout="row"')
    expect(service.requests[0]).toMatch(/device=iPhone\+6&screenshot=true/)
  })

  it('runs again when a page changes, until it is interrupted', async () => {
    const { freeze, dir, read, interrupt, write } = await setUp({ 'index.html': pageWith(A) })
    const running = freeze(dir, '--watch')
    await expect.poll(() => read('index.html'), { timeout: 10_000 }).toContain('data-frozen')
    await write('two.html', pageWith(A))
    await expect.poll(() => read('two.html'), { timeout: 10_000 }).toContain('data-frozen')
    interrupt()
    expect(await running).toMatchObject({ code: 0, stderr: expect.stringContaining('Watching') })
  })

  it('watches nothing any more when the first run has failed', async () => {
    const { freeze, dir } = await setUp({ 'notes.txt': 'No page' })
    const watchers = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
    const before = watchers()
    expect(await freeze(dir, '--watch')).toMatchObject({ code: 1, stderr: expect.stringContaining('no HTML file') })
    await expect.poll(watchers).toBeLessThanOrEqual(before)
  })

  it('notices what changes during the first run', async () => {
    const { freeze, dir, read, interrupt, write, service } = await setUp({ 'index.html': pageWith(A) })
    const respond = service.routes['/'] as Extract<Route, (...parts: never[]) => unknown>
    let release = () => {}
    const mayRespond = new Promise<void>((resolve) => (release = resolve))
    service.routes['/'] = (request, response) => void mayRespond.then(() => respond(request, response))
    const running = freeze(dir, '--watch')
    await expect.poll(() => service.requests.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await write('two.html', pageWith(A))
    release()
    await expect.poll(() => read('two.html'), { timeout: 10_000 }).toContain('data-frozen')
    interrupt()
    expect(await running).toMatchObject({ code: 0 })
  })

  it.each([
    [['--lok=x'], /Unknown flag --lok. Did you mean --lock\?/],
    [[], /Pass the folder that the site is built into/],
    [['a', 'b'], /no other operand/],
    [['a', '--layout=wide'], /--layout must be one of card, row, image, inline, not "wide"/],
    [['a', '--theme=blue'], /--theme must be one of/],
    [['a', '--image-types=webp,gif'], /--image-types must be a list of jpg, png, webp, avif, not "webp,gif"/],
    [['a', '--max-age=soon'], /--max-age must be a time like 30d/],
    [['a', '--max-age=30'], /--max-age must be a time like 30d/],
    [['a', '--refresh=here'], /--refresh must be an absolute/],
    [['a', '--offline', '--refresh=https://a.test/'], /--refresh needs the network, which --offline does not use/],
    [['a', '--frozen', '--max-age=1d'], /--max-age needs the network, which --frozen does not use/],
    [['a', '--watch', '--json'], /--watch does not end/],
    [['a', '--color-schemes=light'], /--color-schemes must be light,dark/],
  ])('rejects %j with a sentence and exit code 2', async (args, message) => {
    const { freeze } = await setUp({ 'index.html': '' })
    const { code, stderr } = await freeze(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('rejects a selector that cannot be parsed with exit code 2', async () => {
    const { freeze, dir } = await setUp({ 'index.html': '<p>Hello' })
    expect(await freeze(dir, '--auto=p >> a[')).toMatchObject({ code: 2, stderr: expect.stringContaining('`auto`') })
  })

  it('names a lock file that is damaged', async () => {
    const { freeze, dir, paths } = await setUp({ 'index.html': pageWith(A) })
    await writeFile(paths.lock, '{')
    const { code, stderr } = await freeze(dir)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^page-preview-server: .*lock\.json is not valid JSON .*delete it/)
    expect(await readFile(paths.lock, 'utf8')).toBe('{')
    await expect(access(join(dir, 'page-preview'))).rejects.toThrow()
  })
})
