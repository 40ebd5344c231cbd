import type { Browser, Frame, Page } from 'puppeteer-core'
import { openApp } from './open-app.js'
import { WAIT_OPTIONS } from './until-card.js'

/** The part of WordPress's own scripts that the tests call. */
interface WordPress {
  apiFetch(request: { path: string; method: string; data: object }): Promise<SavedContent>
  data: {
    select(store: 'core/block-editor'): { getBlocks(): { attributes: Record<string, string>; isValid: boolean }[] }
  }
}

/** Content that was saved: as stored, which only its author may read, and as rendered for readers. */
interface SavedContent {
  id: number
  content: { raw?: string; rendered: string }
}

declare global {
  const wp: WordPress
}

export interface WordPressEditor {
  page: Page
  /** Console messages and errors so far. */
  complaints: string[]
}

/** Logs in as an author, who may publish but not write arbitrary HTML, and starts a post. */
export async function newPost(browser: Browser, site: string): Promise<WordPressEditor> {
  const { page, complaints } = await openApp(browser, `${site}/wp-login.php?redirect_to=/wp-admin/post-new.php`)
  await page.setViewport({ width: 1200, height: 900 })
  await page.type('#user_login', 'author')
  await page.type('#user_pass', 'author')
  await page.click('#wp-submit')
  await canvasOf(page)
  return { page, complaints }
}

/** Inserts the block by its name and fills in both fields, with the keyboard alone. */
export async function writeBlock({ page }: WordPressEditor, block: { url: string; title: string }): Promise<void> {
  const canvas = await canvasOf(page)
  const empty = await canvas.waitForSelector('[aria-label="Add default block"]', WAIT_OPTIONS)
  await empty!.click()
  await page.keyboard.type('/page prev')
  // Until all that was typed is searched for, another block may be selected.
  await page.waitForFunction(
    () => document.querySelector('.components-autocomplete__result.is-selected')?.textContent === 'Page preview',
    WAIT_OPTIONS,
  )
  await page.keyboard.press('Enter')
  await canvas.waitForSelector('[data-type="page-preview/card"] input:focus', WAIT_OPTIONS)
  await page.keyboard.type(block.url)
  await page.keyboard.press('Tab')
  await page.keyboard.type(block.title)
}

/** Publishes the post. @returns Its public URL. */
export async function publish({ page }: WordPressEditor): Promise<string> {
  // Locators wait until the panel has stopped sliding in; a click would miss it before.
  await page.locator('.editor-post-publish-panel__toggle:not([aria-disabled=true])').click()
  await page.locator('.editor-post-publish-panel .editor-post-publish-button:not([aria-disabled=true])').click()
  const link = await page.waitForSelector('.post-publish-panel__postpublish-buttons a', WAIT_OPTIONS)
  return link!.evaluate((link) => link.href)
}

/** Reopens the published post. @returns The blocks that the editor parses from it. */
export async function reopen({ page }: WordPressEditor) {
  const id = await page.$eval('#post_ID', (input) => (input as HTMLInputElement).value)
  await page.goto(new URL(`/wp-admin/post.php?post=${id}&action=edit`, page.url()).href)
  await (await canvasOf(page)).waitForSelector('[data-block]', WAIT_OPTIONS)
  return page.evaluate(() => wp.data.select('core/block-editor').getBlocks())
}

/** Saves content through the REST API instead of the editor, as the author. */
export async function send({ page }: WordPressEditor, path: string, data: object): Promise<SavedContent> {
  return page.evaluate((path, data) => wp.apiFetch({ path, method: 'POST', data }), path, data)
}

/** The frame that contains the editable text. */
async function canvasOf(page: Page): Promise<Frame> {
  const frame = await page.waitForSelector('iframe[name=editor-canvas]', WAIT_OPTIONS)
  return frame!.contentFrame()
}
