import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { openPage, type OpenPage } from './open-page.js'

let site: LocalSite
let elsewhere: LocalSite
let garbage: LocalSite
let serving: StartedService
let chromium: Browser
let open: OpenPage | undefined

beforeAll(async () => {
  site = await localSite({ '/a': '<!doctype html><title>Page A</title>', '/b': '<!doctype html><title>Page B</title>' })
  garbage = await localSite({
    '/': (_, response) => response.writeHead(200, { 'access-control-allow-origin': '*' }).end('Welcome to nginx!'),
  })
  serving = await startService(`--allow-target=${site.host}`)
  elsewhere = await localSite({})
  chromium = await launchChromium()
})
afterEach(async () => {
  await open?.page.close()
  open = undefined
})
afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await Promise.all([site.close(), elsewhere.close(), garbage.close()])
})

interface Visited {
  page: Page
  /** What the script says in the console, and what nobody catches. */
  said: string[]
  requests: URL[]
}

/** A page of another origin with the script tag. */
async function visit(body: string, { script = '', head = '' } = {}): Promise<Visited> {
  elsewhere.routes['/'] =
    `<!doctype html><title>A page</title><link rel="icon" href="data:,">${head}<body>${body}<script async src="${serving.free}/page-preview.js" ${script}></script>`
  open = await openPage(chromium, `${elsewhere.url}/blank`)
  const { page, requests } = open
  const said: string[] = []
  page.on('console', (message) => message.text().includes('page-preview') && said.push(message.text()))
  page.on('pageerror', (error) => said.push(String(error)))
  await page.goto(`${elsewhere.url}/`)
  return { page, requests, said }
}
const untilState = (page: Page, state: string) =>
  expect
    .poll(() => page.$eval('page-preview', ({ shadowRoot }) => shadowRoot?.querySelector('article')?.dataset.state), {
      timeout: 25_000,
    })
    .toBe(state)

it('asks where the page has configured it, unless its tag says where', async () => {
  const configured = `<script>window.PagePreview = { q: [['configure', { hosts: '${garbage.url}' }]] }</script>`
  const preview = `<page-preview url="${site.url}/a"></page-preview>`
  const { page, requests } = await visit(preview, { head: configured })
  await untilState(page, 'failed')
  expect(requests.map(({ origin }) => origin)).toEqual([garbage.url])
  await page.close()
  const said = await visit(preview, { head: configured, script: `data-free="${serving.free}"` })
  await untilState(said.page, 'ready')
})

it('says of a service that is none where that is', async () => {
  const { page, said } = await visit(`<page-preview url="${site.url}/a"></page-preview>`, {
    script: `data-free="${garbage.url}"`,
  })
  await untilState(page, 'failed')
  await expect
    .poll(() => said)
    .toEqual([
      `page-preview: The service at ${garbage.url}/?url=${encodeURIComponent(`${site.url}/a`)} sent something that is not an answer (HTTP 200). (EFATALCLIENT); links still work.`,
    ])
})

it('says which word it cannot read, and shows the other previews', async () => {
  const { page, said } = await visit(
    `<a href="${site.url}/b" data-page-preview data-ttl="soon">B</a><page-preview id="a" url="${site.url}/a"></page-preview>`,
  )
  await untilState(page, 'failed')
  await expect
    .poll(() => page.$eval('#a', ({ shadowRoot }) => shadowRoot?.querySelector('article')?.dataset.state))
    .toBe('ready')
  await expect
    .poll(() => said)
    .toEqual([expect.stringMatching(/^page-preview: ttl .* \(EINVALTTL\); links still work\.$/)])
})

it('gives its parts to the styles of the page', async () => {
  const { page } = await visit(`<page-preview url="${site.url}/a"></page-preview>`, {
    head: '<style>page-preview::part(title) { color: rgb(1, 2, 3) } page-preview::part(root) { border-radius: 3px }</style>',
  })
  await untilState(page, 'ready')
  const seen = await page.$eval('page-preview', ({ shadowRoot }) => [
    getComputedStyle(shadowRoot!.querySelector('.pp-title')!).color,
    getComputedStyle(shadowRoot!.querySelector('.page-preview')!).borderRadius,
  ])
  expect(seen).toEqual(['rgb(1, 2, 3)', '3px'])
})

it('clicks the link of the page: with its target, heard once', async () => {
  const { page } = await visit(`<p><a href="${site.url}/a" target="_blank" data-page-preview>A</a></p>`)
  await page.evaluate(() => {
    document.body.addEventListener('click', ({ target }) => {
      document.body.dataset.heard = `${document.body.dataset.heard ?? ''}${(target as Element).localName} `
    })
  })
  await untilState(page, 'ready')
  const opened = new Promise<string>((resolve) =>
    chromium.once('targetcreated', (target: { url: () => string }) => resolve(target.url())),
  )
  const link = await page.evaluateHandle(() => document.querySelector('page-preview')!.shadowRoot!.querySelector('a')!)
  await link.click()
  expect(await opened).toBe(`${site.url}/a`)
  expect(page.url()).toBe(`${elsewhere.url}/`)
  expect(await page.$eval('body', (body) => body.dataset.heard)).toBe('a ')
})

it('lets a listener of the page keep a click for itself, and the browser one with a modifier', async () => {
  const { page } = await visit(`<p><a href="${site.url}/a" data-page-preview>A</a></p>`)
  await page.$eval('a', (link) => link.addEventListener('click', (event) => event.preventDefault()))
  await untilState(page, 'ready')
  const link = await page.evaluateHandle(() => document.querySelector('page-preview')!.shadowRoot!.querySelector('a')!)
  await link.click()
  const opened = new Promise((resolve) => chromium.once('targetcreated', resolve))
  await page.keyboard.down('Control')
  await link.click()
  await page.keyboard.up('Control')
  await opened
  expect(page.url()).toBe(`${elsewhere.url}/`)
})
