// Covers the time from the script tag to the first card on the page.
import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startBuiltService, type Child } from './children.js'

const ROUNDS = 60

/** A minimal element with a title and a screenshot. */
const BY_HAND = (service: string) => `
  customElements.define('page-preview', class extends HTMLElement {
    async connectedCallback() {
      const address = this.getAttribute('url')
      const response = await fetch('${service}/?' + new URLSearchParams({ url: address, screenshot: 'true' }))
      const { data } = await response.json()
      const link = document.createElement('a')
      link.href = address
      const image = document.createElement('img')
      image.width = data.screenshot.width
      image.height = data.screenshot.height
      image.className = 'pp-image'
      image.alt = ''
      image.style.cssText = 'display:block;width:100%;height:auto'
      image.src = data.screenshot.url
      link.append(image, data.title)
      this.replaceChildren(link)
    }
  })
`

describe('the first card of a page, with the script tag and with an element written by hand', () => {
  let site: LocalSite
  let elsewhere: LocalSite
  let serving: Child
  let browser: Browser
  beforeAll(async () => {
    site = await localSite({ '/': '<!doctype html><title>Tides</title><h1>When the water comes</h1>' })
    serving = await startBuiltService([`--allow-target=${site.host}`])
    elsewhere = await localSite({
      '/': `<!doctype html><title>Mine</title><link rel="icon" href="data:,"><main style="width:400px">
        <page-preview url="${site.url}/" screenshot><a href="${site.url}/">Tides</a></page-preview></main>`,
      '/by-hand.js': (_, response) =>
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(BY_HAND(serving.url)),
    })
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await serving.stop()
    await Promise.all([site.close(), elsewhere.close()])
  })

  /** Milliseconds from inserting the script to the frame with title and image, in a browser with an empty cache. */
  async function firstCardMs(script: string): Promise<number> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const tab = await context.newPage()
    await tab.goto(elsewhere.url)
    const ms = await tab.evaluate(UNTIL_PAINTED, script)
    await context.close()
    return ms
  }

  it('takes at most 1.6 times as long as with an element written by hand', async () => {
    const scripts = { byHand: `${elsewhere.url}/by-hand.js`, scriptTag: `${serving.url}/page-preview.js` }
    for (const script of Object.values(scripts)) await firstCardMs(script)
    const byHand: number[] = []
    const scriptTag: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      byHand.push(await firstCardMs(scripts.byHand))
      scriptTag.push(await firstCardMs(scripts.scriptTag))
    }
    const [byHandMs, scriptTagMs] = [median(byHand), median(scriptTag)]
    const ratio = median(scriptTag.map((ms, round) => ms / byHand[round]!))
    console.log(
      `first card: by hand ${byHandMs.toFixed(1)} ms, script tag ${scriptTagMs.toFixed(1)} ms, ratio ${ratio.toFixed(2)} (median of ${ROUNDS} pairs)`,
    )
    expect.soft(ratio).toBeLessThanOrEqual(1.6)
  })
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** In the page: inserts the script, and checks each frame until title and image are visible. */
const UNTIL_PAINTED = async (src: string): Promise<number> => {
  const start = performance.now()
  document.head.append(Object.assign(document.createElement('script'), { src }))
  const isThere = () => {
    const element = document.querySelector('page-preview')!
    const card = element.shadowRoot ?? element
    const image = card.querySelector<HTMLImageElement>('.pp-image:not([data-pending])')
    return image?.complete && image.naturalWidth > 0 && card.textContent.includes('Tides')
  }
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  while (!isThere()) await nextFrame()
  return (await nextFrame()) - start
}
