// Covers scripts for which there is no font, in a browser with a single one: a made font with the Latin letters.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { scriptsOf, writingSystems } from '../../../src/server/browser/scripts.js'
import type { Route } from '../../local-site.js'
import { makeFont } from './make-font.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const hindi = makeFont('Made Hindi', 0x900, 0x97f)
const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>${head}<body>${body}`
const WITH_FONT =
  '<style>@font-face{font-family:Hindi;src:url(/hindi.ttf)}:is(p,b){font-family:Hindi,sans-serif}</style>'
const sendFont: Route = (_, response) => void response.writeHead(200, { 'content-type': 'font/ttf' }).end(hindi)

let dir: string
let test: TestBrowser
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'page-preview-fonts-'))
  // The browser may run as another user.
  await chmod(dir, 0o755)
  await writeFile(join(dir, 'latin.ttf'), makeFont('Made Latin', 0x20, 0x7e))
  const config = join(dir, 'fonts.conf')
  await writeFile(
    config,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${dir}</dir><cachedir>${dir}/cache</cachedir></fontconfig>`,
  )
  vi.stubEnv('FONTCONFIG_FILE', config)
  test = await startTestBrowser({
    '/hindi.ttf': sendFont,
    '/latin': page('<p>Tide tables, 24 °C — “déjà vu” → €'),
    '/icons': page('<p>\ue000 \uf015 Home'),
    '/hindi': page('<p>दीपस्तंभ'),
    '/own-font': page('<p>दीपस्तंभ', WITH_FONT),
    '/own-font-elsewhere': page('<i>दीपस्तंभ</i> <p>दीपस्तंभ', WITH_FONT),
    '/hidden': page('<p>Tides</p><p hidden>ประภาคาร'),
    '/many': page('<p>灯台 등대 あさ маяк ประภาคาร 🗼'),
    '/numbers': page('<p>٣ १ ๓'),
    '/switch': page('<p>Tides</p><footer><a href="/th">ไทย</a>'),
    '/shadow': page(
      '<div id="a"></div><script>a.attachShadow({ mode: "open" }).innerHTML = "<p>ประภาคาร</p>"</script>',
    ),
    '/notes.txt': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ประภาคาร'),
    '/xhtml': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/xhtml+xml' })
        .end('<html xmlns="http://www.w3.org/1999/xhtml"><body><p>ประภาคาร</p></body></html>'),
  })
  await test.browser.warm()
  vi.unstubAllEnvs()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await test.close()
  await rm(dir, { recursive: true, force: true })
})

const warningsOf = async (path: string) => (await test.capture(path)).warnings

describe('a capture', () => {
  it.each([
    ['/hindi', 'Devanagari', 'fonts-noto-core'],
    ['/own-font-elsewhere', 'Devanagari', 'fonts-noto-core'],
    ['/switch', 'Thai', 'fonts-noto-core'],
    ['/shadow', 'Thai', 'fonts-noto-core'],
    ['/xhtml', 'Thai', 'fonts-noto-core'],
    ['/notes.txt', 'Thai', 'fonts-noto-core'],
    [
      '/many',
      'Chinese, Korean, Japanese, Cyrillic, Thai and emoji',
      'fonts-noto-cjk, fonts-noto-core and fonts-noto-color-emoji',
    ],
  ])('warns of scripts without a font: %s', async (path, scripts, packages) => {
    expect(await warningsOf(path)).toEqual([
      `The browser has no font for ${scripts}, and shows boxes instead. Install ${packages} on its machine.`,
    ])
  })

  it.each(['/latin', '/icons', '/own-font', '/hidden', '/numbers'])(
    'does not warn if its text can be read: %s',
    async (path) => {
      expect(await warningsOf(path)).toEqual([])
    },
  )
})

it('is reported once when the browser starts', async () => {
  await vi.waitFor(() => expect(test.events.filter(({ event }) => event === 'fonts-missing')).toHaveLength(1))
  const { scripts, advice } = test.events.find(({ event }) => event === 'fonts-missing')!
  expect(scripts).toEqual(writingSystems.map(({ name }) => name))
  expect(advice).toContain('install fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji')
})

it('knows the script of each of its samples', () => {
  for (const system of writingSystems) expect(scriptsOf(`Tide ${system.sample}`)).toEqual([system])
})

it('names packages that the image and the docs install', async () => {
  const root = join(import.meta.dirname, '../../..')
  for (const file of ['Dockerfile', 'stories/docs/hosting/chromium.mdx'])
    for (const system of writingSystems)
      expect(await readFile(join(root, file), 'utf8'), file).toMatch(new RegExp(`[ \\n]${system.package}(?![\\w-])`))
})
