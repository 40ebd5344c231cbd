// Covers the playground of a service for readers who use the keyboard alone, and for axe.
import type { Page } from 'puppeteer-core'
import { afterEach, describe, expect, it } from 'vitest'
import { axeViolations } from './axe.js'
import { openPage } from './open-page.js'
import { scriptStage } from './script-stage.js'
import { walkByTab } from './tab-stops.js'

const stage = scriptStage({ '/page': '<!doctype html><title>A page</title><h1>A page</h1>' })

let page: Page
afterEach(() => page?.close())

async function open({ width = 1280, height = 900, colorScheme = 'light' } = {}): Promise<void> {
  const { chromium, serving, site } = stage()
  const url = `${serving.free}/playground/#url=${encodeURIComponent(`${site.url}/page`)}`
  ;({ page } = await openPage(chromium, 'about:blank', { width, height }))
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme }])
  await page.goto(url)
  await page.waitForSelector('input#parameter-url')
}

const unfold = () => page.$$eval('details', (all) => all.forEach((details) => (details.open = true)))
const cardIsReady = () => page.waitForSelector('.page-preview[data-status=ready]', { timeout: 25_000 })
const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)

describe('by keyboard alone', () => {
  it('runs a query with Enter, and leads to the link of its card', async () => {
    await open()
    while ((await focused()) !== 'parameter-url') await page.keyboard.press('Tab')
    await page.keyboard.down('Control')
    await page.keyboard.press('a')
    await page.keyboard.up('Control')
    await page.keyboard.type(`${stage().site.url}/page?typed`)
    await page.keyboard.press('Enter')
    await cardIsReady()
    const { stops } = await walkByTab(page)
    expect(stops.map(({ name }) => name)).toContain('a A page')
  })

  it('leads through every control in the order of the page, each with an outline and in view', async () => {
    await open()
    // What appears during the walk would be in none of the places that were counted before.
    await cardIsReady()
    await unfold()
    const { stops, missed } = await walkByTab(page)
    expect(stops.length).toBeGreaterThan(50)
    expect(stops.filter(({ isOutlined, isInView }) => !isOutlined || !isInView)).toEqual([])
    expect(stops.map(({ order }) => order)).toEqual(stops.map(({ order }) => order).toSorted((a, b) => a - b))
    expect(missed).toEqual([])
  })

  it('opens the dialog of the key, keeps the focus in it, and returns it', async () => {
    await open()
    while ((await focused()) !== 'Use an API key') await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    const isInDialog = () =>
      page.evaluate(() => document.activeElement === document.body || !!document.activeElement!.closest('dialog'))
    for (let stop = 0; stop < 8; stop++) {
      await page.keyboard.press('Tab')
      expect(await isInDialog()).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog[open]', { hidden: true })
    expect(await focused()).toBe('Use an API key')
  })
})

describe.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
])('without violations for axe in a %s theme, %i pixels wide', (colorScheme, width) => {
  it('with a result, everything unfolded', async () => {
    await open({ colorScheme, width })
    await cardIsReady()
    await unfold()
    expect(await axeViolations(page)).toEqual([])
  })

  it('with an invalid control', async () => {
    await open({ colorScheme, width })
    await unfold()
    await page.type('#parameter-viewport-width', 'wide\n')
    await page.waitForSelector('[aria-invalid=true]')
    expect(await axeViolations(page)).toEqual([])
  })

  it('with an error of the service', async () => {
    await open({ colorScheme, width })
    await page.type('#parameter-element', '#none')
    await page.locator('button ::-p-text(Run)').click()
    await page.waitForSelector('.page-preview[data-status=failed]', { timeout: 25_000 })
    await unfold()
    expect(await axeViolations(page)).toEqual([])
  })

  it('with the dialog of the key', async () => {
    await open({ colorScheme, width })
    await page.locator('button ::-p-text(Use an API key)').click()
    await page.waitForSelector('dialog[open]')
    expect(await axeViolations(page)).toEqual([])
  })

  it('on the page of the errors', async () => {
    await open({ colorScheme, width })
    await page.goto(`${stage().serving.free}/playground/errors.html`)
    expect(await axeViolations(page)).toEqual([])
  })
})
