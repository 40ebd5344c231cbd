// Covers `<page-preview>` of the built script on a page of another origin.
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { scriptStage } from './script-stage.js'

const stage = scriptStage({
  '/a': '<!doctype html><title>Page A</title>',
  '/b': '<!doctype html><title>Page B</title>',
})
let garbage: LocalSite
beforeAll(async () => {
  garbage = await localSite({
    '/': (_, response) => response.writeHead(200, { 'access-control-allow-origin': '*' }).end('Welcome to nginx!'),
  })
})
afterAll(() => garbage.close())

interface Visited {
  page: Page
  /** Messages of the script in the console, and uncaught errors. */
  messages: string[]
  requests: URL[]
}

/** A page of another origin with the script tag. */
async function visit(body: string, { script = '', head = '' } = {}): Promise<Visited> {
  stage().elsewhere.routes['/'] =
    `<!doctype html><title>A page</title><link rel="icon" href="data:,">${head}<body>${body}<script async src="${stage().serving.free}/page-preview.js" ${script}></script>`
  const { page, requests } = await stage().open('/blank')
  const messages: string[] = []
  page.on('console', (message) => message.text().includes('page-preview') && messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(String(error)))
  await page.goto(`${stage().elsewhere.url}/`)
  return { page, requests, messages }
}
const untilState = (page: Page, state: string) =>
  expect
    .poll(() => page.$eval('page-preview', ({ shadowRoot }) => shadowRoot?.querySelector('article')?.dataset.status), {
      timeout: 25_000,
    })
    .toBe(state)

it('requests from the configured host, unless the tag names one', async () => {
  const configured = `<script>window.PagePreview = { q: [['configure', { endpoint: '${garbage.url}' }]] }</script>`
  const preview = `<page-preview url="${stage().site.url}/a"></page-preview>`
  const { page, requests } = await visit(preview, { head: configured })
  await untilState(page, 'failed')
  expect(requests.map(({ origin }) => origin)).toEqual([garbage.url])
  await page.close()
  const messages = await visit(preview, { head: configured, script: `data-endpoint="${stage().serving.free}"` })
  await untilState(messages.page, 'ready')
})

it('names the URL of a server that is not a service', async () => {
  const { page, messages } = await visit(`<page-preview url="${stage().site.url}/a"></page-preview>`, {
    script: `data-endpoint="${garbage.url}"`,
  })
  await untilState(page, 'failed')
  await expect
    .poll(() => messages)
    .toEqual([`page-preview: ${garbage.url}/ is not a preview service (HTTP 200). (EFATALCLIENT); links still work.`])
})

it('names the parameter that is invalid, and renders the other previews', async () => {
  const { page, messages } = await visit(
    `<a href="${stage().site.url}/b" data-page-preview data-ttl="soon">B</a><page-preview id="a" url="${stage().site.url}/a"></page-preview>`,
  )
  await untilState(page, 'failed')
  await expect
    .poll(() => page.$eval('#a', ({ shadowRoot }) => shadowRoot?.querySelector('article')?.dataset.status))
    .toBe('ready')
  await expect
    .poll(() => messages)
    .toEqual([expect.stringMatching(/^page-preview: ttl .* \(EINVALTTL\); links still work\.$/)])
})

it('exposes its parts to the styles of the page', async () => {
  const { page } = await visit(`<page-preview url="${stage().site.url}/a"></page-preview>`, {
    head: '<style>page-preview::part(title) { color: rgb(1, 2, 3) } page-preview::part(root) { border-radius: 3px }</style>',
  })
  await untilState(page, 'ready')
  const seen = await page.$eval('page-preview', ({ shadowRoot }) => [
    getComputedStyle(shadowRoot!.querySelector('.pp-title')!).color,
    getComputedStyle(shadowRoot!.querySelector('.page-preview')!).borderRadius,
  ])
  expect(seen).toEqual(['rgb(1, 2, 3)', '3px'])
})

it('clicks the link of the page: with its target, and one event', async () => {
  const { page } = await visit(`<p><a href="${stage().site.url}/a" target="_blank" data-page-preview>A</a></p>`)
  await page.evaluate(() => {
    document.body.addEventListener('click', ({ target }) => {
      document.body.dataset.heard = `${document.body.dataset.heard ?? ''}${(target as Element).localName} `
    })
  })
  await untilState(page, 'ready')
  const opened = new Promise<string>((resolve) =>
    stage().chromium.once('targetcreated', (target: { url: () => string }) => resolve(target.url())),
  )
  const link = await page.evaluateHandle(() => document.querySelector('page-preview')!.shadowRoot!.querySelector('a')!)
  await link.click()
  expect(await opened).toBe(`${stage().site.url}/a`)
  expect(page.url()).toBe(`${stage().elsewhere.url}/`)
  expect(await page.$eval('body', (body) => body.dataset.heard)).toBe('a ')
})

it('lets a listener of the page prevent a click, and leaves one with a modifier key to the browser', async () => {
  const { page } = await visit(`<p><a href="${stage().site.url}/a" data-page-preview>A</a></p>`)
  await page.$eval('a', (link) => link.addEventListener('click', (event) => event.preventDefault()))
  await untilState(page, 'ready')
  const link = await page.evaluateHandle(() => document.querySelector('page-preview')!.shadowRoot!.querySelector('a')!)
  await link.click()
  const opened = new Promise((resolve) => stage().chromium.once('targetcreated', resolve))
  await page.keyboard.down('Control')
  await link.click()
  await page.keyboard.up('Control')
  await opened
  expect(page.url()).toBe(`${stage().elsewhere.url}/`)
})
