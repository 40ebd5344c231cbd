// Covers `check --watch`: the real command against a local service, with rounds of minutes on fake timers.
import '../../../src/static/commands/check.js'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PageChange } from '../../../src/query/index.js'
import { temporaryDir } from '../../server/store/temporary-dir.js'
import { localSite } from '../../local-site.js'
import { runCommand } from './run-command.js'

// Loaded before the tests, because it takes seconds from its source.

const FINE = 'https://fine.example/'
const POST = 'https://post.example/1'
const MINUTE_MS = 60_000
const KEY = '--api-key=pp_key'

interface FakePage {
  statusCode?: number
  title?: string
  /** Of the newest version; `undefined` without a history. */
  version?: { since: string; changes: PageChange[] }
  code?: string
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'Date'],
    now: Date.parse('2026-01-01T00:00:00Z'),
    shouldAdvanceTime: true,
  })
})
afterEach(() => {
  vi.useRealTimers()
})

interface SetUpOptions {
  flags?: string[]
  isTTY?: boolean
  pages?: Record<string, FakePage>
}

/** A site with links to two pages, a service that responds with `pages`, and the command on a terminal. */
async function setUp({ flags = [], isTTY = true, pages = {} }: SetUpOptions = {}) {
  const requests: URLSearchParams[] = []
  let onRequest: () => void = () => undefined
  const service = await localSite({
    '/': (request, response) => {
      const parameters = new URL(request.url!, 'http://x').searchParams
      requests.push(parameters)
      onRequest()
      const { statusCode = 200, title = 'A page', version, code } = pages[parameters.get('url')!] ?? {}
      const headers = { 'content-type': 'application/json' }
      if (code) {
        response.writeHead(502, headers).end(JSON.stringify({ status: 'error', code, message: 'Nobody is there.' }))
        return
      }
      const history = version && parameters.has('history') ? { versions: [version], ignored: [] } : undefined
      const data = { title, screenshot: { url: 'x' }, history }
      const body = { status: 'success', data, statusCode, headers: {}, redirects: [] }
      response.writeHead(200, headers).end(JSON.stringify(body))
    },
  })
  onTestFinished(() => service.close())
  const dir = await temporaryDir()
  await mkdir(join(dir, 'site'))
  const writeSite = (...urls: string[]) =>
    writeFile(
      join(dir, 'site/index.html'),
      urls.map((url) => `<page-preview screenshot><a href="${url}">A link</a></page-preview>`).join(''),
    )
  await writeSite(FINE, POST)
  const paths = { lock: join(dir, 'lock.json'), state: join(dir, 'page-preview.check.json') }
  const fixed = ['--watch=1m', '--retry-pause=0', `--lock=${paths.lock}`, `--endpoint=${service.url}`]
  const listeners = new Set<() => void>()
  const output = { stdout: '', stderr: '' }
  const start = () =>
    runCommand(['check', join(dir, 'site'), ...fixed, ...flags], {
      isTTY,
      output,
      once: (_, listener) => listeners.add(listener),
      off: (_, listener) => listeners.delete(listener),
    })
  return {
    dir,
    paths,
    pages,
    requests,
    output,
    writeSite,
    start,
    onRequest: (listener: () => void) => void (onRequest = listener),
    rounds: (count: number) => expect.poll(() => output.stderr.split('Next round at').length - 1).toBe(count),
    /** The lines that are printed from now on. */
    linesFromNow() {
      const { length } = output.stdout
      return () => output.stdout.slice(length).split('\n').filter(Boolean)
    },
    nextRound: () => vi.advanceTimersByTimeAsync(MINUTE_MS),
    stop: () => listeners.forEach((listener) => listener()),
  }
}

const change: PageChange = {
  kind: 'changed',
  element: 'h1#headline',
  text: 'New title',
  textBefore: 'Old title',
  x: 320,
  y: 96,
  width: 640,
  height: 79.6,
}
const versionOf = (day: number, ...changes: PageChange[]) => ({ since: `2026-01-0${day}T00:00:00.000Z`, changes })

