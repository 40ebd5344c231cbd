import sharp from 'sharp'
import '../../../src/static/commands/check.js'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { temporaryDir } from '../../server/store/temporary-dir.js'
import { runCommand } from './run-command.js'

// Loaded before the tests, because it takes seconds from its source.

const EVIL = 'Evil \u001b[31m\u0007\u009b2J \u202Etitle'
const plainImage = (background: string) =>
  sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .png()
    .toBuffer()
let service: LocalSite
let whiteImage: Buffer
let blueImage: Buffer

/** Responds like a service whose pages are all fine, except the pages of `gone.example`. */
beforeAll(async () => {
  whiteImage = await plainImage('#fff')
  blueImage = await plainImage('#015')
  service = await localSite({
    '/': (request, response) => {
      const parameters = new URL(request.url!, 'http://x').searchParams
      const isGone = parameters.get('url')!.includes('gone.example')
      if (parameters.get('embed')) response.writeHead(200, { 'content-type': 'image/png' }).end(blueImage)
      else {
        const data = { title: EVIL, screenshot: { url: 'x' } }
        const body = { status: 'success', data, statusCode: isGone ? 404 : 200, headers: {}, redirects: [] }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
    },
  })
})
afterAll(() => service.close())

/** A folder with a site and the lock file of a frozen image of `changed.example`. */
async function frozenSite(html: string) {
  const dir = await temporaryDir()
  await mkdir(join(dir, 'site/page-preview'), { recursive: true })
  await writeFile(join(dir, 'site/index.html'), html)
  const name = `${createHash('sha256').update(whiteImage).digest('hex').slice(0, 16)}.640.png`
  await writeFile(join(dir, 'site/page-preview', name), whiteImage)
  const image = { width: 640, height: 400, isScreenshot: true, files: [{ name, type: 'png', width: 640 }] }
  const preview = { date: '2026-01-01T00:00:00.000Z', data: { title: 'Before' }, image }
  const lock = { version: 1, previews: { any: { url: 'https://changed.example', preview } } }
  await writeFile(join(dir, 'page-preview.lock.json'), JSON.stringify(lock))
  return dir
}

const argsOf = (dir: string, ...flags: string[]) =>
  ['check', join(dir, 'site'), '--lock', join(dir, 'page-preview.lock.json'), '--retry-pause=0'].concat(flags)
const run = (dir: string, ...flags: string[]) => runCommand(argsOf(dir, ...flags))

const previewOf = (url: string) => `<page-preview screenshot><a href="${url}">A link</a></page-preview>`

describe('check', () => {
  it('prints a table of links that need attention, and exits 1 once one is gone', async () => {
    const dir = await frozenSite(previewOf('https://fine.example') + previewOf('https://gone.example/page'))
    const first = await run(dir, '--endpoint', service.url)
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(
      /^status +link +what was found +pages\nfailing +https:\/\/gone\.example\/page +Its server responds that it does not exist \(HTTP 404\)\. Failing since \d{4}-\d\d-\d\d, 1 check\. +index\.html\n$/,
    )
    expect(first.stderr).toContain('2 links: 1 failing, 1 ok.')
    const second = await run(dir, '--endpoint', service.url)
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('2 links: 1 gone, 1 ok.') })
    expect(second.stdout).toMatch(/Gone since \d{4}-\d\d-\d\d, 2 checks\./)
    expect(JSON.parse(await readFile(join(dir, 'page-preview.check.json'), 'utf8'))).toMatchObject({
      links: { 'https://gone.example/page': { checks: 2 } },
    })
  })

  it('prints nothing on stdout and writes no file where all is well', async () => {
    const dir = await frozenSite(previewOf('https://fine.example'))
    expect(await run(dir, '--endpoint', service.url)).toMatchObject({ code: 0, stdout: '' })
    expect(await readdir(dir)).toEqual(['page-preview.lock.json', 'site'])
  })

  it('compares title and image with the lock file', async () => {
    const dir = await frozenSite(previewOf('https://changed.example'))
    const { code, stdout } = await run(dir, '--endpoint', service.url, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      links: [
        {
          url: 'https://changed.example',
          status: 'changed',
          statusCode: 200,
          title: { before: 'Before', now: EVIL },
          imageDifference: 1,
          pages: ['index.html'],
        },
      ],
      skipped: [],
    })
  })

  it('writes no control characters of text from outside', async () => {
    const dir = await frozenSite(previewOf('https://changed.example'))
    const table = await run(dir, '--endpoint', service.url)
    const json = await runCommand(argsOf(dir, '--endpoint', service.url, '--json'), { isTTY: true })
    expect((table.stdout + table.stderr + json.stdout).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('keeps its record whole where the service fails', async () => {
    const dir = await frozenSite(previewOf('https://gone.example'))
    await run(dir, '--endpoint', service.url)
    const before = await readFile(join(dir, 'page-preview.check.json'), 'utf8')
    const broken = await localSite({ '/': (_, response) => void response.writeHead(404).end('no service') })
    const { code, stderr } = await run(dir, '--endpoint', broken.url)
    expect(code).toBe(1)
    expect(stderr).toContain('is not from a preview service. Check the URL of the service.')
    expect(await readFile(join(dir, 'page-preview.check.json'), 'utf8')).toBe(before)
    await broken.close()
  })

  it.each([
    [['--gone-after=0'], '--gone-after must be a whole number from 1 to 100, not "0".'],
    [['--auto', 'a['], 'selector'],
    [['--unknown'], 'Unknown flag --unknown. Did you mean'],
    [['other'], 'Pass the folder of the built site: page-preview-server check DIR'],
    [['--base-url=/docs'], '--base-url must be the absolute URL of the site, not "/docs".'],
    [['--layout=tower'], '--layout must be one of card, row, image, inline, not "tower".'],
    [['--theme=blue'], '--theme must be one of auto, light, dark, not "blue".'],
    [['--color-schemes=light'], '--color-schemes must be light,dark, not "light"'],
  ])('rejects %j with a sentence and exit code 2', async (flags, part) => {
    const dir = await frozenSite('')
    expect(await run(dir, ...flags)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(part) })
  })

  it('rejects a folder that is not there with exit code 2, and says where a site has no previews', async () => {
    const dir = await frozenSite('<p>Nothing</p>')
    expect(await run(dir)).toMatchObject({ code: 0, stdout: '', stderr: '0 links with previews.\n' })
    await rm(join(dir, 'site'), { recursive: true })
    expect(await run(dir)).toMatchObject({ code: 2, stderr: expect.stringContaining('build the site first') })
  })
})
