// Covers what the commands of `page-preview` print on a terminal, and into files and pipes.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.js'
import { localSite, type LocalSite } from '../local-site.js'

/** Clears the screen in both spellings, turns the direction of text, and hides a letter. */
const HOSTILE = 'a\u001b[2J\u009b2J\u007f\r\u202E\u2066\u{E0041}\u00adz'
/** Text that looks hostile, but is how people write: Persian, an emoji of several, lines and columns. */
const INNOCENT = 'می\u200cشود 👨\u200d👩\u200d👧 ❤\ufe0f\n\tÜnïcödé 日本語'
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u00ad\u{E0000}-\u{E0FFF}]/u

const failure = { status: 'fail', message: `Nothing there ${HOSTILE}` }
const success = { status: 'success', data: { title: HOSTILE }, statusCode: 200, headers: {}, redirects: [] }
const EXPLANATION = {
  requests: [{ url: HOSTILE, statusCode: 200, size: 9, durationMs: 1 }],
  documents: [
    { by: 'fetch', userAgent: HOSTILE, url: HOSTILE, statusCode: 200, title: HOSTILE, textChars: 9, reason: HOSTILE },
  ],
  choice: HOSTILE,
  fields: {
    title: [{ id: '00000000', value: HOSTILE, source: HOSTILE, score: 0, reasons: [HOSTILE], isSelected: true }],
  },
  layers: [{ element: HOSTILE, text: HOSTILE, count: 1, isHidden: true, reason: HOSTILE }],
  pending: [HOSTILE],
  blocked: { count: 1, urls: [HOSTILE] },
  timings: { [HOSTILE]: 1 },
}
const responses: Record<string, { status?: number; body: unknown; headers?: Record<string, string> }> = {
  title: { body: HOSTILE },
  innocent: { body: INNOCENT },
  json: { body: success },
  error: { status: 422, body: { ...failure, code: 'EELEMENT' } },
  unknown: { status: 422, body: { ...failure, code: HOSTILE } },
  state: { body: { ...success, data: { state: HOSTILE, title: null }, warnings: [HOSTILE] } },
  explained: { body: { ...success, explanation: EXPLANATION } },
  header: { body: success, headers: { 'x-request-id': 'a\u009b2Jz' } },
  bytes: { body: Buffer.from([0xff, 0x9b, 0x1b, 0x5b]) },
}
let service: LocalSite
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'page-preview-terminal-'))
  service = await localSite({
    '/': (request, response) => {
      const { url = '' } = Object.fromEntries(new URL(request.url!, 'http://x').searchParams)
      const { status = 200, body, headers = {} } = responses[new URL(url).hostname]!
      const isText = typeof body === 'string' || body instanceof Buffer
      response
        .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
        .end(isText ? body : JSON.stringify(body))
    },
  })
})
afterAll(async () => {
  await service.close()
  await rm(dir, { recursive: true })
})

async function run(args: readonly string[], { isTTY }: { isTTY: boolean }) {
  const printed: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write: (content: string | Uint8Array) => printed[name].push(Buffer.from(content as string)),
  })
  const code = await runCli(args, {
    env: { PAGE_PREVIEW_ENDPOINT: service.url },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    once: () => undefined,
    off: () => undefined,
  })
  return { code, stdout: Buffer.concat(printed.stdout), stderr: Buffer.concat(printed.stderr) }
}

describe('on a terminal, nothing from outside is obeyed or hidden:', () => {
  it.each<[string, () => string[]]>([
    ['a title', () => ['https://title', '--embed=title']],
    ['JSON', () => ['https://json']],
    ['an error of the service', () => ['https://error']],
    ['an error with an unknown code', () => ['https://unknown']],
    ['a state with its warning', () => ['https://state']],
    ['an explanation', () => ['https://explained', '--explain']],
    ['a header', () => ['https://header', '--verbose']],
    ['bytes that are no text', () => ['https://bytes', '--embed=title']],
    ['the name of a file', () => ['https://json', '-o', join(dir, HOSTILE, 'a.jpg')]],
    ['an unknown flag', () => ['https://json', `--${HOSTILE}`]],
    ['the URL of a service', () => ['snippet', `${service.url}/${HOSTILE}`]],
  ])('%s', async (_, args) => {
    const { stdout, stderr } = await run(args(), { isTTY: true })
    const text = `${String(stdout)}${String(stderr)}`
    expect(text).not.toBe('')
    expect(JSON.stringify(text)).not.toMatch(UNPRINTABLE)
    expect(text).not.toMatch(UNPRINTABLE)
  })
})

it('on a terminal, the hidden characters are named', async () => {
  const { stdout } = await run(['https://title', '--embed=title'], { isTTY: true })
  expect(String(stdout)).toBe(String.raw`a\u001b[2J\u009b2J\u007f\u000d\u202e\u2066\udb40\udc41\u00adz`)
})

it('on a terminal, JSON means the same', async () => {
  expect(JSON.parse(String((await run(['https://json'], { isTTY: true })).stdout))).toEqual(success)
})

it('on a terminal, the text of other languages and emoji stay', async () => {
  const { stdout } = await run(['https://innocent', '--embed=title'], { isTTY: true })
  expect(String(stdout)).toBe(INNOCENT)
})

it('pipes and files get the bytes', async () => {
  const { stdout } = await run(['https://title', '--embed=title'], { isTTY: false })
  expect(String(stdout)).toBe(HOSTILE)
  const { stdout: bytes } = await run(['https://bytes', '--embed=title'], { isTTY: false })
  expect([...bytes]).toEqual([0xff, 0x9b, 0x1b, 0x5b])
  const file = join(dir, 'title.txt')
  await run(['https://title', '--embed=title', '-o', file], { isTTY: true })
  expect(await readFile(file, 'utf8')).toBe(HOSTILE)
})
