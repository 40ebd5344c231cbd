// Covers `page-preview.css`: the space reserved for previews, compared with the mounted ones.
import { beforeAll, expect, it } from 'vitest'
import { scriptStage, states } from './script-stage.js'

const stage = scriptStage({ '/page': '<!doctype html><title>A page</title><h1>A page</h1>' })

const WIDTHS = [200, 224, 230, 236, 242, 300, 500, 570, 576, 588, 592, 700, 1000]
const RESET = '*, *::before, *::after { box-sizing: border-box }'

/** How much higher each card is than the space that was reserved for it, in pixels. */
async function differences(layout: string, { fontPx = 16, head = '' } = {}): Promise<number[]> {
  const { site, serving, elsewhere } = stage()
  const previews = WIDTHS.map(
    (width) => `<div style="width: ${width}px; font-size: ${fontPx}px">
      <page-preview url="${site.url}/page" screenshot loading="eager" layout="${layout}"></page-preview></div>`,
  )
  elsewhere.routes['/'] = `<!doctype html><title>Mine</title><link rel="icon" href="data:,">${head}${previews.join('')}`
  const { page } = await stage().open('/')
  const heights = () => page.$$eval('div', (all) => all.map((one) => one.getBoundingClientRect().height))
  const reserved = await heights()
  await page.addScriptTag({ url: `${serving.free}/page-preview.js` })
  await expect.poll(() => states(page), { timeout: 25_000 }).toEqual(WIDTHS.map(() => 'ready'))
  const shown = await heights()
  return shown.map((height, at) => height - reserved[at]!)
}

let stylesheet: string
beforeAll(() => {
  stylesheet = `<link rel="stylesheet" href="${stage().serving.free}/page-preview.css">`
})

it.each([
  ['card', 16],
  ['card', 20],
  ['row', 16],
  ['row', 20],
  ['image', 16],
])('reserves the height of a %s of any width, at a font size of %i pixels', async (layout, fontPx) => {
  for (const reset of ['', `<style>${RESET}</style>`])
    for (const difference of await differences(layout, { fontPx, head: stylesheet + reset }))
      expect(Math.abs(difference)).toBeLessThan(0.5)
})

it.each(['grid', 'flex'])('leaves a preview as narrow as a %s of the page makes it', async (display) => {
  const { site, serving, elsewhere } = stage()
  const preview = `<page-preview url="${site.url}/page"><a href="${site.url}/page">A page</a></page-preview>`
  elsewhere.routes['/'] = `<!doctype html><title>Mine</title><link rel="icon" href="data:,">${stylesheet}
    <main style="display: ${display}; grid-template-columns: 1fr 1fr; width: 300px; gap: 20px">${preview.repeat(2)}</main>`
  const { page, layoutShift } = await stage().open('/')
  const widths = () => page.$$eval('page-preview', (all) => all.map(({ offsetWidth }) => offsetWidth))
  expect(await widths()).toEqual([140, 140])
  await page.addScriptTag({ url: `${serving.free}/page-preview.js` })
  await expect.poll(() => states(page), { timeout: 25_000 }).toEqual(['ready', 'ready'])
  expect(await widths()).toEqual([140, 140])
  expect(await layoutShift()).toBe(0)
})

it.each(['card', 'row', 'image'])('is a framed link where the script of a %s is blocked', async (layout) => {
  const { site, elsewhere } = stage()
  elsewhere.routes['/'] = `<!doctype html><title>Mine</title><link rel="icon" href="data:,">${stylesheet}
    <page-preview url="${site.url}/page" layout="${layout}"><a href="${site.url}/page">A page</a></page-preview>`
  const { page } = await stage().open('/')
  const { frame, top, left, bottom } = await page.$eval('page-preview', (preview) => {
    const [box, link] = [preview, preview.firstElementChild!].map((element) => element.getBoundingClientRect())
    const { boxShadow } = getComputedStyle(preview)
    return {
      frame: boxShadow,
      top: link!.top - box!.top,
      left: link!.left - box!.left,
      bottom: box!.bottom - link!.bottom,
    }
  })
  expect(frame).toContain('inset')
  expect(top).toBeGreaterThan(10)
  expect(left).toBeGreaterThan(10)
  expect(bottom).toBeGreaterThan(10)
})
