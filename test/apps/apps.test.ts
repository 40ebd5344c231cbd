import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeys, readServeOptions, serve, type Serving } from '../../src/server/index.js'
import { appHost, type AppHost } from './app-host.js'
import { nextServer } from './next-server.js'
import { openApp } from './open-app.js'

const POLICY = "default-src 'self'"
const apps = join(import.meta.dirname, '../../stories/apps')

let dataDir: string
let serving: Serving
let key: string
/** A page of the sample site. */
let target: string
let chromium: Browser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-apps-'))
  const flags = ['--port=0', '--pro-port=0', '--demo', `--data-dir=${dataDir}`, '--log-level=warn']
  serving = await serve(readServeOptions(flags, {}))
  const keys = await openKeys({ dataDir })
  ;({ key } = await keys.create('Apps'))
  await keys.close()
  const examples = (await (await fetch(`${serving.playground}examples.json`)).json()) as { url: string }[]
  target = examples[0]!.url
  chromium = await launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: ['--no-sandbox', '--disable-background-networking', '--lang=en-US'],
  })
})
afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Builds an app with the packed package, as its author would. */
async function build(name: string): Promise<string> {
  const dir = join(apps, name)
  const words = { VITE_TARGET: target, PUBLIC_TARGET: target, TARGET: target }
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  const env = { ...process.env, NODE_ENV: 'production', ...words, ...quiet }
  const npm = process.env.npm_execpath
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  await promisify(execFile)(command, [...args, 'run', 'build'], { cwd: dir, env })
  return dir
}

const withStatic = (policy: string | undefined) => async (dir: string) =>
  appHost(join(dir, 'dist'), policy, {
    service: serving.pro,
    apiKey: key,
    allow: { origins: ['self'] },
    media: true,
  })

const withNext = (dir: string) =>
  nextServer(dir, { PAGE_PREVIEW_SERVICE: serving.pro, PAGE_PREVIEW_API_KEY: key, TARGET: target })

describe.each<[string, (dir: string) => Promise<AppHost>]>([
  ['vite-spa', withStatic(POLICY)],
  ['react-18', withStatic(POLICY)],
  // Its pages bring their policy along.
  ['astro', withStatic(undefined)],
  ['next', withNext],
])('the app %s', (name, start) => {
  let host: AppHost
  beforeAll(async () => {
    host = await start(await build(name))
  })
  afterAll(() => host.close())

  it('shows a card with a real picture, under a strict policy, without a word in the console', async () => {
    const { page, complaints, loaded } = await openApp(chromium, host.url)
    await page.waitForSelector('.page-preview[data-state="ready"] .pp-image:not([data-pending])', { timeout: 30_000 })
    const card = await page.$eval('.page-preview', async (preview) => {
      const image = preview.querySelector<HTMLImageElement>('.pp-image')!
      await image.decode()
      return {
        title: preview.querySelector('.pp-title')!.textContent,
        link: preview.querySelector<HTMLAnchorElement>('a.pp-link')!.href,
        picture: [image.naturalWidth, image.naturalHeight],
        origin: new URL(image.currentSrc).origin,
        // Without the stylesheet it would be `inline`.
        display: getComputedStyle(preview).display,
      }
    })
    expect(card).toEqual({
      title: expect.stringContaining('Nightjar'),
      link: target,
      picture: [expect.any(Number), expect.any(Number)],
      origin: host.url,
      display: expect.not.stringContaining('inline'),
    })
    expect(card.picture[0]).toBeGreaterThanOrEqual(320)
    expect(complaints).toEqual([])
    expect(await policyOf(page)).toContain("default-src 'self'")
    expect(await policyOf(page)).not.toMatch(/unsafe|style-src[^;]*nonce/)
    expect(await page.evaluate(() => window.layoutShift)).toBe(0)
    await page.browserContext().close()

    expect(new Set(loaded.map((url) => new URL(url).origin))).toEqual(new Set([host.url]))
    for (const url of loaded) expect(Buffer.from(await (await fetch(url)).arrayBuffer()).includes(key), url).toBe(false)
  })
})

/** The content security policy of a page, which its head or its response says. */
async function policyOf(page: Page): Promise<string> {
  const said = await page.$$eval('meta[http-equiv="content-security-policy"]', ([meta]) =>
    meta?.getAttribute('content'),
  )
  return said ?? (await fetch(page.url())).headers.get('content-security-policy') ?? ''
}
