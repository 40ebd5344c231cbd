// Covers `hideBanners` of `in-page/page-scripts.ts`, in a real browser.
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hideBanners } from '../../../src/server/browser/in-page/page-scripts.js'
import { launchChromium } from '../../shared/launch-chromium.js'

let chromium: Browser
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  page = await chromium.newPage()
  await page.setViewport({ width: 800, height: 600 })
})
afterAll(() => chromium.close())

/** Whether an element at the bottom of the viewport is hidden. */
async function isHidden(content: string, position = 'fixed'): Promise<boolean> {
  await page.setContent(
    `<body style="margin:0"><main style="height:500px">Text</main>
    <div id="bar" style="position:${position};bottom:0;left:0;right:0;height:100px">${content}</div>`,
  )
  await page.evaluate(hideBanners, ['.known-banner'])
  return page.$eval('#bar', (element) => getComputedStyle(element).display === 'none')
}

describe('a consent banner is hidden', () => {
  it.each([
    ['We use cookies.', 'OK'],
    ['We use cookies.', 'Ok, got it'],
    ['We use cookies.', 'Okay'],
    ['We use cookies.', 'Accept all'],
    ['We use cookies.', 'Allow all cookies'],
    ['We use cookies.', 'Continue'],
    ['We use cookies.', 'Continue without accepting'],
    ['We use cookies.', 'Decline'],
    ['We use cookies.', 'I agree'],
    ['Wir verwenden Cookies.', 'Alle akzeptieren'],
    ['Wir verwenden Cookies.', 'Alle Cookies zulassen'],
    ['Wir verwenden Cookies.', 'Alle auswählen'],
    ['Nous utilisons des traceurs.', 'Tout accepter'],
    ['Nous utilisons des cookies.', 'Tout refuser'],
    ['Wij gebruiken cookies.', 'Alle cookies accepteren'],
    ['Wij gebruiken cookies.', 'Alle toestaan'],
    ['Vi bruger cookies.', 'Acceptér alle'],
    ['Vi använder cookies.', 'Acceptera alla'],
    ['Usamos cookies.', 'Aceptar todo'],
    ['クッキーを使用します。', '同意する'],
  ])('%s [%s]', async (text, button) => {
    expect(await isHidden(`<p>${text}</p><button>${button}</button>`)).toBe(true)
    expect(await isHidden(`<p>${text}</p><a href="#">${button}</a>`)).toBe(true)
  })
})

describe('another bar of the page stays', () => {
  it.each([
    ['a menu of a bakery', '<a href="/c">Cookies</a> <a href="/r">Alle Rezepte</a>'],
    ['a menu of a state', '<a href="/c">Cookie shops</a> <a href="/o">Oklahoma</a>'],
    ['a menu of articles', '<a href="/c">Cookie recipes</a> <a href="/n">Continue reading</a>'],
    ['a French menu', '<a href="/c">Cookies</a> <a href="/t">Tout le chocolat</a>'],
    ['a shop', '<a href="/c">Cookies</a> <a href="/p">Accepted cards</a> <a href="/a">Allowances</a>'],
    ['a legal page', '<a href="/c">Consent law</a> <a href="/a">Agreements</a> <a href="/d">Declined cases</a>'],
    ['a navigation', '<nav><a href="/c">Cookies</a> <a href="/ok">OK</a></nav>'],
    ['a navigation by its role', '<div role="navigation"><a href="/c">Cookies</a> <a href="/ok">Accept</a></div>'],
  ])('%s', async (_, content) => {
    expect(await isHidden(content)).toBe(false)
    expect(await isHidden(content, 'sticky')).toBe(false)
  })
})
