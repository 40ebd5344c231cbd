import { expect, it } from 'vitest'
import { readAttributes } from '../../src/embed/asking/read-attributes.js'
import { scriptHosts } from '../../src/embed/asking/script-hosts.js'
import { findScriptTag } from '../../src/embed/script-tag.js'
import { fields, parseQuery } from '../../src/query/index.js'

const elementOf = (html: string) => {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.firstElementChild!
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
  ['ping-audio', 'ping.audio'],
  ['meta.title', 'meta.title'],
  ['headers-user-agent', 'headers.user-agent'],
  ['headers.user-agent', 'headers.user-agent'],
  ['layout', 'layout'],
])('reads the attribute %s as %s', (attribute, name) => {
  expect(readAttributes(elementOf(`<page-preview ${attribute}="x"></page-preview>`))).toEqual({ [name]: 'x' })
})

it('reads every word of the language in small letters', () => {
  for (const word of Object.keys(fields).filter((word) => word !== 'headers'))
    expect(Object.keys(readAttributes(elementOf(`<i ${word.toLowerCase()}="x">`)))).toEqual([word])
})

it('gives what the language reads', () => {
  const html =
    '<page-preview url="https://a.example" screenshot element="#main" embed ttl="31d" ping="false" ping-image>'
  expect(parseQuery(readAttributes(elementOf(html)))).toEqual({
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

it('leaves out what is not of the language', () => {
  expect(
    readAttributes(elementOf('<i class="a" id="b" style="color:red" slot="c" data-url="d" constructor="e">')),
  ).toEqual({})
})

it('reads data attributes of other elements only', () => {
  const link = elementOf('<a href="/" type="text/html" data-page-preview data-screenshot data-overlay-browser="dark">')
  expect(readAttributes(link, 'data-')).toEqual({ screenshot: '', 'overlay.browser': 'dark' })
})

const hostsOf = (head: string) => {
  document.head.innerHTML = head
  const tag = findScriptTag()
  return tag && scriptHosts(tag)
}

it('asks the origin that the script came from', () => {
  expect(hostsOf('<script src="https://previews.example/v0.1.0/page-preview.js"></script>')).toEqual({
    free: 'https://previews.example/',
    pro: 'https://previews.example/',
  })
})

it('asks where the tag says', () => {
  const src = 'src="https://cdn.example/page-preview.js"'
  expect(hostsOf(`<script ${src} data-free="https://f.example" data-pro="https://p.example"></script>`)).toEqual({
    free: 'https://f.example',
    pro: 'https://p.example',
  })
  expect(hostsOf(`<script ${src} data-free="/previews"></script>`)).toEqual({ free: '/previews', pro: '/previews' })
})

it('knows no origin in a bundle', () => {
  expect(hostsOf('<script src="/bundle.js"></script>')).toBeUndefined()
})
