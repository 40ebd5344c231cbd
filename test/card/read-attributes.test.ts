import { parseDocument } from 'htmlparser2'
import { expect, it } from 'vitest'
import { readAttributes } from '../../src/card/read-attributes.js'
import { fields, parseQuery } from '../../src/query/index.js'

/** The attributes of the only element. */
const attributesOf = (html: string) => {
  const [element] = parseDocument(html).children
  return element && 'attributes' in element ? element.attributes : []
}

it.each([
  ['full-page', 'screenshot.fullPage'],
  ['fullpage', 'screenshot.fullPage'],
  ['fullPage', 'screenshot.fullPage'],
  ['screenshot-full-page', 'screenshot.fullPage'],
  ['screenshot.fullpage', 'screenshot.fullPage'],
  ['screenshot_full_page', 'screenshot.fullPage'],
  ['overlay-browser', 'overlay.browser'],
  ['overlay.browser', 'overlay.browser'],
  ['screenshot.overlay.browser', 'overlay.browser'],
  ['waitForSelector', 'waitForSelector'],
  ['waitforselector', 'waitForSelector'],
  ['wait-for-selector', 'waitForSelector'],
  ['stale-ttl', 'staleTtl'],
  ['viewport-is-mobile', 'viewport.isMobile'],
  ['element-0', 'element.0'],
  ['clip', 'screenshot.clip'],
  ['screenshot-padding', 'screenshot.padding'],
  ['screenshot-element', 'element'],
  ['locale', 'locale'],
  ['timezone', 'timezone'],
  ['geolocation', 'geolocation'],
  ['ping-audio', 'ping.audio'],
  ['meta.title', 'meta.title'],
  ['headers-user-agent', 'headers.user-agent'],
  ['headers.user-agent', 'headers.user-agent'],
  ['layout', 'layout'],
])('reads the attribute %s as %s', (attribute, name) => {
  expect(readAttributes(attributesOf(`<page-preview ${attribute}="x"></page-preview>`))).toEqual({ [name]: 'x' })
})

it('reads every parameter in lower case', () => {
  for (const name of Object.keys(fields).filter((name) => name !== 'headers'))
    expect(Object.keys(readAttributes(attributesOf(`<i ${name.toLowerCase()}="x">`)))).toEqual([name])
})

it('returns what parseQuery understands', () => {
  const html =
    '<page-preview url="https://a.example" screenshot element="#main" embed ttl="31d" ping="false" ping-image>'
  expect(parseQuery(readAttributes(attributesOf(html)))).toEqual({
    query: {
      url: 'https://a.example',
      screenshot: true,
      element: '#main',
      embed: true,
      ttl: 2_678_400_000,
      staleTtl: 86_400_000,
      ping: false,
      'ping.image': true,
    },
    warnings: [],
  })
})

it.each([
  ['image-details="off"', { imageDetails: false }],
  ['image-details="false"', { imageDetails: false }],
  ['image-details', { imageDetails: true }],
  ['priority', { priority: true }],
  ['priority="false"', { priority: false }],
  ['refresh-interval="5000"', { refreshInterval: 5_000 }],
  ['refresh-interval="5m"', { refreshInterval: 300_000 }],
  ['refresh-interval="often"', {}],
])('parses the option %s', (attribute, options) => {
  expect(readAttributes(attributesOf(`<page-preview ${attribute}></page-preview>`))).toEqual(options)
})

it('ignores other attributes', () => {
  expect(
    readAttributes(
      attributesOf('<i class="a" id="b" style="color:red" slot="c" data-url="d" constructor="e" screenshot-ttl="f">'),
    ),
  ).toEqual({})
})

it('reads only data attributes of other elements', () => {
  const attributes = attributesOf(
    '<a href="/" type="text/html" data-page-preview data-screenshot data-overlay-browser="dark">',
  )
  expect(readAttributes(attributes, 'data-')).toEqual({ screenshot: '', 'overlay.browser': 'dark' })
})
