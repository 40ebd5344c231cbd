// Covers the recipe of WordPress in WordPress itself, which runs no single source file.
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import type { AppHost } from './listen-as-host.js'
import { appServer } from './app-server.js'
import { appDir } from './build-app.js'
import { openApp } from './open-app.js'
import { untilCaptured } from './until-captured.js'
import { untilCard } from './until-card.js'
import { newPost, publish, reopen, send, writeBlock, type WordPressEditor } from './wordpress-editor.js'

let target: LocalSite
let serving: StartedService
let wordpress: AppHost
let chromium: Browser
let editor: WordPressEditor

beforeAll(async () => {
  target = await localSite({ '/': '<!doctype html><title>A red page</title><body style="background:red">' })
  serving = await startService(`--allow-target=${target.host}`)
  await untilCaptured(serving.free, `${target.url}/`)
  wordpress = await appServer(appDir('wordpress'), ['serve.js'], {
    PAGE_PREVIEW_SERVICE: serving.free,
  })
  chromium = await launchChromium()
  editor = await newPost(chromium, wordpress.url)
})
afterAll(async () => {
  await chromium.close()
  await wordpress.close()
  await serving.stop()
  await target.close()
})

it('renders a card from the block that an author fills in, which the editor parses again without errors', async () => {
  const typed = { url: `${target.url}/?a=1&copy=2#"><img src=x onerror=hacked=1>`, title: `</a><b>Tom</b> & Jerry` }
  const saved = { ...typed, url: `${target.url}/?a=1&copy=2#%22%3E%3Cimg src=x onerror=hacked=1%3E` }
  await writeBlock(editor, typed)
  const { page, complaints } = await openApp(chromium, await publish(editor))
  await untilCard(page, { layout: 'card', title: 'A red page', width: '2560' })
  expect(await attributesOf(page, 'page-preview')).toEqual({ url: saved.url, screenshot: 'true' })
  expect(await attributesOf(page, 'page-preview :only-child')).toEqual({ href: saved.url })
  expect(await page.$eval('page-preview', (preview) => preview.textContent)).toBe(saved.title)
  expect(complaints).toEqual([])
  await page.browserContext().close()

  expect(await reopen(editor)).toMatchObject([{ name: 'page-preview/card', attributes: saved, isValid: true }])
  // jQuery Migrate, a library of WordPress, logs a line on each page.
  expect(editor.complaints.filter((message) => !message.startsWith('log: JQMIGRATE'))).toEqual([])
})

it('allows the element with the attributes of the block in posts of authors, and removes it from comments', async () => {
  const element = (attributes: string) =>
    `<page-preview url="https://example.com/"${attributes}><a href="https://example.com/">Example</a></page-preview>`
  const content = element(' screenshot="true" onclick="alert(1)" style="position:fixed"')
  const post = await send(editor, '/wp/v2/posts', { content, status: 'publish' })
  expect(post.content.raw).toBe(element(' screenshot="true"'))
  const comment = await send(editor, '/wp/v2/comments', { content, post: post.id })
  expect(comment.content.rendered).toMatch(/^<p><a [^>]+>Example<\/a><\/p>\s*$/)
})

const attributesOf = (page: Page, selector: string) =>
  page.$eval(selector, ({ attributes }) => Object.fromEntries([...attributes].map(({ name, value }) => [name, value])))
