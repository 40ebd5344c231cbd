import type { Browser, Frame, Page } from 'puppeteer-core'
import { openApp } from './open-app.js'
import { PATIENCE } from './until-card.js'

/** What is asked of the scripts of WordPress. */
interface WordPress {
  apiFetch(request: { path: string; method: string; data: object }): Promise<Sent>
  data: {
    select(store: 'core/block-editor'): { getBlocks(): { attributes: Record<string, string>; isValid: boolean }[] }
  }
}

/** What became of something sent: as it is kept, where an author may know, and as readers get it. */
interface Sent {
  id: number
  content: { raw?: string; rendered: string }
}

declare global {
  const wp: WordPress
}

export interface WordPressEditor {
  page: Page
  /** Whatever its console said so far. */
  complaints: string[]
}

/** Logs in and begins a post, as an author: one who may publish, but not write any HTML. */
export async function newPost(browser: Browser, site: string): Promise<WordPressEditor> {
  const { page, complaints } = await openApp(browser, `${site}/wp-login.php?redirect_to=/wp-admin/post-new.php`)
  await page.setViewport({ width: 1200, height: 900 })
  await page.type('#user_login', 'author')
  await page.type('#user_pass', 'author')
  await page.click('#wp-submit')
  await canvasOf(page)
  return { page, complaints }
}

/** Writes the block by its name and two fields, all at the keyboard. */
export async function writeBlock({ page }: WordPressEditor, block: { url: string; title: string }): Promise<void> {
  const canvas = await canvasOf(page)
  const empty = await canvas.waitForSelector('[aria-label="Add default block"]', PATIENCE)
  await empty!.click()
  await page.keyboard.type('/page prev')
  await page.waitForSelector('.components-autocomplete__result.is-selected', PATIENCE)
  await page.keyboard.press('Enter')
  await canvas.waitForSelector('[data-type="page-preview/card"] input:focus', PATIENCE)
  await page.keyboard.type(block.url)
  await page.keyboard.press('Tab')
  await page.keyboard.type(block.title)
}

/** Publishes what is in the editor; the address for its readers. */
export async function publish({ page }: WordPressEditor): Promise<string> {
  // Locators wait until what slides in stands still, or a click would miss it.
  await page.locator('.editor-post-publish-panel__toggle:not([aria-disabled=true])').click()
  await page.locator('.editor-post-publish-panel .editor-post-publish-button:not([aria-disabled=true])').click()
  const link = await page.waitForSelector('.post-publish-panel__postpublish-buttons a', PATIENCE)
  return link!.evaluate((link) => link.href)
}

/** Opens what was published again; the blocks that the editor finds in it. */
export async function reopen({ page }: WordPressEditor) {
  const id = await page.$eval('#post_ID', (input) => (input as HTMLInputElement).value)
  await page.goto(new URL(`/wp-admin/post.php?post=${id}&action=edit`, page.url()).href)
  await (await canvasOf(page)).waitForSelector('[data-block]', PATIENCE)
  return page.evaluate(() => wp.data.select('core/block-editor').getBlocks())
}

/** Sends something past the editor, as its author. */
export async function send({ page }: WordPressEditor, path: string, data: object): Promise<Sent> {
  return page.evaluate((path, data) => wp.apiFetch({ path, method: 'POST', data }), path, data)
}

/** Where the text is written. */
async function canvasOf(page: Page): Promise<Frame> {
  const frame = await page.waitForSelector('iframe[name=editor-canvas]', PATIENCE)
  return frame!.contentFrame()
}
