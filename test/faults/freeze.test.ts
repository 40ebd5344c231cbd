// Covers runs of the built command `freeze` that are killed at any moment, or whose disk is full or read-only.
import sharp from 'sharp'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { readLock } from '../../src/static/freeze/lock.js'
import { localSite } from '../local-site.js'
import { createRandom } from '../shared/create-random.js'
import { finishedPreviews } from '../shared/finished-previews.js'
import { startFreeze } from '../shared/start-freeze.js'
import { pageWith, temporarySite } from '../static/freeze/temporary-site.js'

const KILLS = 20
const LINKS = 60
/** Previews that are requested at the same time: two for each capture. */
const MAX_RUNNING = 4
const SCREENSHOT = { url: 'http://s.test/a.jpg', type: 'jpg', width: 64, height: 40, size: 1 }

/** A service that takes a while for each request, and tells of each page that it captures. */
async function startSlowService(onCapture: (url: string) => void = () => undefined) {
  const image = await sharp({ create: { width: 64, height: 40, channels: 3, background: '#c00' } })
    .webp()
    .toBuffer()
  const service = await localSite({
    '/': (request, response) => {
      const { searchParams } = new URL(request.url!, 'http://localhost')
      const url = searchParams.get('url')!
      if (!searchParams.has('embed')) onCapture(url)
      setTimeout(() => {
        if (searchParams.has('embed'))
          response
            .writeHead(200, { 'content-type': 'image/webp', 'x-image-width': '64', 'x-image-height': '40' })
            .end(image)
        else {
          const data = { title: `Title of ${url}`, screenshot: SCREENSHOT }
          response.writeHead(200, { 'content-type': 'application/json', 'x-timestamp': '1769860800000' })
          response.end(JSON.stringify({ status: 'success', data, statusCode: 200, headers: {}, redirects: [] }))
        }
      }, 5)
    },
  })
  onTestFinished(() => service.close())
  return service
}

const urls = Array.from({ length: LINKS }, (_, index) => `https://site.test/${index}`)

it(`leaves site and lock file whole when it is killed ${KILLS} times, and captures nothing twice that it had finished`, async () => {
  let captured: string[] = []
  let onCapture: () => void = () => undefined
  const service = await startSlowService((url) => {
    captured.push(url)
    onCapture()
  })
  const built = { 'index.html': pageWith(...urls.slice(0, 30)), 'blog/two.html': pageWith(...urls.slice(20)) }
  const site = await temporarySite(built)
  const args = [site.dir, `--lock=${site.paths.lock}`, `--cache=${site.paths.cache}`, `--endpoint=${service.url}`]
  const random = createRandom(7)
  const seen = new Map(Object.keys(built).map((name) => [name, new Set<string>()]))
  let captures = 0

  for (let kill = 0; kill < KILLS; kill++) {
    const finished = await finishedPreviews(site.paths.cache)
    captured = []
    const run = startFreeze(args)
    if (finished.size < LINKS) {
      // In the midst of a capture, or of the images of one.
      let left = 1 + Math.floor(random() * 8)
      await Promise.race([new Promise<void>((resolve) => (onCapture = () => --left || resolve())), run.ended])
      await delay(random() * 20)
    } else await Promise.race([delay(200 + random() * 1_000), run.ended])
    run.kill()
    await run.ended
    captures += captured.length
    expect(captured.filter((url) => finished.has(url))).toEqual([])
    const after = await finishedPreviews(site.paths.cache)
    expect(captured.filter((url) => !after.has(url)).length).toBeLessThanOrEqual(MAX_RUNNING)
    await expect(readLock(site.paths.lock)).resolves.toBeInstanceOf(Map)
    for (const [name, contents] of seen) contents.add(await site.read(name))
  }
  expect(await startFreeze(args).ended).toMatchObject({ code: 0 })
  for (const [name, contents] of seen) {
    const frozen = await site.read(name)
    expect(frozen).toContain('Title of https://site.test/25')
    expect([built[name as keyof typeof built], frozen]).toEqual(expect.arrayContaining([...contents]))
  }
  expect((await readLock(site.paths.lock)).size).toBe(LINKS)
  expect(captures).toBeLessThanOrEqual(LINKS + KILLS * MAX_RUNNING)
  const names = await readdir(site.dir, { recursive: true })
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([])
})

/** A file system of 4 MB that has this site. */
async function smallDisk(pages: Record<string, string>) {
  const site = await temporarySite(pages)
  const disk = join(site.folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
  onTestFinished(() => void execFileSync('umount', ['-l', disk]))
  await cp(site.dir, join(disk, 'site'), { recursive: true })
  const args = [join(disk, 'site'), `--lock=${join(disk, 'lock.json')}`, `--cache=${join(disk, 'cache')}`]
  return {
    disk,
    args,
    read: (name: string) => readFile(join(disk, 'site', name), 'utf8'),
    fill: () => {
      const file = openSync(join(disk, 'filler'), 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096))
      } catch {
        closeSync(file)
      }
    },
  }
}

it('says that the disk is full, leaves everything whole, and goes on when there is space', async () => {
  const service = await startSlowService()
  const { disk, args, read, fill } = await smallDisk({ 'index.html': pageWith(...urls.slice(0, 3)) })
  const all = [...args, `--endpoint=${service.url}`]
  expect(await startFreeze(all).ended).toMatchObject({ code: 0 })
  const [page, lock] = [await read('index.html'), await readFile(join(disk, 'lock.json'), 'utf8')]
  fill()
  const full = await startFreeze([...all, '--refresh', urls[0]!]).ended
  expect(full.code).toBe(1)
  expect(full.output).toMatch(/cannot be written: the disk is full\. Free some space and run the command again/)
  expect([await read('index.html'), await readFile(join(disk, 'lock.json'), 'utf8')]).toEqual([page, lock])
  await rm(join(disk, 'filler'))
  expect(await startFreeze([...all, '--refresh', urls[0]!]).ended).toMatchObject({ code: 0 })
})

it('says that the file system is read-only', async () => {
  const service = await startSlowService()
  const { disk, args, read } = await smallDisk({ 'index.html': pageWith(urls[0]!) })
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const { code, output } = await startFreeze([...args, `--endpoint=${service.url}`]).ended
  expect(code).toBe(1)
  expect(output).toMatch(/cannot be written: the file system is read-only/)
  expect(await read('index.html')).toBe(pageWith(urls[0]!))
})

it('gives a link whose page never ends a card without a picture, and the others theirs', async () => {
  const [slow, fast] = await Promise.all([
    localSite({ '/': () => undefined }, 0, '127.0.0.2'),
    localSite({ '/': '<title>Fast</title><h1>Fast</h1>' }),
  ])
  onTestFinished(async () => void (await Promise.all([slow.close(), fast.close()])))
  const site = await temporarySite({
    'index.html': pageWith(`${slow.url}/`, `${fast.url}/`).replace(' screenshot>', ' screenshot timeout="2s">'),
  })
  const targets = [slow, fast].map(({ host }) => `--allow-target=${host}`)
  const args = [site.dir, `--lock=${site.paths.lock}`, `--cache=${site.paths.cache}`, '--allow-unsandboxed', ...targets]
  const { code, output } = await startFreeze(args).ended
  expect(code, output).toBe(0)
  expect(output).toMatch(/failed http:\/\/127\.0\.0\.2:\d+\/: .*\((ETIMEOUT|EBRWSRTIMEOUT)\)/)
  const html = await site.read('index.html')
  expect(html.match(/class="pp-image"/g)).toHaveLength(1)
  expect(html).toContain(`href="${slow.url}/"`)
})