describe('check --watch', () => {
  it('prints what a check prints, then what is new, and exits 1 when a link is gone at the end', async () => {
    const check = await setUp()
    const running = check.start()
    await check.rounds(1)
    expect(check.output.stdout).toBe('')
    expect(check.output.stderr).toContain('2 links: 2 ok.')
    const lines = check.linesFromNow()

    await check.nextRound()
    await check.rounds(2)
    expect(lines()).toEqual([])

    check.pages[POST] = { statusCode: 404 }
    await check.nextRound()
    await check.rounds(3)
    expect(lines()).toEqual([
      expect.stringMatching(
        /^2026-01-01T00:0\d:\d\dZ failing https:\/\/post\.example\/1: Its server responds that it does not exist \(HTTP 404\)\. Failing since 2026-01-01, 1 check\.$/,
      ),
    ])
    expect(JSON.parse(await readFile(check.paths.state, 'utf8'))).toMatchObject({ links: { [POST]: { checks: 1 } } })
    // A terminal shows how far a round is, but no line of a link.
    expect(check.output.stderr).not.toContain('failing')

    await check.nextRound()
    await check.rounds(4)
    expect(lines()).toEqual([
      expect.anything(),
      expect.stringMatching(/Z gone https:\/\/post\.example\/1: .* 2 checks\.$/),
    ])

    check.stop()
    expect(await running).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Stopped after 4 rounds\. 2 links: 1 gone, 1 ok\.\n$/),
    })
  })

  it('prints that a link works again, and exits 0 then', async () => {
    const check = await setUp({ pages: { [POST]: { statusCode: 404 } } })
    const running = check.start()
    await check.rounds(1)
    expect(check.output.stdout).toContain('failing')
    const lines = check.linesFromNow()
    check.pages[POST] = {}
    await check.nextRound()
    await check.rounds(2)
    expect(lines()).toEqual([expect.stringMatching(/Z works again https:\/\/post\.example\/1$/)])
    expect(await readFile(check.paths.state, 'utf8')).toContain('"links": {}')
    check.stop()
    expect((await running).code).toBe(0)
  })

  it('names the changes of a page as regions, once, and at most five of them', async () => {
    const check = await setUp({ flags: [KEY], pages: { [FINE]: { version: versionOf(1, change) } } })
    const running = check.start()
    await check.rounds(1)
    const lines = check.linesFromNow()
    const image: PageChange = { ...change, element: 'img.hero', text: null, textBefore: null }
    check.pages[FINE] = {
      version: versionOf(
        2,
        change,
        { ...change, kind: 'added', element: 'p.promo', textBefore: null, text: 'Sale\u001b[2J' },
        { ...change, kind: 'removed', element: 'p.old', text: null },
        image,
        { ...change, element: 'a.home', text: 'Home', textBefore: 'Home' },
        image,
        image,
      ),
    }
    await check.nextRound()
    await check.rounds(2)
    expect(lines().map((line) => line.slice(21))).toEqual([
      `changed ${FINE}: h1#headline "Old title" is now "New title" (320, 96, 640 × 80)`,
      `added ${FINE}: p.promo "Sale [2J" (320, 96, 640 × 80)`,
      `removed ${FINE}: p.old "Old title" (320, 96, 640 × 80)`,
      `changed ${FINE}: img.hero looks different (320, 96, 640 × 80)`,
      `changed ${FINE}: a.home "Home" looks different (320, 96, 640 × 80)`,
      `changed ${FINE}: and 2 more`,
    ])
    await check.nextRound()
    await check.rounds(3)
    expect(lines()).toHaveLength(6)
    for (const request of check.requests)
      expect(Object.fromEntries(request)).toMatchObject({ history: '1', force: 'true' })
    check.stop()
    expect((await running).code).toBe(0)
  })

  it('compares titles where the service has no history, and warns once how to get it', async () => {
    const check = await setUp()
    const previews = { any: { url: FINE, preview: { date: '2026-01-01T00:00:00.000Z', data: { title: 'A page' } } } }
    await writeFile(check.paths.lock, JSON.stringify({ version: 1, previews }))
    const running = check.start()
    await check.rounds(1)
    const lines = check.linesFromNow()
    check.pages[FINE] = { title: 'Another page' }
    await check.nextRound()
    await check.rounds(2)
    expect(lines().map((line) => line.slice(21))).toEqual([
      `changed ${FINE}: Its title is now "Another page", and was "A page".`,
    ])
    expect(check.output.stderr.split('does not say what changes on pages')).toHaveLength(2)
    expect(check.output.stderr).toContain('Use the pro host of a current service, by --endpoint with --api-key.')
    check.stop()
    await running
  })

  it('reads the site again in each round, and goes on after a round that failed', async () => {
    const check = await setUp()
    const running = check.start()
    await check.rounds(1)
    const lines = check.linesFromNow()
    await rm(join(check.dir, 'site/index.html'))
    await check.nextRound()
    await check.rounds(2)
    expect(check.output.stderr).toMatch(/The round of 2026-01-01T00:0\d:\d\dZ failed: There is no HTML file below/)
    check.pages['https://new.example/'] = { statusCode: 404 }
    await check.writeSite(FINE, 'https://new.example/')
    await check.nextRound()
    await check.rounds(3)
    expect(lines()).toEqual([expect.stringMatching(/Z failing https:\/\/new\.example\/: /)])
    check.stop()
    expect((await running).stderr).toMatch(/Stopped after 2 rounds\. 2 links: 1 failing, 1 ok\.\n$/)
  })

  it('records nothing of a round without a network, also of the first', async () => {
    const down = { code: 'EUNREACHABLE' }
    const urls = [FINE, POST, 'https://third.example/']
    const check = await setUp({ pages: Object.fromEntries(urls.map((url) => [url, down])) })
    await check.writeSite(...urls)
    const running = check.start()
    await check.rounds(1)
    expect(check.output.stderr).toContain('None of the links could be reached, so nothing was recorded')
    for (const url of urls) check.pages[url] = {}
    await check.nextRound()
    await check.rounds(2)
    expect(check.output.stderr).toContain('3 links: 3 ok.')
    for (const url of urls) check.pages[url] = down
    await check.nextRound()
    await check.rounds(3)
    await expect(readFile(check.paths.state)).rejects.toThrow('ENOENT')
    check.stop()
    expect(await running).toMatchObject({ code: 0, stdout: '' })
  })

  it('ends with the first round where that could not begin', async () => {
    const check = await setUp()
    await rm(join(check.dir, 'site/index.html'))
    expect(await check.start()).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no HTML file') })
    await check.writeSite(FINE)
    const broken = await localSite({ '/': (_, response) => void response.writeHead(404).end('no service') })
    onTestFinished(() => broken.close())
    const args = ['check', join(check.dir, 'site'), '--watch=1m', '--endpoint', broken.url]
    expect(await runCommand(args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not from a preview service'),
    })
  })

  it('prints a line of JSON for each round, with all links and what is new', async () => {
    const check = await setUp({ flags: ['--json', KEY], isTTY: false, pages: { [FINE]: { version: versionOf(1) } } })
    const running = check.start()
    const roundsOf = () => check.output.stdout.split('\n').filter(Boolean)
    await expect.poll(() => roundsOf().length).toBe(1)
    const afterFirst = check.output.stderr.length
    check.pages[FINE] = { version: versionOf(2, change) }
    await check.nextRound()
    await expect.poll(() => roundsOf().length).toBe(2)
    await rm(join(check.dir, 'site/index.html'))
    await check.nextRound()
    await expect.poll(() => roundsOf().length).toBe(3)
    check.stop()
    const { code, stderr } = await running
    const startedAt = expect.stringMatching(/^2026-01-01T00:0\d:\d\d\.\d{3}Z$/)
    const links = [{ url: FINE, status: 'ok' }, { url: POST }]
    expect(roundsOf().map((line): unknown => JSON.parse(line))).toMatchObject([
      { round: 1, startedAt, links, skipped: [], events: [] },
      {
        round: 2,
        startedAt,
        links,
        events: [{ kind: 'page', url: FINE, since: '2026-01-02T00:00:00.000Z', changes: [change] }],
      },
      { round: 3, startedAt, error: expect.stringContaining('There is no HTML file') },
    ])
    expect(code).toBe(0)
    expect(stderr.slice(afterFirst)).toMatch(
      /^page-preview-server: The round of \S+ failed: There is no HTML .*\nStopped after 2 rounds\. 2 links: 2 ok\.\n$/,
    )
  })

  it('stops in the middle of a round, of which nothing is recorded', async () => {
    const check = await setUp({ pages: { [POST]: { statusCode: 404 } } })
    const requested = new Promise<void>((resolve) => check.onRequest(resolve))
    const running = check.start()
    await requested
    check.stop()
    expect(await running).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/Stopped after 0 rounds\. Nothing was recorded\.\n$/),
    })
    await expect(readFile(check.paths.state)).rejects.toThrow('ENOENT')
  })

  it.each(['0m', '30s', '32d', '60', 'soon', ''])('refuses the interval "%s" with exit code 2', async (interval) => {
    expect(await runCommand(['check', '.', `--watch=${interval}`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--watch must be a time from 1m to 31d, such as 1h, not "${interval}".`),
    })
  })
})
