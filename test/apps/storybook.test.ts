// Covers the decorator of the documentation in a Storybook that installs the packed package: without a service or a network.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDocs } from '../docs/read-docs.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { appHost } from './app-host.js'
import { appDir, buildApp } from './build-app.js'
import type { AppHost } from './listen-as-host.js'
import { openApp } from './open-app.js'
import { WAIT_OPTIONS } from './until-card.js'

const page = readDocs().find(({ path }) => path === 'stories/docs/testing.mdx')!
const sample = page.blocks.find(({ code }) => code.includes('@storybook/react-vite'))!

let host: AppHost
let chromium: Browser
beforeAll(async () => {
  await writeFile(join(appDir('storybook'), '.storybook/preview.tsx'), sample.code)
  const dir = await buildApp('storybook')
  // No preview sends a request to the proxy.
  host = await appHost(join(dir, 'storybook-static'), undefined, {
    endpoint: 'http://127.0.0.1:9',
    allow: { origins: ['self'] },
  })
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await host.close()
})

it(`shows a card in a story with the decorator at ${sample.name}`, async () => {
  const { page, complaints, loaded } = await openApp(chromium, `${host.url}/iframe.html?id=card--card`)
  const card = await page.waitForSelector('.page-preview[data-status=ready]', WAIT_OPTIONS)
  expect(await card!.$eval('.pp-title', ({ textContent }) => textContent)).toBe('Tide tables')
  await expect
    .poll(() => card!.$eval('.pp-image', (image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  const ownFiles = [host.url, 'data:', 'blob:']
  expect(loaded.filter((url) => !ownFiles.some((start) => url.startsWith(start)))).toEqual([])
  expect(loaded.filter((url) => url.includes('/page-preview?'))).toEqual([])
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => window.layoutShift)).toBe(0)
})
